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
 * It has only transactional methods, which wait only for the store, as each concept declares them in its offer (see
 * `Services`). All other methods, such as those that parse Markdown, reject with `NotInTransaction`. A call is complete
 * when it resolves, and a failed call has no effect. An error of the function rolls back everything.
 *
 * Limits: 5 seconds, as for every transaction (see `Storage.inSteps`). All other writes wait in the meantime. A call that
 * the function makes without `tx` could wait for its own transaction, so it rejects with `CallOutsideTransaction`, if the
 * runtime knows where it comes from (see `FollowedValue`).
 */
import { Schema } from "effect"
import type { EmbeddedLectern } from "./EmbeddedLectern.ts"
import * as Lectern from "./Lectern.ts"
import { isTransactional, type Offer, type TransactionalMethods } from "./Services.ts"

type Offered = typeof Lectern.offered

/** Names of the transactional methods of a service. */
type TransactionalNames<Name> = Name extends keyof Offered
  ? Extract<TransactionalMethods<Offered[Name]>, keyof EmbeddedLectern[Name]>
  : never

/** The services of a transaction: their transactional methods, called by the host or by the actor of `as`. */
export type EmbeddedTransaction = {
  readonly [Name in keyof Offered as [TransactionalNames<Name>] extends [never] ? never : Name]: Pick<
    EmbeddedLectern[Name],
    TransactionalNames<Name>
  >
} & {
  /** Returns the transaction with calls made by a user. */
  readonly as: (actor: Parameters<EmbeddedLectern["as"]>[0]) => EmbeddedTransaction
}

/** Raised if the method cannot be part of a transaction. Call it before or after. */
export class NotInTransaction extends Schema.TaggedError<NotInTransaction>()("NotInTransaction", {
  method: Schema.String,
  message: Schema.String
}) {}

/** Raised if the function of a transaction calls the instance instead of `tx`. */
export class CallOutsideTransaction extends Schema.TaggedError<CallOutsideTransaction>()("CallOutsideTransaction", {
  message: Schema.String
}) {}

/** Reduces an instance whose calls are steps of a transaction to the transactional methods. */
export const reducedInstance = (steps: EmbeddedLectern): EmbeddedTransaction => ({
  ...(Object.fromEntries(
    Object.entries(steps).map(([name, member]: [string, unknown]) => [
      name,
      typeof member === "function" ? rejectMethod(name) : reducedService(name, member as Record<string, unknown>)
    ])
  ) as unknown as EmbeddedTransaction),
  as: (actor) => reducedInstance(steps.as(actor))
})

const offers: { readonly [name: string]: Offer<unknown, unknown> } = Lectern.offered

const reducedService = (name: string, service: Record<string, unknown>) => {
  const offer = offers[name]
  return Object.fromEntries(
    Object.entries(service).map(([method, member]) => [
      method,
      offer !== undefined && isTransactional(offer, method) ? member : rejectMethod(`${name}.${method}`)
    ])
  )
}

const rejectMethod = (method: string) => () =>
  Promise.reject(
    new NotInTransaction({
      method,
      message: `${method} can't be part of a transaction: call it before or after`
    })
  )
