/**
 * A hostname or a proxy address that a site requests and whose ownership is not proved. A claim reserves nothing:
 * several sites may claim an address, and the first one with a proof gets it.
 *
 * A claim is checked at once, then after pauses that double from a minute to a day, for 30 days.
 */
import { Schema } from "effect"
import { Timestamp } from "../schema/Text.ts"

const minute = 60_000
const day = 24 * 60 * minute
const maxAge = 30 * day

/** Path of the proof over HTTP. `recordOf` returns the name of the record for the proof by DNS. */
export const proofPath = "/.well-known/lectern-verification"
export const recordOf = (host: string): string => `_lectern.${host}`

export const ClaimKind = Schema.Literals(["hostname", "proxy"])
export type ClaimKind = typeof ClaimKind.Type

export const AddressClaim = Schema.Struct({
  name: Schema.String,
  since: Timestamp,
  /** Number of automatic checks. */
  checks: Schema.Int,
  checkedAt: Schema.optionalKey(Timestamp),
  /** Reason why the last check failed. */
  problem: Schema.optionalKey(Schema.String)
})
export type AddressClaim = typeof AddressClaim.Type

export const AddressClaims = Schema.Struct({
  hostname: Schema.optionalKey(AddressClaim),
  proxy: Schema.optionalKey(AddressClaim)
})
export type AddressClaims = typeof AddressClaims.Type

/** Returns the host of a hostname or a proxy address, in lower case. */
export const hostOf = (name: string): string => name.split("/", 1)[0]!.toLowerCase()

export const namesOf = (claims: AddressClaims | undefined): ReadonlyArray<string> =>
  Object.values(claims ?? {}).map(({ name }) => name)

/** Returns the time of the next check (ms since the epoch); undefined for no further automatic check. */
export const nextCheck = ({ since, checks }: AddressClaim, now: number): number | undefined =>
  now - Date.parse(since) > maxAge ? undefined : now + Math.min(minute * 2 ** Math.min(checks, 20), day)

/** A claim for members who may change the site. */
export const PendingAddress = Schema.Struct({
  type: ClaimKind,
  name: Schema.String,
  /** Each of the two proofs is sufficient. */
  proof: Schema.Struct({
    dns: Schema.Struct({ type: Schema.Literal("TXT"), name: Schema.String, value: Schema.String }),
    http: Schema.Struct({ url: Schema.String, body: Schema.String })
  }),
  checkedAt: Schema.optionalKey(Timestamp),
  problem: Schema.optionalKey(Schema.String)
})
export type PendingAddress = typeof PendingAddress.Type
