/** The pages of a revision as they are read: with what is computed, and where a visitor reads, those it is shown. */
import { Effect } from "effect"
import { type ComputedContent, ComputedContents } from "../../computed/ComputedContents.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import type { SeenContent } from "../pages/PageConditions.ts"
import { Objects } from "../store/Objects.ts"
import type { Answered, Located, ReadOptions } from "./Located.ts"

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const computedContents = yield* ComputedContents

  /** Integrations are asked where something is to be computed alone. */
  const answered = (at: Located, options?: ReadOptions): Effect.Effect<Answered, StorageError> =>
    at.sources === undefined || options?.computed === false
      ? Effect.succeed(at)
      : Effect.map(at.sources.whole, (sources) => ({ ...at, sources }))

  const built = (
    at: Answered,
    seen: SeenContent | undefined,
    options?: ReadOptions
  ): Effect.Effect<ComputedContent, StorageError> =>
    computedContents.see(
      at.revision.content,
      seen?.reader ?? ContentReader.make(objects, at.revision.content),
      options?.computed === false ? undefined : at.sources,
      seen?.key
    )

  return { answered, built }
})

/** Tells apart the answers that are read of one revision. */
export const keyOf = (at: Answered, seen: SeenContent | undefined, options?: ReadOptions) =>
  [
    at.revision.id,
    options?.metadata ?? true,
    // Who sees all of a page gets it with the conditions in it.
    at.visitor === undefined ? "all" : at.visitor.showsGit ? "shown" : "shown without Git",
    seen?.key ?? "",
    options?.computed ?? true,
    at.sources?.key ?? ""
  ].join(" ")
