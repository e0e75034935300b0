/** Reads a revision as a resource: its pages and files, and the change request that it came from. */
import { Context, Effect } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import { SingleFlight } from "../../storage/SingleFlight.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { MemoryBudget } from "../../thread/MemoryBudget.ts"
import * as Presenter from "../ContentPresenter.ts"
import type * as Resources from "../ContentResources.ts"
import type { Contents } from "../Contents.ts"
import { PageConditions } from "../pages/PageConditions.ts"
import * as DefinedTags from "../tags/DefinedTags.ts"
import { generatedFilesOf } from "./FileReads.ts"
import type { RevisionWithSources, LocatedRevision, ReadOptions } from "./LocatedRevision.ts"
import * as PresentationOptions from "./PresentationOptions.ts"
import * as RevisionContents from "./RevisionContents.ts"

export const make = Effect.fnUntraced(function* ({ mergedFrom }: Pick<Contents["Service"], "mergedFrom">) {
  const conditions = yield* PageConditions
  const budget = yield* MemoryBudget
  const flights = new SingleFlight<string, Resources.Revision, StorageError>()
  const { withSources, computedContentOf } = yield* RevisionContents.make
  const tagsOf = yield* DefinedTags.make
  const { withFiles, restrictionsOf } = yield* PresentationOptions.make

  const present = Effect.fnUntraced(function* (
    located: LocatedRevision,
    at: RevisionWithSources,
    options?: ReadOptions
  ) {
    const { revision, visitor } = at
    const visibleContent = visitor && (yield* conditions.visibleContent(revision.content, visitor))
    const content = yield* computedContentOf(at, visibleContent, options)
    const make = Effect.gen(function* () {
      const visitorOptions = yield* restrictionsOf(at, visibleContent)
      const tags = yield* tagsOf(revision.content)
      const responsePresentation = { ...(yield* withFiles(at, options)), ...visitorOptions, tags }
      const resource = yield* Presenter.revision(revision, content, responsePresentation)
      const fullResource = { ...resource, files: [...resource.files, ...generatedFilesOf(content)] }
      // Visitors see the merged content, but not the change request.
      const merged = visitor === undefined ? yield* mergedFrom(located) : undefined
      if (merged !== undefined) return { ...fullResource, mergedFrom: merged }
      // If the merged change request is deleted or hidden from this reader, the revision is presented as edits.
      return fullResource.type === "merge" ? { ...fullResource, type: "edits" as const } : fullResource
    })
    return yield* budget.runReserved((yield* content.pageCount) * PresentationOptions.bytesToMakePage, make)
  })

  const revision: Contents["Service"]["revision"] = Effect.fn("Contents.revision")(function* (located, options) {
    const at = yield* withSources(located, options)
    const actor = Context.getOrUndefined(yield* Effect.context<never>(), CurrentActor)
    const { revision, space, visitor, sources, blocks } = at
    // A revision is not cached: its file URLs change with time, and a visitor's file URLs are individual.
    const key = JSON.stringify([space.id, revision.id, options, actor, visitor, sources?.key, blocks?.key])
    return yield* flights.run(key, present(located, at, options))
  })

  return { revision }
})
