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
import * as ContentReader from "@lectern/core/content/ContentReader"
import { conflictEntry } from "../import/ConflictEntry.ts"
import * as ContentStaging from "../import/ContentStaging.ts"
import type { ImportProblem } from "../import/Folder.ts"
import * as FolderMerge from "../import/FolderMerge.ts"
import type { ImportReport } from "@lectern/core/exchange/ImportReport"
import * as ImportReports from "../import/ImportReports.ts"
import * as FolderPlan from "../import/FolderPlan.ts"
import { LiveEdits } from "@lectern/core/content/edits/LiveEdits"
import type { Conflict } from "@lectern/core/content/merge/Conflict"
import { type ObjectDraft, Objects } from "@lectern/core/content/store/Objects"
import type { RevisionId, RevisionRow } from "@lectern/core/content/revisions/Revision"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { Storage } from "@lectern/core/storage/Storage"
import * as GuessedLanguage from "../import/GuessedLanguage.ts"
import * as GitFolder from "./GitFolder.ts"
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
  const mergeFolder = yield* FolderMerge.make

  /** Computes the content after the import, and the content of the repository without changes of the space. */
  const computeImport = Effect.fnUntraced(function* (
    space: SpaceId,
    draft: ObjectDraft,
    base: Content,
    plan: FolderPlan.FolderPlan,
    common: GitCommon | undefined,
    force: boolean
  ) {
    const isForced = common === undefined || force
    const merged = yield* mergeFolder(space, { draft, current: base, plan, common, force: isForced })
    const conflictProblems = yield* Effect.forEach(merged.conflicts, (conflict) =>
      describe(draft, merged.content, conflict)
    )
    const problems = [...merged.findings.problems, ...conflictProblems]
    return { ...merged, problems, report: ImportReports.make({ ...merged.findings, problems }) }
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

const describe = Effect.fnUntraced(function* (draft: ObjectDraft, content: Content, conflict: Conflict) {
  const entry = yield* conflictEntry(ContentReader.make(draft, content), conflict)
  const isWhole = conflict.field === "page" || conflict.field === "file" || conflict.field === "reusableContent"
  return {
    path: entry?.git?.path ?? conflict.variable ?? "",
    message: isWhole
      ? "One side removed what the other changed: it stays"
      : "Both sides changed it: it is now what the repository says, and the revision before has what the space said"
  } satisfies ImportProblem
})
