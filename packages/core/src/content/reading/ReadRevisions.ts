/** The pages of a revision as they are read: with what is computed, and where a visitor reads, those it is shown. */
import { Effect } from "effect"
import { type ComputedContent, ComputedContents } from "../../computed/ComputedContents.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import type { AnswerKey } from "../KeptByKind.ts"
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

/**
 * Names what is read, and tells apart the answers that it has in turn. What is published is read under the name of its
 * space, whatever its revision, so an answer goes with the revision after it.
 */
export const keyOf = (at: Answered, seen: SeenContent | undefined, options?: ReadOptions, part = ""): AnswerKey => ({
  name: [
    at.revision.id === at.space.revision ? at.space.id : at.revision.id,
    options?.metadata ?? true,
    // Who sees all of a page gets it with the conditions in it.
    at.visitor === undefined ? "all" : at.visitor.showsGit ? "shown" : "shown without Git",
    seen?.key ?? "",
    options?.computed ?? true,
    // Whoever sees other specs reads other pages.
    at.sources?.key ?? "",
    part
  ].join(" "),
  version: `${at.revision.id} ${at.blocks?.key ?? ""}`
})
