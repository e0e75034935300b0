/** Builds the pages of a revision as an actor reads them: with computed pages, and for visitors only visible pages. */
import { Effect } from "effect"
import { type ComputedContent, ComputedContents } from "../../computed/ComputedContents.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import type { CacheKey } from "../VisitorKindCache.ts"
import type { VisibleContent } from "../pages/PageConditions.ts"
import { Objects } from "../store/Objects.ts"
import type { RevisionWithSources, LocatedRevision, ReadOptions } from "./LocatedRevision.ts"

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const computedContents = yield* ComputedContents

  /** Adds the responses of integrations to a revision, if its computed pages are requested. */
  const withSources = (at: LocatedRevision, options?: ReadOptions): Effect.Effect<RevisionWithSources, StorageError> =>
    at.sources === undefined || options?.computed === false
      ? Effect.succeed(at)
      : Effect.map(at.sources.complete, (sources) => ({ ...at, sources }))

  const computedContentOf = (
    at: RevisionWithSources,
    visibleContent: VisibleContent | undefined,
    options?: ReadOptions
  ): Effect.Effect<ComputedContent, StorageError> =>
    computedContents.readerFor(
      at.revision.content,
      visibleContent?.reader ?? ContentReader.make(objects, at.revision.content),
      options?.computed === false ? undefined : at.sources,
      visibleContent?.key
    )

  return { withSources, computedContentOf }
})

/**
 * Returns the cache key of a read: a name, and the version that distinguishes successive responses. Main content is
 * named by its space, not by its revision, so a new revision replaces the cached response.
 */
export const keyOf = (
  at: RevisionWithSources,
  visibleContent: VisibleContent | undefined,
  options?: ReadOptions,
  part = ""
): CacheKey => ({
  name: [
    at.revision.id === at.space.revision ? at.space.id : at.revision.id,
    options?.metadata ?? true,
    // The key distinguishes actors who see all pages, since they also get the conditions of pages.
    at.visitor === undefined ? "all" : at.visitor.showsGit ? "shown" : "shown without Git",
    visibleContent?.key ?? "",
    options?.computed ?? true,
    // The key contains the visible specs, since they determine the computed pages.
    at.sources?.key ?? "",
    part
  ].join(" "),
  version: `${at.revision.id} ${at.blocks?.key ?? ""}`
})
