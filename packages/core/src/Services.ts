/**
 * A concept lists the handlers of its jobs and its other background work (`jobs`), the renderers of its mails (`mails`),
 * and its services for hosts without Effect by path with the kinds of their methods, in `<Concept>Services.ts` in its
 * folder. The service at the path
 * "sites.redirects" is `lectern.sites.redirects` (see `ServiceGroups`). `Lectern.ts` collects them. A concept without
 * either has no such file. The layers of all services are in `ServiceLayers.ts`.
 *
 * ```ts
 * export const pdfServices = {
 *   jobs: [makePdf, removeOldPdfs],
 *   offered: { pdfs: offer(Pdfs, "outsideTransaction") }
 * } as const satisfies Services
 * ```
 *
 * A job whose effect returns undefined has no handler in this process. Events and rows are declared in
 * `<Concept>Concept.ts` (see `Concept`), because services read them.
 */
import type { Context, Effect } from "effect"
import type { WorkerPart } from "./job/JobWorker.ts"
import type { MailRenderer } from "./mail/MailKind.ts"

export interface Services {
  readonly jobs: ReadonlyArray<Effect.Effect<WorkerPart, never, unknown>>
  readonly mails?: ReadonlyArray<Effect.Effect<MailRenderer, never, unknown>>
  readonly offered: { readonly [path: string]: Offer<Key, unknown> }
}

type Key = Context.Key<unknown, object>

/**
 * Role of a method for hosts without Effect. `transactional` methods wait only for the store, so they work in a
 * transaction over several services; `outsideTransaction` methods compute or call others (see `EmbeddedTransaction`).
 * `internal` methods are for other services: the instance does not have them.
 */
export type MethodKind = "transactional" | "outsideTransaction" | "internal"

/** One kind for all methods of a service, or one for each method. */
export type MethodKinds<Shape> = MethodKind | { readonly [Method in keyof Shape]-?: MethodKind }

/** A service that is offered to hosts, with the kinds of its methods. */
export interface Offer<Service, Methods> {
  readonly service: Service
  readonly methods: Methods
}

/** Offers a service. If its methods differ, the compiler requires a kind for each method. */
export const offer = <Service extends Key, const Methods extends MethodKinds<Service["Service"]>>(
  service: Service,
  methods: Methods
): Offer<Service, Methods> => ({ service, methods })

/** Names of the methods of an offer that have one of the kinds. */
export type MethodsOfKind<O, Kinds extends MethodKind> =
  O extends Offer<infer Service extends Key, infer Methods>
    ? Methods extends MethodKind
      ? Methods extends Kinds
        ? keyof Service["Service"]
        : never
      : { [Method in keyof Methods]: Methods[Method] extends Kinds ? Method : never }[keyof Methods]
    : never

/** Returns the kind of a method. Undefined if the offer does not list the method. */
export const kindOf = ({ methods }: Offer<unknown, unknown>, method: string): MethodKind | undefined => {
  if (typeof methods !== "object" || methods === null) return methods as MethodKind
  return Object.hasOwn(methods, method) ? (methods as Record<string, MethodKind>)[method] : undefined
}

/** Merges the offers of several concepts. */
export const combined = <const O extends Services["offered"]>(offers: ReadonlyArray<O>): UnionToIntersection<O> =>
  Object.assign({}, ...offers)

export type UnionToIntersection<U> = (U extends unknown ? (of: U) => void : never) extends (of: infer I) => void
  ? I
  : never
