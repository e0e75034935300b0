/**
 * Imports the parts of a folder that are not pages: files, reusable contents, variables, redirects and configuration
 * files.
 */
import { Effect } from "effect"
import { BlobHash } from "../../storage/BlobStore.ts"
import { type FileEntry, FileId } from "../files/File.ts"
import * as FileType from "../files/FileType.ts"
import { redirectKey } from "../ContentReader.ts"
import type { GitBlob, PageId } from "../pages/Page.ts"
import { type ImportProblem, maxFileBytes } from "./Folder.ts"
import * as FileFields from "./FileFields.ts"
import * as FolderPath from "./FolderPath.ts"
import { type FolderPlan, isReadable } from "./FolderPlan.ts"
import type { ImportRun } from "./ImportRun.ts"

/** Returns the field with the origin, if it is defined. */
const asGit = (git: GitBlob | undefined): { readonly git?: GitBlob } => (git === undefined ? {} : { git })

/** Imports files that pages refer to, assets, and files of earlier imports. */
export const importFiles = Effect.fnUntraced(function* (run: ImportRun) {
  const { added, changed, editor, fileIds, hasher, knownFiles, resolver, plan, problems, removed, unchanged } = run
  const wanted = new Map(plan.assets.map((file) => [file.path, file]))
  for (const [path, file] of resolver.referred) wanted.set(path, file)
  for (const [path, entry] of knownFiles) {
    const file = plan.index.file(path)
    if (file !== undefined && file.path === path) wanted.set(path, file)
    else {
      yield* editor.removeFile(entry.id)
      removed.add(path)
    }
  }
  for (const [path, file] of wanted) {
    if (!FolderPath.isFile(path)) continue
    const known = knownFiles.get(path)
    if (file.size > maxFileBytes) {
      problems.push({ path, message: `A file of more than ${maxFileBytes / 1024 / 1024} MiB is left out` })
      continue
    }
    const { bytes, oid } = yield* run.read(file)
    yield* run.progress(path)
    const name = plan.fileFields.get(path)?.name ?? FolderPath.fileName(path)
    const said = plan.fileFields.get(path)?.contentType
    const isSaid = (entry: FileEntry) =>
      !plan.fileFields.has(path) || (name === entry.name && (said ?? entry.contentType) === entry.contentType)
    if (known?.git?.oid === oid && known.git.path === path && isSaid(known)) {
      unchanged.add(path)
      continue
    }
    const blob = BlobHash.make(hasher.sha256(bytes))
    yield* run.putBlob(blob, bytes)
    yield* editor.putFile({
      id: FileId.make(fileIds.get(path)!),
      name,
      ...FileType.detect(bytes, name),
      ...(said !== undefined && { contentType: said }),
      size: bytes.length,
      blob,
      ...asGit(run.gitOf(oid, path))
    })
    if (known === undefined) added.add(path)
    else changed.add(path)
  }
  problems.push(...leftOut(plan, wanted))
})

/** Limits of the report on skipped files: folders that are listed, and file names in the sentence of each folder. */
const maxFolders = 1_000
const maxNames = 3

/** Reports files that no page links to and pages that no import reads, grouped by folder. */
const leftOut = (
  { index, navigation, reusableContents, root, written }: FolderPlan,
  wanted: ReadonlyMap<string, unknown>
): ReadonlyArray<ImportProblem> => {
  const start = root === "" ? "" : `${root}/`
  const known = new Set([...[...written, ...reusableContents].map(({ path }) => path), ...navigation])
  const files = new Map<string, Array<string>>()
  const pages = new Map<string, Array<string>>()
  for (const { path } of index.files) {
    if (!path.startsWith(start) || wanted.has(path) || known.has(path) || path === start + FileFields.path) continue
    const isHidden = FolderPath.isInHiddenFolder(path.slice(start.length))
    const isPage = !FolderPath.isFile(path) || FolderPath.isOtherMarkup(path)
    // The report lists pages in another markup individually.
    if (isPage && !isHidden) continue
    const folders = isPage ? pages : files
    const folder = FolderPath.directory(path)
    const others = folders.get(folder)
    if (others === undefined) folders.set(folder, [path])
    else others.push(path)
  }
  const all = [...named(files, "no page leads to it", "no page leads to them"), ...named(pages, hasNoPages, hasNoPages)]
  const others = all.slice(maxFolders).flatMap(({ files, path }) => files ?? [path])
  return others.length === 0
    ? all
    : [
        ...all.slice(0, maxFolders),
        { path: ".", message: `${others.length} files of other folders are left out`, files: others }
      ]
}

