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
 * It has the short methods alone, those that wait for nothing but the store, as each concept declares
 * them where it offers its services (see `Services`). Every other method computes outside of transactions,
 * reads Markdown for one, and is refused by name with `NotInTransaction`. Each call is done when it answers, and one that fails
 * leaves nothing of its own; what the function throws rolls back all.
 *
 * Limits: 5 seconds, as for every transaction (see `Storage.inSteps`). All other writes wait meanwhile,
 * those of the host's own function that it makes without `tx` included.
 */
import { Schema } from "effect"
import type { EmbeddedLectern } from "./EmbeddedLectern.ts"
import * as Lectern from "./Lectern.ts"
import { isShort, type Offer, type ShortOf } from "./Services.ts"

type Offered = typeof Lectern.offered

/** Names of the short methods of a service; none for what a host finds beside the services. */
type Short<Name> = Name extends keyof Offered ? Extract<ShortOf<Offered[Name]>, keyof EmbeddedLectern[Name]> : never

/** The services of a transaction: their short methods, as the host or as whoever `as` says. */
export type EmbeddedTransaction = {
  readonly [Name in keyof Offered as [Short<Name>] extends [never] ? never : Name]: Pick<
    EmbeddedLectern[Name],
    Short<Name>
  >
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

const offers: { readonly [name: string]: Offer<unknown, unknown> } = Lectern.offered

const reducedService = (name: string, service: Record<string, unknown>) => {
  const offer = offers[name]
  return Object.fromEntries(
    Object.entries(service).map(([method, member]) => [
      method,
      offer !== undefined && isShort(offer, method) ? member : refusal(`${name}.${method}`)
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
