/**
 * Exports a space to a branch, as commits on top of the branch (see `GitHistory`). Files that did not change in the
 * space keep their bytes, and files that are not part of the space stay.
 *
 * A branch with commits since the last synchronization must be imported first. With `force`, the space's version goes
 * on top of the branch as one commit. This also applies to a branch that was never imported and has other content in a
 * file of the space, unless its last commit is an export of this space. No commit of a branch is ever lost.
 *
 * If a file of a revision conflicts with a path in the branch, that revision is included in the commit of the next one.
 * The export fails only if the newest revision has such a conflict.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as FolderExport from "../export/FolderExport.ts"
import { PreviousExport } from "../export/PreviousExport.ts"
import * as ContentStaging from "../import/ContentStaging.ts"
import type { ImportProblem } from "../import/Folder.ts"
import * as GitBlobId from "../import/GitBlobId.ts"
import { Objects } from "@lectern/core/content/store/Objects"
import { Revisions } from "@lectern/core/content/revisions/Revisions"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import type { SpaceId } from "@lectern/core/space/Space"
import { SpacePolicy } from "@lectern/core/space/SpacePolicy"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Threads } from "@lectern/core/thread/Threads"
import * as GitFolder from "./GitFolder.ts"
import * as GitHistory from "./GitHistory.ts"
import type { GitResult } from "./GitImport.ts"
import * as GitPaths from "./GitPaths.ts"
import { type GitBranch, GitFailed } from "./GitRemote.ts"
import type { GitCommon, GitTask } from "@lectern/core/exchange/GitSyncRow"

interface CommonContent {
  /** The content that space and branch have in common; undefined for none. */
  readonly common?: GitCommon | undefined
  /** The common content before the branch changed, if the changes of the branch are to be replaced. */
  readonly former?: GitCommon | undefined
}

/** Parts of the target folder that determine paths. */
interface ExportFolder {
  readonly summary: string | undefined
  readonly reservedPaths: ReadonlyArray<string>
}

/** Determines the common content of space and branch. Fails if the branch has commits that were not imported. */
const commonContent = (
  task: GitTask,
  branch: GitBranch,
  commonContents: ReadonlyArray<GitCommon>
): Effect.Effect<CommonContent, GitFailed> => {
  const [formerContent] = commonContents
  if (task.standalone === true || formerContent === undefined) return Effect.succeed({})
  const commonContentOfHead = commonContents.find(({ commit }) => commit === branch.head?.oid)
  if (commonContentOfHead !== undefined) return Effect.succeed({ common: commonContentOfHead })
  if (task.force === true) return Effect.succeed({ former: formerContent })
  return Effect.fail(
    new GitFailed({
      reason: "moved",
      message:
        branch.head === undefined
          ? `The branch ${task.ref} is gone from the repository`
          : `The branch ${task.ref} has commits that were not imported: import them first`
    })
  )
}

const maxNamed = 5

