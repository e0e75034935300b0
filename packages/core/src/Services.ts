/**
 * Services of a concept, as `<Concept>Services.ts` in its folder lists them and `Lectern.ts` collects them: the
 * layer of each, the handlers of the jobs that the concept leaves, and the services that a host without Effect is
 * offered, by the names it finds them under.
 *
 * ```ts
 * export const pdfServices = {
 *   layers: [Pdfs.layer],
 *   jobs: [makePdf, removeOldPdfs],
 *   offered: { pdfs: Pdfs }
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
  readonly offered: { readonly [name: string]: Context.Key<unknown, object> }
}

/** The offers of several concepts as one. */
export const combined = <const O extends Services["offered"]>(offers: ReadonlyArray<O>): UnionToIntersection<O> =>
  Object.assign({}, ...offers)

type UnionToIntersection<U> = (U extends unknown ? (of: U) => void : never) extends (of: infer I) => void ? I : never
