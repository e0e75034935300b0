/**
 * A hostname, or a place behind a proxy, that somebody wants for a site and has not proved to be theirs.
 * It reserves nothing: several sites may want the same, and who proves it first gets it.
 *
 * It is checked at once, then after pauses that double from a minute to a day, for 30 days.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"

const minute = 60_000
const day = 24 * 60 * minute
const patience = 30 * day

/** The path of a proof by HTTP; the name of a record for a proof by DNS is below. */
export const proofPath = "/.well-known/lectern-verification"
export const recordOf = (host: string): string => `_lectern.${host}`

export const ClaimKind = Schema.Literals(["hostname", "proxy"])
export type ClaimKind = typeof ClaimKind.Type

export const AddressClaim = Schema.Struct({
  name: Schema.String,
  since: Timestamp,
  /** How often it was checked by itself. */
  checks: Schema.Int,
  checkedAt: Schema.optionalKey(Timestamp),
  /** Why the last check has not proved it. */
  problem: Schema.optionalKey(Schema.String)
})
export type AddressClaim = typeof AddressClaim.Type

export const AddressClaims = Schema.Struct({
  hostname: Schema.optionalKey(AddressClaim),
  proxy: Schema.optionalKey(AddressClaim)
})
export type AddressClaims = typeof AddressClaims.Type

/** The host of a hostname, or of a proxy, in lower case. */
export const hostOf = (name: string): string => name.split("/", 1)[0]!.toLowerCase()

export const namesOf = (claims: AddressClaims | undefined): ReadonlyArray<string> =>
  Object.values(claims ?? {}).map(({ name }) => name)

/** When it is checked again (epoch ms); undefined: never by itself. */
export const nextCheck = ({ since, checks }: AddressClaim, now: number): number | undefined =>
  now - Date.parse(since) > patience ? undefined : now + Math.min(minute * 2 ** Math.min(checks, 20), day)

/** As those are shown it who may change the site. */
export const PendingAddress = Schema.Struct({
  type: ClaimKind,
  name: Schema.String,
  /** Either of them proves it. */
  proof: Schema.Struct({
    dns: Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, value: Schema.String }),
    http: Schema.Struct({ url: Schema.String, body: Schema.String })
  }),
  checkedAt: Schema.optionalKey(Timestamp),
  problem: Schema.optionalKey(Schema.String)
})
export type PendingAddress = typeof PendingAddress.Type