const neverImportedError = (ref: string, paths: ReadonlyArray<string>): GitFailed => {
  const names = paths.slice(0, maxNamed).join(", ")
  const more = paths.length > maxNamed ? ` and ${paths.length - maxNamed} more` : ""
  const message = `The branch ${ref} was never imported, and the export would replace files of it: ${names}${more}. Import it first, or export with force`
  return new GitFailed({ reason: "moved", message })
}

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const hasher = yield* Hasher
  const blobs = yield* BlobStore
  const policy = yield* SpacePolicy
  const revisions = yield* Revisions
  const history = yield* GitHistory.make
  const staging = yield* ContentStaging.make
  const threads = yield* Threads

  /**
   * Returns a function that serializes a content for one export, and calls `onChange` for each file whose bytes differ
   * from `filesBefore`. Files that are equal to the last serialization are not serialized again, so that the cost of a
   * revision depends only on its changes.
   */
  const makeSerializer = (space: SpaceId) => {
    const previous = new PreviousExport()
    const lastFiles = new Map<string, { readonly oid: string; readonly text?: Uint8Array }>()
    return Effect.fnUntraced(function* (
      content: Content,
      { summary, reservedPaths }: ExportFolder,
      filesBefore: ReadonlyMap<string, string>,
      onChange: (path: string, bytes: Uint8Array, oid: string) => Effect.Effect<void, GitFailed>
    ) {
      const oids = new Map<string, string>()
      const texts = new Map<string, Uint8Array>()
      const record = (path: string, { oid, text }: { readonly oid: string; readonly text?: Uint8Array }) => {
        oids.set(path, oid)
        if (text !== undefined) texts.set(path, text)
      }
      const { problems } = yield* FolderExport.run({
        content: ContentReader.make(objects, content),
        space,
        blob: blobs.get,
        summary,
        reservedPaths,
        threads,
        incremental: {
          previous,
          canSkip: (path) => {
            const previousFile = lastFiles.get(path)
            if (previousFile === undefined || filesBefore.get(path) !== previousFile.oid) return false
            record(path, previousFile)
            return true
          }
        },
        write: Effect.fnUntraced(function* (path, bytes) {
          const oid = GitBlobId.gitBlobId(hasher, bytes)
          const isRetained = GitPaths.affectsImport(path) || path === summary
          lastFiles.set(path, { oid, ...(isRetained && { text: bytes }) })
          record(path, lastFiles.get(path)!)
          if (filesBefore.get(path) !== oid) yield* onChange(path, bytes, oid)
        })
      })
      return { oids, texts, summary, reservedPaths, problems }
    })
  }
  const noChange = () => Effect.void

  /**
   * Returns the last synchronized content as the current state of the branch. A file that changed in the branch after
   * that synchronization has the id "", so that the export writes it.
   */
  const asBranchContent = Effect.fnUntraced(function* (
    print: ReturnType<typeof makeSerializer>,
    { content }: GitCommon,
    folder: ExportFolder,
    branchFiles: ReadonlyMap<string, string>
  ) {
    const serialized = yield* print(content, folder, new Map(), noChange)
    const { pages, files, reusableContents } = yield* GitPaths.pathsOf(objects, content)
    const syncedOids = new Map(
      [pages, files, reusableContents].flatMap((paths) => Array.from(paths.values(), ({ path, oid }) => [path, oid]))
    )
    const isSame = (path: string) => syncedOids.has(path) && syncedOids.get(path) === branchFiles.get(path)
    const oids = new Map(Array.from(serialized.oids, ([path, oid]) => [path, isSame(path) ? oid : ""]))
    return { ...serialized, oids }
  })

  /** Returns true if the last commit of a branch is an export of the space. */
  const isOfSpace = Effect.fnUntraced(function* (space: SpaceId, { head }: GitBranch) {
    const revision = GitHistory.revisionIn(head?.message ?? "")
    if (revision === undefined) return false
    return yield* revisions.find(space, revision).pipe(
      Effect.as(true),
      Effect.catchTag("RevisionNotFound", () => Effect.succeed(false))
    )
  })

  return Effect.fn("GitExport.export")(function* (
    id: SpaceId,
    task: GitTask,
    branch: GitBranch,
    commonContents: ReadonlyArray<GitCommon>,
    /** Called before the push with the content that space and branch have in common after the push. */
    pushing: (common: GitCommon) => Effect.Effect<void, StorageError>
  ) {
    const { space } = yield* policy.require(id, "synchronise this space with Git")
    const latestRevision = yield* revisions.get(space.revision)
    const { common, former } = yield* commonContent(task, branch, commonContents)
    if (common !== undefined && common.revision === latestRevision.id && common.ahead !== true) {
      return { common, commit: common.commit, revision: latestRevision.id, problems: [] } satisfies GitResult
    }
    const layout = yield* GitFolder.layoutOf(branch)
    const { prefix, summary } = layout
    const branchFiles = new Map(GitFolder.filesOf(branch, layout).map(({ path, oid }) => [path, oid]))
    const skippedPaths = branch.problems.flatMap(({ path }) =>
      path.startsWith(prefix) ? [path.slice(prefix.length)] : []
    )
    let folder: ExportFolder = { summary, reservedPaths: skippedPaths }

    const pages = yield* ContentReader.make(objects, latestRevision.content).pageCount
    const steps = yield* history(latestRevision, common, { message: task.message ?? "", pages })
    const print = makeSerializer(id)
    let exported: GitPaths.Exported & { readonly problems: ReadonlyArray<ImportProblem> } =
      common !== undefined
        ? yield* print(common.content, folder, new Map(), noChange)
        : former !== undefined
          ? yield* asBranchContent(print, former, folder, branchFiles)
          : { oids: new Map(), texts: new Map(), ...folder, problems: [] }
    if (common !== undefined) {
      const { oids } = exported
      folder = { summary, reservedPaths: [...skippedPaths, ...branchFiles.keys().filter((path) => !oids.has(path))] }
    }
    let commit = branch.head?.oid
    let isChanged = false
    const isFirst = commonContents.length === 0 && task.force !== true && task.standalone !== true
    const mayReplace = !isFirst || (yield* isOfSpace(id, branch))
    const replacedPaths: Array<string> = []
    const exportedFiles = new Map(exported.oids)
    /** Writes a content to the branch. Returns the first error of a file that the branch does not accept. */
    const writeContent = Effect.fnUntraced(function* (content: Content) {
      let firstError: GitFailed | undefined
      exported = yield* print(content, folder, exportedFiles, (path, bytes, oid) => {
        if (!mayReplace && branchFiles.has(path) && branchFiles.get(path) !== oid) replacedPaths.push(path)
        return branch.write(prefix + path, bytes).pipe(
          Effect.andThen(
            Effect.sync(() => {
              exportedFiles.set(path, oid)
              branchFiles.set(path, oid)
            })
          ),
          Effect.catchIf(
            ({ reason }) => reason === "failed",
            (error) => Effect.sync(() => void (firstError ??= error))
          )
        )
      })
      for (const path of [...exportedFiles.keys()].filter((path) => !exported.oids.has(path))) {
        exportedFiles.delete(path)
        branchFiles.delete(path)
        yield* branch.remove(prefix + path)
      }
      return firstError
    })
    for (const [i, { revision, commit: wanted }] of steps.entries()) {
      const writeError = yield* writeContent(revision.content)
      if (writeError !== undefined) {
        if (i < steps.length - 1) continue
        return yield* writeError
      }
      if (replacedPaths.length > 0) return yield* neverImportedError(task.ref, replacedPaths)
      const newCommit = yield* branch.commit(wanted)
      if (newCommit === undefined) continue
      commit = newCommit
      isChanged = true
    }
    const { problems } = exported
    if (task.standalone === true || commit === undefined) {
      if (isChanged) yield* branch.push
      return { common: undefined, commit, revision: latestRevision.id, problems } satisfies GitResult
    }
    const draft = objects.draft()
    const { paths, outline } = yield* GitPaths.pathsOfExport(
      draft,
      hasher,
      latestRevision.content,
      exported,
      branchFiles
    )
    const content = yield* GitPaths.withPaths(draft, latestRevision.content, paths, yield* Timestamps.now)
    yield* staging.putObjects(draft)
    const { url, ref, directory } = task
    const commonAfter: GitCommon = { url, ref, directory, commit, content, outline, revision: latestRevision.id }
    if (isChanged) {
      yield* pushing(commonAfter)
      yield* branch.push
    }
    return { common: commonAfter, commit, revision: latestRevision.id, problems } satisfies GitResult
  })
})
