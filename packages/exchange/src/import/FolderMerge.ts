/**
 * Imports a folder into a content that may have changed since the last import. Git imports and pushes share it.
 *
 * With the common content of folder and space, the changes of the folder since then are merged with those of the space,
 * by page and block. Without one, the folder wins, and content that only the space has stays.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import type { Conflict } from "@lectern/core/content/merge/Conflict"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import { Ids } from "@lectern/core/identity/Ids"
import { InstalledBlocks } from "@lectern/core/integration/InstalledBlocks"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { Hasher } from "@lectern/core/storage/Hasher"
import * as GitPaths from "../git/GitPaths.ts"
import * as ContentStaging from "./ContentStaging.ts"
import * as FolderImport from "./FolderImport.ts"
import type { FolderPlan } from "./FolderPlan.ts"
import { ImportedSpecs } from "./ImportedSpecs.ts"

/** Common content of folder and space, with the hash of its tree (see `FolderImport.outlineOf`). */
export interface CommonContent {
  readonly content: Content
  readonly outline: string
}

export interface FolderMergeOptions {
  readonly draft: ObjectDraft
  readonly current: Content
  readonly plan: FolderPlan
  readonly common: CommonContent | undefined
  /** True if the folder wins everywhere, even if it did not change. Default: false. */
  readonly force?: boolean
  /** Hash of the tree at the last import, if there is no common content. */
  readonly outline?: string | undefined
}

export interface MergedFolder {
  /** The current content with the paths of the common content. */
  readonly before: Content
  readonly content: Content
  /** The content of the folder, without changes of the space: the next common content. */
  readonly theirs: Content
  readonly outline: string
  readonly conflicts: ReadonlyArray<Conflict>
  readonly findings: FolderImport.ImportReport
  readonly languages: FolderImport.ImportReport["languages"]
}

export const make = Effect.gen(function* () {
  const staging = yield* ContentStaging.make
  const installedBlocks = yield* InstalledBlocks
  const specs = yield* ImportedSpecs
  const services = yield* Effect.context<Ids | Hasher>()

  return Effect.fnUntraced(function* (
    space: SpaceId,
    { draft, current, plan, common, force = false, outline }: FolderMergeOptions
  ) {
    const now = yield* Timestamps.now
    const blobs = staging.blobs()
    const before = common === undefined ? current : yield* GitPaths.withCommon(draft, current, common.content, now)
    const result = yield* FolderImport.apply({
      plan,
      draft,
      now,
      fenced: yield* installedBlocks.fenced(space),
      putBlob: blobs.put,
      allowFile: yield* staging.allowFile(space),
      force,
      ...(common === undefined || force
        ? { content: before, outline: force ? undefined : outline }
        : { content: common.content, outline: common.outline })
    }).pipe(Effect.provideContext(services))
    yield* blobs.flush
    const checkedSpecs = yield* specs.check(space, result.report.specs, false)
    const imported = {
      before,
      outline: result.outline,
      findings: { ...result.report, specs: checkedSpecs.specs },
      languages: result.report.languages
    }
    if (common === undefined || force) {
      const theirs = yield* GitPaths.withPathsOnly(draft, result.content, plan.variables, now)
      return { ...imported, content: result.content, theirs, conflicts: [] } satisfies MergedFolder
    }
    const merged = yield* ContentMerge.merge(draft, { base: common.content, main: before, ours: result.content })
    const theirs = yield* alignPositions(draft, common.content, result.content, merged.content)
    return { ...imported, ...merged, theirs } satisfies MergedFolder
  })
})

/**
 * Returns the content of the folder with its new pages under the slugs and at the positions that they got next to pages
 * of the space. Otherwise the next import would treat them as moved.
 */
const alignPositions = Effect.fnUntraced(function* (
  draft: ObjectDraft,
  before: Content,
  theirs: Content,
  merged: Content
) {
  const formerIds = new Set((yield* ContentReader.make(draft, before).allPages).map(({ id }) => id))
  const editor = ContentEditor.make(draft, theirs, yield* Timestamps.now)
  const addedPages = (yield* editor.allPages).filter(({ id }) => !formerIds.has(id))
  const mergedPages = yield* ContentReader.make(draft, merged).pages(addedPages.map(({ id }) => id))
  const replacedPages = addedPages.flatMap((page, i) => {
    const merged = mergedPages[i]
    if (merged === undefined || merged.parent !== page.parent) return []
    const { slug, position } = merged
    return slug === page.slug && position === page.position ? [] : [[page.id, { ...page, slug, position }] as const]
  })
  if (replacedPages.length === 0) return theirs
  yield* editor.replacePages(new Map(replacedPages))
  return yield* editor.finish
})
