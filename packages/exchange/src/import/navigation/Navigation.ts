/**
 * Reads the navigation of a folder without `SUMMARY.md` from another program's files: `docs.json` or `mint.json` of
 * Mintlify, `mkdocs.yml`, `toc.yaml` of Microsoft, Google and Jupyter Book, or the sidebars in scripts (see `Scripts`).
 * The first file that names a page of the folder wins.
 *
 * Limits: files of 1 MiB, 100 files that include one another, 50,000 entries, 32 levels.
 */
import { Effect, Result } from "effect"
import * as YamlText from "@lectern/document/YamlText"
import type { FolderFile, FolderUnreadable, ImportProblem } from "../Folder.ts"
import type { FolderIndex } from "../FolderIndex.ts"
import * as FolderPath from "../FolderPath.ts"
import * as Mintlify from "./Mintlify.ts"
import * as MkDocs from "./MkDocs.ts"
import { isRecord, type NavigationEntry } from "./NavigationEntry.ts"
import * as DocumentIds from "./DocumentIds.ts"
import * as Scripts from "./Scripts.ts"
import * as TocYaml from "./TocYaml.ts"

const maxBytes = 1024 * 1024
const maxIncluded = 100

export interface Navigation {
  readonly file: FolderFile
  /** Paths of the files that the navigation was read from. */
  readonly files: ReadonlyArray<string>
  readonly entries: ReadonlyArray<NavigationEntry>
}

const names = [
  "docs.json",
  "mint.json",
  "mkdocs.yml",
  "mkdocs.yaml",
  "toc.yaml",
  "toc.yml",
  "_toc.yaml",
  "_toc.yml",
  "docs/docs.json",
  "docs/mint.json",
  "docs/toc.yaml",
  "docs/toc.yml",
  "docs/_toc.yaml",
  "docs/_toc.yml",
  ...Scripts.paths
]

interface Options {
  readonly index: FolderIndex
  readonly root: string
  readonly problems: Array<ImportProblem>
}

type NavigationEffect = Effect.Effect<Navigation | undefined, FolderUnreadable>

/** Returns the folder's first readable navigation that names a page. Undefined if no navigation does. */
export const find = Effect.fnUntraced(function* (
  options: Options
): Effect.fn.Return<Navigation | undefined, FolderUnreadable> {
  const { index, root } = options
  for (const name of names) {
    const file = index.file(root === "" ? name : `${root}/${name}`)
    const navigation = file === undefined ? undefined : yield* read(file, options)
    if (navigation !== undefined && hasPage(navigation.entries, index)) return navigation
  }
  return undefined
})

const read = (file: FolderFile, options: Options): NavigationEffect => {
  const name = FolderPath.baseName(file.path).toLowerCase()
  if (Scripts.formatOf(file.path) !== undefined) return script(file, options)
  if (name.endsWith(".json")) return mintlify(file, options)
  return name.startsWith("mkdocs.") ? mkDocs(file, options) : toc(file, options)
}

const decoder = new TextDecoder()

/** Parses a file as JSON or YAML; undefined if the file is invalid or too large, which is reported as a problem. */
const parseFile = Effect.fnUntraced(function* (file: FolderFile, { problems }: Options) {
  const report = (message: string) =>
    void problems.push({
      path: file.path,
      rule: "invalid-navigation",
      message: `The navigation is not read: ${message}`
    })
  if (file.size > maxBytes) return report(`it is larger than ${maxBytes / 1024 / 1024} MiB`)
  const text = decoder.decode(yield* file.bytes())
  if (file.path.endsWith(".json")) {
    try {
      return JSON.parse(text) as unknown
    } catch {
      return report("it is no JSON")
    }
  }
  const value = YamlText.parseYaml(text)
  return Result.isFailure(value) ? report(value.failure) : value.success
})

const mintlify = Effect.fnUntraced(function* (
  file: FolderFile,
  options: Options
): Effect.fn.Return<Navigation | undefined, FolderUnreadable> {
  const config = yield* parseFile(file, options)
  const entries = isRecord(config) ? Mintlify.read(config) : undefined
  return (
    entries && {
      file,
      files: [file.path],
      entries: resolvePaths(entries, FolderPath.directory(file.path), options.index)
    }
  )
})

const script = Effect.fnUntraced(function* (
  file: FolderFile,
  options: Options
): Effect.fn.Return<Navigation | undefined, FolderUnreadable> {
  const { index, problems } = options
  if (file.size > maxBytes) return undefined
  const entries = Scripts.read(decoder.decode(yield* file.bytes()), file.path)
  if (entries === "code")
    problems.push({
      path: file.path,
      rule: "invalid-navigation",
      message: "The navigation is not read, because it is code and not only data: the files are the tree of pages"
    })
  if (entries === undefined || entries === "code") return undefined
  const ownFolder = FolderPath.directory(file.path)
  for (const name of Scripts.formatOf(file.path)!.folders) {
    const folder = FolderPath.join(ownFolder, name)
    if (folder === undefined) continue
    const ids = yield* DocumentIds.read(index.files, folder)
    const resolvedEntries = resolvePaths(entries, folder, index, ids)
    if (hasPage(resolvedEntries, index)) return { file, files: [file.path], entries: resolvedEntries }
  }
  return undefined
})

