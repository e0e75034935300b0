/**
 * Imports the parts of a folder that are not pages: files, reusable contents, variables, redirects and configuration
 * files.
 */
import { Effect, Result } from "effect"
import { BlobHash } from "@lectern/core/storage/BlobStore"
import { type FileEntry, FileId } from "@lectern/core/content/files/File"
import * as FileType from "@lectern/core/content/files/FileType"
import { redirectKey } from "@lectern/core/content/ContentReader"
import type { GitBlob, PageId } from "@lectern/core/content/pages/Page"
import { type ImportProblem, maxFileBytes } from "./Folder.ts"
import * as FileFields from "./FileFields.ts"
import * as FolderPath from "./FolderPath.ts"
import { type FolderPlan, isReadable } from "./FolderPlan.ts"
import type { ImportRun } from "./ImportRun.ts"

/** Returns the field with the origin, if it is defined. */
const gitField = (git: GitBlob | undefined): { readonly git?: GitBlob } => (git === undefined ? {} : { git })

/** Imports files that pages refer to, assets, and files of earlier imports. */
export const importFiles = Effect.fnUntraced(function* (run: ImportRun) {
  const { added, changed, editor, fileIds, hasher, existingFiles, resolver, plan, problems, removed, unchanged } = run
  const filesToImport = new Map(plan.assets.map((file) => [file.path, file]))
  for (const [path, file] of resolver.referencedFiles) filesToImport.set(path, file)
  for (const [path, entry] of existingFiles) {
    const file = plan.index.file(path)
    if (file !== undefined && file.path === path) filesToImport.set(path, file)
    else {
      yield* editor.removeFile(entry.id)
      removed.add(path)
    }
  }
  for (const [path, source] of filesToImport) {
    if (!FolderPath.isFile(path)) continue
    const existing = existingFiles.get(path)
    if (source.size > maxFileBytes) {
      problems.push({ path, message: `A file of more than ${maxFileBytes / 1024 / 1024} MiB is left out` })
      continue
    }
    const { bytes: readBytes, oid } = yield* run.open(source)
    yield* run.progress(path)
    const name = plan.fileFields.get(path)?.name ?? FolderPath.fileName(path)
    const declaredType = plan.fileFields.get(path)?.contentType
    const hasDeclaredFields = (entry: FileEntry) =>
      !plan.fileFields.has(path) || (name === entry.name && (declaredType ?? entry.contentType) === entry.contentType)
    if (existing?.git?.oid === oid && existing.git.path === path && hasDeclaredFields(existing)) {
      unchanged.add(path)
      continue
    }
    const bytes = yield* readBytes
    const file = {
      name,
      ...FileType.detect(bytes, name),
      ...(declaredType !== undefined && { contentType: declaredType }),
      size: bytes.length
    }
    const allowed = yield* Effect.result(run.allowFile(file))
    if (Result.isFailure(allowed)) {
      problems.push({ path, message: `It is left out: ${allowed.failure.message}` })
      continue
    }
    const blob = BlobHash.make(hasher.sha256(bytes))
    yield* run.putBlob(blob, bytes)
    const id = FileId.make(fileIds.get(path)!)
    yield* editor.putFile({ id, ...file, name: allowed.success, blob, ...gitField(run.gitOf(oid, path)) })
    if (existing === undefined) added.add(path)
    else changed.add(path)
  }
  if (run.cache === undefined) problems.push(...skippedFileProblems(plan, filesToImport))
})

/** Limits of the report on skipped files: folders that are listed, and file names in the sentence of each folder. */
const maxFolders = 1_000
const maxNames = 3

/** Reports files that no page links to and pages that no import reads, grouped by folder. */
const skippedFileProblems = (
  { index, navigation, reusableContents, root, passthroughFiles }: FolderPlan,
  filesToImport: ReadonlyMap<string, unknown>
): ReadonlyArray<ImportProblem> => {
  const start = root === "" ? "" : `${root}/`
  const expectedPaths = new Set([...[...passthroughFiles, ...reusableContents].map(({ path }) => path), ...navigation])
  const files = new Map<string, Array<string>>()
  const pages = new Map<string, Array<string>>()
  for (const { path } of index.files) {
    if (
      !path.startsWith(start) ||
      filesToImport.has(path) ||
      expectedPaths.has(path) ||
      path === start + FileFields.path
    )
      continue
    const isHidden = FolderPath.isInHiddenFolder(path.slice(start.length))
    const isPage = !FolderPath.isFile(path) || FolderPath.isOtherMarkup(path)
    // The report lists pages in another markup individually.
    if (isPage && !isHidden) continue
    const folders = isPage ? pages : files
    const folder = FolderPath.directory(path)
    const folderPaths = folders.get(folder)
    if (folderPaths === undefined) folders.set(folder, [path])
    else folderPaths.push(path)
  }
  const all = [
    ...folderProblems(files, "no page leads to it", "no page leads to them"),
    ...folderProblems(pages, hasNoPages, hasNoPages)
  ]
  const otherPaths = all.slice(maxFolders).flatMap(({ files, path }) => files ?? [path])
  return otherPaths.length === 0
    ? all
    : [
        ...all.slice(0, maxFolders),
        { path: ".", message: `${otherPaths.length} files of other folders are left out`, files: otherPaths }
      ]
}