const hasNoPages = "a folder whose name begins with a dot has no pages"

const named = (
  folders: ReadonlyMap<string, ReadonlyArray<string>>,
  one: string,
  many: string
): ReadonlyArray<ImportProblem> =>
  Array.from(folders, ([folder, paths]) => {
    if (paths.length === 1) return { path: paths[0]!, message: `It is left out: ${one}` }
    const names = paths.slice(0, maxNames).map(FolderPath.baseName).join(", ")
    const more = paths.length > maxNames ? " …" : ""
    const message = `${paths.length} files are left out, since ${many}: ${names}${more}`
    return { path: folder === "" ? "." : folder, message, files: paths }
  })

export const importReusableContents = Effect.fnUntraced(function* (run: ImportRun) {
  const { added, changed, contentIds, editor, knownContents, plan, problems, removed, unchanged } = run
  const present = new Set<string>()
  for (const file of plan.reusableContents) {
    if (!isReadable(file)) {
      problems.push({ path: file.path, message: "It is too large to be read and is left out" })
      continue
    }
    present.add(file.path)
    const known = knownContents.get(file.path)
    const { bytes, oid } = yield* run.read(file)
    yield* run.progress(file.path)
    if (known?.git?.oid === oid) {
      if (known.git.path === file.path) unchanged.add(file.path)
      else {
        yield* editor.putReusableContent({ ...known, git: { oid, path: file.path } })
        changed.add(file.path)
      }
      continue
    }
    const source = yield* run.readPage(bytes, { path: file.path, title: undefined, hidden: false })
    const document = yield* editor.writeDocument(source.document, known?.document)
    yield* editor.putReusableContent({
      id: contentIds.get(file.path)!,
      title: source.title,
      ...(document !== undefined && { document }),
      ...asGit(run.gitOf(oid, file.path)),
      ...run.keep(bytes)
    })
    if (known === undefined) added.add(file.path)
    else changed.add(file.path)
  }
  for (const [path, { id }] of knownContents) {
    if (present.has(path)) continue
    yield* editor.removeReusableContent(id)
    removed.add(path)
  }
})

export const importRedirects = Effect.fnUntraced(function* ({ adds, editor, pageIds, plan }: ImportRun) {
  if (adds) return
  const before = yield* editor.redirects
  const left = new Set(before.keys())
  for (const [path, file] of plan.redirects) {
    const page = pageIds.get(file)
    if (page === undefined) continue
    left.delete(redirectKey(path))
    if (before.get(redirectKey(path)) !== page) yield* editor.setRedirect(path, page as PageId)
  }
  for (const path of left) yield* editor.setRedirect(path, undefined)
})

/** Stores the texts of files that exports write back unchanged. */
export const importWritten = Effect.fnUntraced(function* ({
  adds,
  editor,
  keep,
  resolver,
  plan,
  problems,
  read
}: ImportRun) {
  if (adds) return
  const before = new Set((yield* editor.written).map(({ path }) => path))
  for (const file of plan.written) {
    if (resolver.referred.has(file.path)) continue
    const { bytes } = yield* read(file)
    const { source } = keep(bytes)
    if (source === undefined || bytes.includes(0))
      problems.push({ path: file.path, message: "It is no text, and is left out" })
    else {
      before.delete(file.path)
      const { path } = file
      yield* editor.putWritten({ path, source, ...(path === plan.summary && { leftOut: plan.leftOut }) })
    }
  }
  for (const path of before) yield* editor.removeWritten(path)
})

export const importVariables = Effect.fnUntraced(function* ({ adds, editor, plan, problems }: ImportRun) {
  if (plan.variables === undefined) return
  const known = yield* editor.variables
  for (const [name, value] of Object.entries(plan.variables)) {
    if (!Object.hasOwn(known, name)) yield* editor.setVariable(name, value)
    else if (known[name] === value) continue
    else if (adds) problems.push({ path: name, message: "The variable keeps the value that it has here" })
    else yield* editor.setVariable(name, value)
  }
  if (adds) return
  for (const name of Object.keys(known)) {
    if (!Object.hasOwn(plan.variables, name)) yield* editor.setVariable(name, undefined)
  }
})
