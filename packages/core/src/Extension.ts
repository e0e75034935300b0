/**
 * Services of another package over the services of the core, such as imports and Git (`@lectern/exchange`).
 *
 * ```ts
 * const lectern = await SqliteLectern.open({ file: "lectern.db", extensions: [Exchange.extension()] })
 * await lectern.content.folderImports.importFolder(space.id, folder)
 * ```
 *
 * The layer of an extension registers its jobs with `JobHandlers.add`. Its rows and events are declared in the core (see
 * `Concept`), because a host without the extension may open the same store. Its methods are never part of a transaction
 * over several services.
 */
import type { Context, Layer } from "effect"
import type { LecternServices } from "./Lectern.ts"
import type { ServiceGroups } from "./ServiceGroups.ts"
import type { Offer, UnionToIntersection } from "./Services.ts"

/** Services that an extension offers to hosts without Effect, by path (see `Services`). */
interface ExtensionOffers {
  readonly [path: string]: Offer<Context.Key<any, object>, "outsideTransaction">
}

export interface Extension<Provided = any, Offers extends ExtensionOffers = any> {
  readonly layer: Layer.Layer<Provided, never, LecternServices>
  readonly offered: Offers
}

/** Services of extensions. */
export type ExtensionServices<X extends Extension> = X extends Extension<infer Provided> ? Provided : never

/** Services of extensions with promises, grouped by their paths. */
export type PromisedExtensions<X extends Extension> = UnionToIntersection<
  X extends Extension<any, infer Offers> ? ServiceGroups<Offers, "outsideTransaction"> : never
>
