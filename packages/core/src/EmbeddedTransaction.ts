/**
 * One transaction over several services, for hosts that do not use Effect:
 *
 * ```ts
 * const space = await lectern.transaction(async (tx) => {
 *   const { id } = await tx.organizations.create({ title: "Acme" })
 *   return tx.spaces.create(id, { title: "Handbook" })
 * })
 * ```
 *
 * It has the short methods alone, those that wait for nothing but the store: their names stand in
 * `shortMethods`. Every other method computes outside of transactions, reads Markdown for one, and is
 * refused by name with `NotInTransaction`. Each call is done when it answers, and one that fails
 * leaves nothing of its own; what the function throws rolls back all.
 *
 * Limits: 5 seconds, as for every transaction (see `Storage.inSteps`). All other writes wait meanwhile,
 * those of the host's own function that it makes without `tx` included.
 */
import { Schema } from "effect"
import type { EmbeddedLectern } from "./EmbeddedLectern.ts"

/** Methods of each service that can be part of a transaction. */
export const shortMethods = {
  organizations: ["get", "list", "create", "update", "join"],
  members: ["get", "list", "changeRole", "remove"],
  users: ["me", "get", "create", "byExternalId", "byEmail"],
  teams: ["get", "list", "create", "update", "remove"],
  teamMembers: ["list", "update", "put", "remove"],
  collections: ["get", "list", "create", "update", "remove", "move"],
  spaces: ["get", "list", "listInCollection", "create", "update", "remove", "restore", "move"],
  grants: ["give", "change", "remove", "listUsers", "listTeams"],
  changeRequests: ["get", "list", "create"],
  sites: ["get", "list", "create", "update"],
  siteSpaces: ["list", "add", "update", "remove"],
  jobs: ["enqueue", "get", "list"]
} as const satisfies { readonly [Name in keyof EmbeddedLectern]?: ReadonlyArray<keyof EmbeddedLectern[Name]> }

type Short = typeof shortMethods

/** The services of a transaction: their short methods, as the host or as whoever `as` says. */
export type EmbeddedTransaction = {
  readonly [Name in keyof Short]: Pick<EmbeddedLectern[Name], Extract<Short[Name][number], keyof EmbeddedLectern[Name]>>
} & {
  /** The same transaction as a user sees it. */
  readonly as: (actor: Parameters<EmbeddedLectern["as"]>[0]) => EmbeddedTransaction
}

/** The method computes, or asks others, outside of transactions: call it before or after. */
export class NotInTransaction extends Schema.TaggedError<NotInTransaction>()("NotInTransaction", {
  method: Schema.String,
  message: Schema.String
}) {}

/** An instance whose calls are steps of a transaction, reduced to what can be one. */
export const reduced = (steps: EmbeddedLectern): EmbeddedTransaction => ({
  ...(Object.fromEntries(
    Object.entries(steps).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === "function" ? refusal(name) : reducedService(name, member as Record<string, unknown>)
    ])
  ) as unknown as EmbeddedTransaction),
  as: (actor) => reduced(steps.as(actor))
})

const reducedService = (name: string, service: Record<string, unknown>) => {
  const short: ReadonlyArray<string> = (shortMethods as Record<string, ReadonlyArray<string>>)[name] ?? []
  return Object.fromEntries(
    Object.entries(service).map(([method, member]) => [
      method,
      short.includes(method) ? member : refusal(`${name}.${method}`)
    ])
  )
}

const refusal = (method: string) => () =>
  Promise.reject(
    new NotInTransaction({
      method,
      message: `${method} can't be part of a transaction: call it before or after`
    })
  )
