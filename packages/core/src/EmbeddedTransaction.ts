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
import { mapMethods, type ServiceGroups } from "./ServiceGroups.ts"
import { kindOf, type MethodsOfKind, type Offer } from "./Services.ts"

type Offered = typeof Lectern.offered

/** Offers with at least one transactional method. */
type TransactionalOffers = {
  readonly [
    Path in keyof Offered as [MethodsOfKind<Offered[Path], "transactional">] extends [never] ? never : Path
  ]: Offered[Path]
}

/**
 * The transactional methods of `organizations`, `organizations.members`, `users`, `teams`, `collections`, `spaces`,
 * `grants`, `changeRequests`, `changeRequests.checks`, `sites`, `sites.siteSpaces` and `jobs`, called by the host or by
 * the actor of `as`. All other methods reject with `NotInTransaction`.
 */
export type EmbeddedTransaction = Omit<ServiceGroups<TransactionalOffers, "transactional">, "jobs"> & {
  readonly jobs: Pick<EmbeddedLectern["jobs"], MethodsOfKind<Offered["jobs"], "transactional">>
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

const stepRunners = new WeakMap<EmbeddedTransaction, EmbeddedLectern["run"]>()

/**
 * Returns the function that runs an effect as a step of a transaction. For adapters with services of their own. The
 * effect may wait only for the store.
 */
export const stepRunnerOf = (tx: EmbeddedTransaction): EmbeddedLectern["run"] => stepRunners.get(tx)!

/** Reduces an instance whose calls are steps of a transaction to the transactional methods. */
export const reducedInstance = (steps: EmbeddedLectern): EmbeddedTransaction => {
  const services = mapMethods(steps, (method, service, name) => {
    const offer = offers[service]
    if (offer !== undefined && kindOf(offer, name) === "transactional") return method
    return rejectMethod(service === "" ? name : `${service}.${name}`)
  }) as EmbeddedTransaction
  const tx: EmbeddedTransaction = { ...services, as: (actor) => reducedInstance(steps.as(actor)) }
  stepRunners.set(tx, steps.run)
  return tx
}

const offers: { readonly [path: string]: Offer<unknown, unknown> } = Lectern.offered

const rejectMethod = (method: string) => () =>
  Promise.reject(
    new NotInTransaction({
      method,
      message: `${method} can't be part of a transaction: call it before or after`
    })
  )