const mkDocs = Effect.fnUntraced(function* (
  file: FolderFile,
  options: Options
): Effect.fn.Return<Navigation | undefined, FolderUnreadable> {
  const config = yield* parseFile(file, options)
  const mkDocsEntries = isRecord(config) ? MkDocs.read(config) : undefined
  if (mkDocsEntries === undefined) return undefined
  const folder = FolderPath.join(FolderPath.directory(file.path), mkDocsEntries.folder) ?? ""
  return { file, files: [file.path], entries: resolvePaths(mkDocsEntries.entries, folder, options.index) }
})

/** Reads the file and the files that it includes, each once. */
const toc = Effect.fnUntraced(function* (
  file: FolderFile,
  options: Options
): Effect.fn.Return<Navigation | undefined, FolderUnreadable> {
  const { index } = options
  const texts = new Map<string, unknown>()
  const pending = [file]
  for (let next = pending.pop(); next !== undefined && texts.size < maxIncluded; next = pending.pop()) {
    if (texts.has(next.path)) continue
    const value = yield* parseFile(next, options)
    texts.set(next.path, value)
    for (const path of includedIn(value)) {
      const includedFile = tocAt(index, FolderPath.directory(next.path), path)
      if (includedFile !== undefined) pending.push(includedFile)
    }
    yield* Effect.yieldNow
  }
  const includedPaths = new Set<string>()
  const entriesOf = (path: string): ReadonlyArray<NavigationEntry> | undefined => {
    if (includedPaths.has(path) || !texts.has(path)) return undefined
    includedPaths.add(path)
    const folder = FolderPath.directory(path)
    const entries = TocYaml.read(texts.get(path), (name) => {
      const includedFile = tocAt(index, folder, name)
      return includedFile && entriesOf(includedFile.path)?.map((entry) => ({ ...entry, isResolved: true }))
    })
    return entries && resolvePaths(entries, folder, index)
  }
  const entries = entriesOf(file.path)
  return entries && { file, files: [...includedPaths], entries }
})

const tocAt = (index: FolderIndex, folder: string, name: string): FolderFile | undefined => {
  const candidates = name.startsWith("/") ? candidatePaths(name, folder) : [FolderPath.join(folder, name)]
  return candidates
    .map((path) => (path === undefined ? undefined : tocOf(index, path, name)))
    .find((one) => one !== undefined)
}

const tocOf = (index: FolderIndex, path: string, name: string): FolderFile | undefined => {
  if (!name.endsWith("/")) return index.file(path)
  for (const fileName of ["toc.yml", "toc.yaml", "_toc.yml", "_toc.yaml"]) {
    const tocFile = index.file(path === "" ? fileName : `${path}/${fileName}`)
    if (tocFile !== undefined) return tocFile
  }
  return undefined
}

/** Returns the strings of a file that name other toc files. */
const includedIn = (value: unknown): ReadonlyArray<string> => {
  const tocNames: Array<string> = []
  const pendingValues: Array<unknown> = [value]
  for (
    let next = pendingValues.pop();
    next !== undefined && tocNames.length < maxIncluded;
    next = pendingValues.pop()
  ) {
    if (typeof next === "string") {
      if (TocYaml.isToc(next)) tocNames.push(next)
    } else if (Array.isArray(next)) for (const item of next) pendingValues.push(item)
    else if (isRecord(next)) for (const name in next) pendingValues.push(next[name])
  }
  return tocNames
}

/**
 * Returns the entries with page paths relative to the imported folder. Entries of included files already have such
 * paths.
 */
const resolvePaths = (
  entries: ReadonlyArray<NavigationEntry & { readonly isResolved?: boolean }>,
  folder: string,
  index: FolderIndex,
  /** Paths of pages by id. Default: pages have no ids. */
  ids?: ReadonlyMap<string, string>
): ReadonlyArray<NavigationEntry> =>
  entries.map((entry) =>
    entry.isResolved === true
      ? entry
      : {
          ...entry,
          path: entry.path === undefined ? undefined : (ids?.get(entry.path) ?? pathOf(entry.path, folder, index)),
          ...(entry.folder !== undefined && { folder: FolderPath.join(folder, entry.folder) ?? folder }),
          children: resolvePaths(entry.children, folder, index, ids)
        }
  )

/**
 * Returns the path of a page. A path from `/` starts at the root of the published site: the folder or one of its
 * parents.
 */
const pathOf = (path: string, folder: string, index: FolderIndex): string => {
  const first = FolderPath.join(folder, path, folder) ?? path
  if (!path.startsWith("/") || index.page(first) !== undefined) return first
  return candidatePaths(path, folder).find((path) => path !== "" && index.page(path) !== undefined) ?? first
}

/**
 * Returns the candidate paths for a path from `/`: without up to two leading segments, each from the imported folder
 * and from the navigation's folder.
 */
const candidatePaths = (path: string, folder: string): ReadonlyArray<string> => {
  const names = (FolderPath.normalize(path) ?? "").split("/")
  return [0, 1, 2].flatMap((from) => {
    const rest = names.slice(from).join("/")
    return from >= names.length ? [] : [rest, FolderPath.join(folder, rest) ?? rest]
  })
}

const hasPage = (entries: ReadonlyArray<NavigationEntry>, index: FolderIndex): boolean =>
  entries.some(
    ({ children, folder, path }) =>
      (path !== undefined && index.page(path) !== undefined) ||
      (folder !== undefined && index.hasPageIn(folder)) ||
      hasPage(children, index)
  )
