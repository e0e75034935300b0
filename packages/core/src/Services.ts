/**
 * Services of a concept, as `<Concept>Services.ts` in its folder lists them and `Lectern.ts` collects them: the
 * layer of each, the handlers of the jobs that the concept leaves, and the services that a host without Effect is
 * offered, by the names it finds them under, with what of each can be part of a host's transaction.
 *
 * ```ts
 * export const pdfServices = {
 *   layers: [Pdfs.layer],
 *   jobs: [makePdf, removeOldPdfs],
 *   offered: { pdfs: offer(Pdfs, "apart") }
 * } as const satisfies Services
 * ```
 *
 * Each layer is wired to those that it stands on (see `Wired`), so no order counts. A job whose effect answers undefined has no
 * handler in this process. Events, and what is removed or kept with rows, stand in `<Concept>Concept.ts` (see
 * `Concept`), since services read them.
 */
import type { Context, Effect, Layer } from "effect"
import type { JobHandler } from "./job/Job.ts"

export interface Services {
  readonly layers: ReadonlyArray<Layer.Layer<never, unknown, unknown>>
  readonly jobs: ReadonlyArray<Effect.Effect<JobHandler | undefined, never, unknown>>
  readonly offered: { readonly [name: string]: Offer<Key, unknown> }
}

type Key = Context.Key<unknown, object>

/**
 * Part that a method can have in a transaction over several services: a `short` one waits for nothing but the store,
 * one that stands `apart` computes, or asks others, outside of transactions (see `EmbeddedTransaction`).
 */
export type Part = "short" | "apart"

/** Parts of a service's methods: one of all of them, or each by its name. */
export type Parts<Shape> = Part | { readonly [Method in keyof Shape]-?: Part }

/** A service that a host is offered, and the parts of its methods. */
export interface Offer<Service, Methods> {
  readonly service: Service
  readonly methods: Methods
}

/** Offers a service. One whose methods differ names each: a new one does not compile before it has its part. */
export const offer = <Service extends Key, const Methods extends Parts<Service["Service"]>>(
  service: Service,
  methods: Methods
): Offer<Service, Methods> => ({ service, methods })

/** Names of the short methods of what is offered. */
export type ShortOf<O> =
  O extends Offer<infer Service extends Key, infer Methods>
    ? Methods extends "short"
      ? keyof Service["Service"]
      : { [Method in keyof Methods]: Methods[Method] extends "short" ? Method : never }[keyof Methods]
    : never

/** True where a method of an offered service is short. */
export const isShort = ({ methods }: Offer<unknown, unknown>, method: string): boolean =>
  typeof methods === "object" && methods !== null
    ? Object.hasOwn(methods, method) && (methods as Record<string, Part>)[method] === "short"
    : methods === "short"

/** The offers of several concepts as one. */
export const combined = <const O extends Services["offered"]>(offers: ReadonlyArray<O>): UnionToIntersection<O> =>
  Object.assign({}, ...offers)

type UnionToIntersection<U> = (U extends unknown ? (of: U) => void : never) extends (of: infer I) => void ? I : never
