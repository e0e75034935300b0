/**
 * Imports a branch into a space, as at most one revision.
 *
 * In the first import the repository wins, and content that only the space has stays. In later imports the changes of
 * the repository since the last synchronization are merged with those of the space, by page and block. If both changed
 * the same part, the repository wins and the operation reports a problem. Edits that are not exported yet stay for the
 * next export.
 *
 * A `standalone` import creates the revision without changing the space, for example to preview a branch before its
 * merge.
 */
import { Effect, Equal } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as ContentStaging from "../import/ContentStaging.ts"
import type { ImportProblem } from "../import/Folder.ts"
import * as FolderImport from "../import/FolderImport.ts"
import { ImportedSpecs } from "../import/ImportedSpecs.ts"
import type { ImportReport } from "@lectern/core/exchange/ImportReport"
import * as ImportReports from "../import/ImportReports.ts"
import * as FolderPlan from "../import/FolderPlan.ts"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import type { Conflict } from "@lectern/core/content/merge/Conflict"
import * as ContentMerge from "@lectern/core/content/merge/ContentMerge"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import type { RevisionId, RevisionRow } from "@lectern/core/content/revisions/Revision"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import { Ids } from "@lectern/core/identity/Ids"
import { InstalledBlocks } from "@lectern/core/integration/InstalledBlocks"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { Storage } from "@lectern/core/storage/Storage"
import * as GuessedLanguage from "../import/GuessedLanguage.ts"
import { Hasher } from "@lectern/core/storage/Hasher"
import * as GitFolder from "./GitFolder.ts"
import * as GitPaths from "./GitPaths.ts"
import { type GitBranch, GitFailed } from "./GitRemote.ts"
import { isExported } from "./GitHistory.ts"
import type { GitCommon, GitTask } from "@lectern/core/exchange/GitSyncRow"
import { commitOf } from "./GitUrl.ts"

export interface GitResult {
  /** Common content of space and repository after the operation. Undefined if the space does not store it. */
  readonly common: GitCommon | undefined
  /** The commit that was imported, or that contains the export. Undefined if no commit was needed. */
  readonly commit: string | undefined
  /** The revision that was imported or exported. */
  readonly revision: RevisionId
  readonly problems: ReadonlyArray<ImportProblem>
  /** Absent if nothing was imported. */
  readonly report?: ImportReport
}