const hasNoPages = "a folder whose name begins with a dot has no pages"

const folderProblems = (
  folders: ReadonlyMap<string, ReadonlyArray<string>>,
  singularReason: string,
  pluralReason: string
): ReadonlyArray<ImportProblem> =>
  Array.from(folders, ([folder, paths]) => {
    if (paths.length === 1) return { path: paths[0]!, message: `It is left out: ${singularReason}` }
    const names = paths.slice(0, maxNames).map(FolderPath.baseName).join(", ")
    const ellipsis = paths.length > maxNames ? " …" : ""
    const message = `${paths.length} files are left out, since ${pluralReason}: ${names}${ellipsis}`
    return { path: folder === "" ? "." : folder, message, files: paths }
  })

export const importReusableContents = Effect.fnUntraced(function* (run: ImportRun) {
  const { added, changed, contentIds, editor, existingContents, plan, problems, removed, unchanged } = run
  const present = new Set<string>()
  for (const file of plan.reusableContents) {
    if (!isReadable(file)) {
      problems.push({ path: file.path, message: "It is too large to be read and is left out" })
      continue
    }
    present.add(file.path)
    const existing = existingContents.get(file.path)
    const { bytes: readBytes, oid } = yield* run.open(file)
    yield* run.progress(file.path)
    if (existing?.git?.oid === oid && !run.isOutdated(file.path)) {
      if (existing.git.path === file.path) unchanged.add(file.path)
      else {
        yield* editor.putReusableContent({ ...existing, git: { oid, path: file.path } })
        changed.add(file.path)
      }
      continue
    }
    const bytes = yield* readBytes
    const source = yield* run.readPage(bytes, { path: file.path, title: undefined, hidden: false })
    const document = yield* editor.writeDocument(source.document, existing?.document)
    yield* editor.putReusableContent({
      id: contentIds.get(file.path)!,
      title: source.title,
      ...(document !== undefined && { document }),
      ...gitField(run.gitOf(oid, file.path)),
      ...run.sourceField(bytes)
    })
    if (existing === undefined) added.add(file.path)
    else changed.add(file.path)
  }
  for (const [path, { id }] of existingContents) {
    if (present.has(path)) continue
    yield* editor.removeReusableContent(id)
    removed.add(path)
  }
})

export const importRedirects = Effect.fnUntraced(function* ({ onlyAdds, editor, pageIds, plan }: ImportRun) {
  if (onlyAdds) return
  const before = yield* editor.redirects
  const outdated = new Set(before.keys())
  for (const [path, file] of plan.redirects) {
    const page = pageIds.get(file)
    if (page === undefined) continue
    outdated.delete(redirectKey(path))
    if (before.get(redirectKey(path)) !== page) yield* editor.setRedirect(path, page as PageId)
  }
  for (const path of outdated) yield* editor.setRedirect(path, undefined)
})

/** Stores the texts of files that exports write back unchanged. */
export const importPassthroughFiles = Effect.fnUntraced(function* ({
  onlyAdds,
  editor,
  sourceField,
  resolver,
  plan,
  problems,
  read
}: ImportRun) {
  if (onlyAdds) return
  const outdatedPaths = new Set((yield* editor.passthroughFiles).map(({ path }) => path))
  for (const file of plan.passthroughFiles) {
    if (resolver.referencedFiles.has(file.path)) continue
    const bytes = yield* read(file)
    const { source } = sourceField(bytes)
    if (source === undefined || bytes.includes(0))
      problems.push({ path: file.path, message: "It is no text, and is left out" })
    else {
      outdatedPaths.delete(file.path)
      const { path } = file
      yield* editor.putPassthroughFile({ path, source, ...(path === plan.summary && { leftOut: plan.skippedLines }) })
    }
  }
  for (const path of outdatedPaths) yield* editor.removePassthroughFile(path)
})

export const importVariables = Effect.fnUntraced(function* ({ onlyAdds, editor, plan, problems }: ImportRun) {
  if (plan.variables === undefined) return
  const current = yield* editor.variables
  for (const [name, value] of Object.entries(plan.variables)) {
    if (!Object.hasOwn(current, name)) yield* editor.setVariable(name, value)
    else if (current[name] === value) continue
    else if (onlyAdds) problems.push({ path: name, message: "The variable keeps the value that it has here" })
    else yield* editor.setVariable(name, value)
  }
  if (onlyAdds) return
  for (const name of Object.keys(current)) {
    if (!Object.hasOwn(plan.variables, name)) yield* editor.setVariable(name, undefined)
  }
})
