/** Reads a revision as a resource: its pages and files, and the change request that it came of. */
import { Effect } from "effect"
import * as Presenter from "../ContentPresenter.ts"
import type { Contents } from "../Contents.ts"
import { PageConditions } from "../pages/PageConditions.ts"
import * as DefinedTags from "../tags/DefinedTags.ts"
import { builtFiles } from "./FileReads.ts"
import * as Presenting from "./Presenting.ts"
import * as ReadRevisions from "./ReadRevisions.ts"

export const make = Effect.fnUntraced(function* ({ mergedFrom }: Pick<Contents["Service"], "mergedFrom">) {
  const conditions = yield* PageConditions
  const { answered, built } = yield* ReadRevisions.make
  const tagsOf = yield* DefinedTags.make
  const { withFiles, toldOf } = yield* Presenting.make

  const revision: Contents["Service"]["revision"] = Effect.fn("Contents.revision")(function* (located, options) {
    const at = yield* answered(located, options)
    const { revision, visitor } = at
    const seen = visitor && (yield* conditions.see(revision.content, visitor))
    const told = yield* toldOf(at, seen)
    const tags = yield* tagsOf(revision.content)
    const shown = { ...(yield* withFiles(at, options)), ...told, tags }
    const content = yield* built(at, seen, options)
    const stored = yield* Presenter.revision(revision, content, shown)
    const presented = { ...stored, files: [...stored.files, ...builtFiles(content)] }
    // Visitors see what was merged, and nothing of the work on it.
    const merged = visitor === undefined ? yield* mergedFrom(located) : undefined
    if (merged !== undefined) return { ...presented, mergedFrom: merged }
    // What it was merged from isn't there (any more) for who reads it.
    return presented.type === "merge" ? { ...presented, type: "edits" as const } : presented
  })

  return { revision }
})