/** `common`: common content of space and repository before the import, for this folder. */
export const make = Effect.gen(function* () {
  const storage = yield* Storage
  const objects = yield* Objects
  const edits = yield* LiveEdits
  const policy = yield* SpacePolicy
  const revisions = yield* Revisions
  const staging = yield* ContentStaging.make
  const installedBlocks = yield* InstalledBlocks
  const specs = yield* ImportedSpecs
  const services = yield* Effect.context<Ids | Hasher>()

  /** Computes the content after the import, and the content of the repository without changes of the space. */
  const computeImport = Effect.fnUntraced(function* (
    space: SpaceId,
    draft: ObjectDraft,
    base: Content,
    plan: FolderPlan.FolderPlan,
    common: GitCommon | undefined,
    force: boolean
  ) {
    const now = yield* Timestamps.now
    const blobs = staging.blobs()
    const before = common === undefined ? base : yield* GitPaths.withCommon(draft, base, common.content, now)
    const fencedBlocks = yield* installedBlocks.fenced(space)
    const allowFile = yield* staging.allowFile(space)
    const importOptions = { plan, draft, now, fenced: fencedBlocks, putBlob: blobs.put, allowFile }
    const result = yield* FolderImport.apply(
      common === undefined || force
        ? { ...importOptions, content: before, outline: undefined, force: true }
        : { ...importOptions, content: common.content, outline: common.outline }
    ).pipe(Effect.provideContext(services))
    yield* blobs.flush
    const { languages } = result.report
    const { outline } = result
    const checkedSpecs = yield* specs.check(space, result.report.specs, false)
    const findings = { ...result.report, specs: checkedSpecs.specs }
    const { problems } = findings
    if (common === undefined || force) {
      const repositoryContent = yield* GitPaths.withPathsOnly(draft, result.content, plan.variables, now)
      const report = ImportReports.make(findings)
      return { before, content: result.content, theirs: repositoryContent, outline, problems, report, languages }
    }
    const mergeResult = yield* ContentMerge.merge(draft, { base: common.content, main: before, ours: result.content })
    const conflictProblems = yield* Effect.forEach(mergeResult.conflicts, (conflict) =>
      describe(draft, mergeResult.content, conflict)
    )
    const theirs = yield* alignPositions(draft, common.content, result.content, mergeResult.content)
    const allProblems = [...problems, ...conflictProblems]
    const report = ImportReports.make({ ...findings, problems: allProblems })
    return { before, content: mergeResult.content, theirs, outline, problems: allProblems, report, languages }
  })

  return Effect.fn("GitImport.import")(function* (
    space: SpaceId,
    task: GitTask,
    branch: GitBranch,
    common: GitCommon | undefined
  ) {
    const { head } = branch
    const { url, ref, directory, force = false, standalone = false } = task
    if (head === undefined) {
      return yield* new GitFailed({ reason: "not-found", message: `The repository has no branch ${ref}` })
    }
    if (branch.files.length === 0) {
      const where = directory === "" ? ref : `${directory} of ${ref}`
      return yield* new GitFailed({ reason: "not-found", message: `There is nothing to import in ${where}` })
    }
    if (common?.commit === head.oid && !force && !standalone) {
      return { common, commit: head.oid, revision: common.revision, problems: [] } satisfies GitResult
    }
    const layout = yield* GitFolder.layoutOf(branch)
    const plan = yield* FolderPlan.make(GitFolder.folderOf(branch, layout))

    const commitURL = commitOf(task, head.oid)
    const git = {
      oid: head.oid,
      message: head.message,
      createdByService: isExported(head.message),
      ref,
      ...(commitURL !== undefined && { url: commitURL })
    }

    /** Creates a revision that is not part of the history of the space. */
    const standaloneRevision = Effect.gen(function* () {
      const { space: owner } = yield* policy.require(space, "synchronise this space with Git")
      const base = yield* revisions.get(owner.revision)
      const draft = objects.draft()
      const { content, problems, report } = yield* computeImport(space, draft, base.content, plan, common, force)
      yield* staging.putObjects(draft)
      const createdAt = yield* Timestamps.now
      const { id: revisionId } = yield* revisions.insert({
        space,
        parents: [base.id],
        type: "edits",
        content,
        createdAt,
        git
      })
      return { common: undefined, commit: head.oid, revision: revisionId, problems, report } satisfies GitResult
    })

    const attempt = Effect.fnUntraced(function* (base: RevisionRow) {
      const draft = objects.draft()
      const { before, content, theirs, outline, problems, report, languages } = yield* computeImport(
        space,
        draft,
        base.content,
        plan,
        common,
        force
      )
      yield* staging.putObjects(draft)
      const revision = Equal.equals(before, content) ? base : yield* edits.commit({ base, draft, content, git })
      yield* GuessedLanguage.storeGuessedLanguage(storage, space, languages)
      return {
        common: {
          url,
          ref,
          directory,
          commit: head.oid,
          content: theirs,
          outline,
          revision: revision.id,
          ...(!Equal.equals(content, theirs) && { ahead: true })
        },
        commit: head.oid,
        revision: revision.id,
        problems,
        report
      } satisfies GitResult
    })
    if (standalone) return yield* standaloneRevision
    return yield* edits.retry(space, attempt)
  })
})

/**
 * Returns the repository's content with its new pages under the slugs and at the positions that they got next to pages
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

const describe = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content, conflict: Conflict) {
  const reader = ContentReader.make(draft, content)
  const entry =
    conflict.page !== undefined
      ? yield* reader.page(conflict.page)
      : conflict.file !== undefined
        ? yield* reader.file(conflict.file)
        : conflict.reusableContent !== undefined
          ? yield* reader.reusableContent(conflict.reusableContent)
          : undefined
  const isWhole = conflict.field === "page" || conflict.field === "file" || conflict.field === "reusableContent"
  return {
    path: entry?.git?.path ?? conflict.variable ?? "",
    message: isWhole
      ? "One side removed what the other changed: it stays"
      : "Both sides changed it: it is now what the repository says, and the revision before has what the space said"
  } satisfies ImportProblem
})
