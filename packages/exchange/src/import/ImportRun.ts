/**
 * State of an import: the edited content, the data read, and the report. All steps of an import share it.
 */
import { LanguageGuess } from "./LanguageGuess.ts"
import { Effect } from "effect"
import { Ids } from "@lectern/core/identity/Ids"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { BlobHash } from "@lectern/core/storage/BlobStore"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { FencedBlock } from "@lectern/document/integration-blocks/BlockOrigin"
import type { Threads } from "@lectern/core/thread/Threads"
import type { Timestamp } from "@lectern/core/schema/Text"
import type { Content, ReusableContentEntry } from "@lectern/core/content/Content"
import * as ContentEditor from "@lectern/core/content/edits/ContentEditor"
import type {
  ContentLimitReached,
  ContentPageNotFound,
  PageCycle,
  SlugTaken
} from "@lectern/core/content/edits/ContentErrors"
import type { FileEntry } from "@lectern/core/content/files/File"
import type { RefusedByHost } from "@lectern/core/hook/BeforeHooks"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import * as SourceText from "@lectern/core/content/documents/SourceText"
import type { ObjectHash } from "@lectern/core/storage/ObjectStore"
import type { GitBlob, PageEntry } from "@lectern/core/content/pages/Page"
import { type FolderFile, FolderTooLarge, type FolderUnreadable, type ImportProblem, maxFolderBytes } from "./Folder.ts"
import { ImportedFindings } from "./ImportedFindings.ts"
import { FolderResolver } from "./FolderResolver.ts"
import * as FolderPath from "./FolderPath.ts"
import * as GitBlobId from "./GitBlobId.ts"
import * as ImportCache from "./ImportCache.ts"
import type { ImportRule } from "./ImportRules.ts"
import { type FolderPlan, isReadable } from "./FolderPlan.ts"
import * as PageFields from "./PageFields.ts"
import type * as PageSource from "./PageSource.ts"
import * as ParsePage from "./ParsePage.ts"
import { keyedPages, type KeyedPage } from "./KeyedPages.ts"
import * as LinkPosition from "./LinkPosition.ts"
import * as RenamedFiles from "./RenamedFiles.ts"
import * as RenamedPages from "./RenamedPages.ts"

/** Maximum number of broken links that are stored for a page. */
const maxBrokenLinks = 100

export interface ImportProgress {
  readonly done: number
  readonly total: number
  /** Path of the last imported file. */
  readonly path: string
}

/** File of an import that is not a page. `size`: bytes. */
export type ImportedFile = Pick<FileEntry, "name" | "contentType" | "size">

export interface ImportOptions {
  readonly plan: FolderPlan
  readonly draft: ObjectDraft
  readonly content: Content
  readonly now: Timestamp
  /** Hash of the titles and positions of the previous import (see `outlineOf`). Undefined for the first import. */
  readonly outline: string | undefined
  /** True if unchanged files are read too, which overwrites edits made in Lectern. Default: false. */
  readonly force?: boolean
  /**
   * True if the import only adds pages. Existing pages are not recognized or removed, and later imports do not
   * recognize the new pages. Default: false.
   */
  readonly onlyAdds?: boolean
  /** Blocks of integrations that are stored as code. */
  readonly fenced: ReadonlyArray<FencedBlock>
  readonly putBlob: (hash: BlobHash, bytes: Uint8Array) => Effect.Effect<void, StorageError>
  /** Returns the name under which the host allows a file. */
  readonly allowFile: (file: ImportedFile) => Effect.Effect<string, RefusedByHost>
  /** Cache of the previous import of the folder. Default: the report covers only the files that this import reads. */
  readonly cache?: ImportCache.ImportCache
  readonly onProgress?: (progress: ImportProgress) => Effect.Effect<void>
}

export interface ImportRun {
  readonly plan: FolderPlan
  readonly ids: Ids["Service"]
  readonly hasher: Hasher["Service"]
  readonly threads: Threads["Service"]
  readonly editor: ContentEditor.ContentEditor
  readonly pages: ReadonlyArray<KeyedPage>
  readonly resolver: FolderResolver
  /** Ids by path or key, of existing and new pages. */
  readonly pageIds: ReadonlyMap<string, string>
  readonly fileIds: ReadonlyMap<string, string>
  readonly contentIds: ReadonlyMap<string, string>
  /**
   * Pages, files and reusable contents of earlier imports, by path or key. A renamed file is listed under its new path.
   */
  readonly existingPages: ReadonlyMap<string, PageEntry>
  readonly existingFiles: ReadonlyMap<string, FileEntry>
  readonly existingContents: ReadonlyMap<string, ReusableContentEntry>
  /**
   * Slugs that pages could not get when they were inserted or moved, by page id. They are assigned at the end if they
   * are free.
   */
  readonly pendingSlugs: Map<string, string>
  readonly added: Set<string>
  readonly changed: Set<string>
  readonly removed: Set<string>
  readonly unchanged: Set<string>
  readonly problems: Array<ImportProblem>
  readonly findings: ImportedFindings
  /** Links to missing files, by the path of the page. With a cache, they have their positions in its file. */
  readonly brokenLinks: Map<string, ReadonlyMap<string, LinkPosition.LinkPosition | undefined>>
  readonly cache: ImportCache.ImportCache | undefined
  /** Returns true for an unchanged page that is read nevertheless, since its links have other targets. */
  readonly isOutdated: (path: string) => boolean
  /** Pages and reusable contents whose text was read. */
  readonly readPaths: ReadonlySet<string>
  readonly putBlob: ImportOptions["putBlob"]
  readonly allowFile: ImportOptions["allowFile"]
  readonly onlyAdds: boolean
  /** Returns the origin by which a later import recognizes a page or file. Undefined if the import only adds pages. */
  readonly gitOf: (oid: string, path: string) => GitBlob | undefined
  readonly read: (file: FolderFile) => Effect.Effect<Uint8Array, FolderTooLarge | FolderUnreadable>
  /** Returns the Git object id of a file, and its bytes, which are read only if the id is not known. */
  readonly open: (
    file: FolderFile
  ) => Effect.Effect<
    { readonly oid: string; readonly bytes: Effect.Effect<Uint8Array, FolderTooLarge | FolderUnreadable> },
    FolderTooLarge | FolderUnreadable
  >
  readonly textOf: (bytes: Uint8Array, path: string) => string
  /** Stores the text of a file for exports (see `SourceText`). Stores nothing if the import only adds pages. */
  readonly sourceField: (bytes: Uint8Array) => { readonly source?: ObjectHash }
  readonly readPage: (bytes: Uint8Array, file: PageSource.PageFile) => Effect.Effect<ParsePage.ParsedPage, StorageError>
  /** Collects the text of each page that is read, to guess the language. */
  readonly language: LanguageGuess
  readonly progress: (path: string) => Effect.Effect<void>
}

export const make = Effect.fnUntraced(function* (
  options: ImportOptions
): Effect.fn.Return<ImportRun, StorageError | FolderUnreadable, Ids | Hasher> {
  const { plan } = options
  const ids = yield* Ids
  const hasher = yield* Hasher
  const editor = ContentEditor.make(options.draft, options.content, options.now)
  const pages = keyedPages(plan.pages, plan.root)
  const problems: Array<ImportProblem> = [...plan.problems]

  const force = options.force ?? false
  const onlyAdds = options.onlyAdds ?? false
  const entries = onlyAdds ? [] : yield* editor.allPages
  const existingPages = byPath(entries, force)
  moveRenamed(existingPages, yield* RenamedPages.find({ pages, entries, source: editor.source, hasher }))
  const existingFiles = onlyAdds ? new Map<string, FileEntry>() : byPath(yield* editor.files, force)
  const existingContents = onlyAdds
    ? new Map<string, ReusableContentEntry>()
    : byPath(yield* editor.reusableContents, force)
  if (!onlyAdds) {
    const files = Array.from(plan.index.files).filter(({ path }) => FolderPath.isFile(path))
    const sizeOf = ({ size }: FileEntry) => size
    moveRenamed(existingFiles, yield* RenamedFiles.find({ entries: yield* editor.files, files, hasher, sizeOf }))
    const contents = plan.reusableContents.filter(isReadable)
    moveRenamed(
      existingContents,
      yield* RenamedFiles.find({ entries: yield* editor.reusableContents, files: contents, hasher })
    )
  }

  const pageIds = new Map<string, string>()
  const fileIds = new Map<string, string>()
  for (const { key } of pages) pageIds.set(key, existingPages.get(key)?.id ?? (yield* ids.next))
  for (const { path } of plan.index.files) {
    if (FolderPath.isFile(path)) fileIds.set(path, existingFiles.get(path)?.id ?? (yield* ids.next))
  }

  const contentIds = new Map<string, string>()
  for (const { path } of plan.reusableContents)
    contentIds.set(path, existingContents.get(path)?.id ?? (yield* ids.next))

  let bytesRead = 0
  const read = Effect.fnUntraced(function* (file: FolderFile) {
    const bytes = yield* file.bytes()
    bytesRead += bytes.length
    if (bytesRead > maxFolderBytes) {
      return yield* new FolderTooLarge({ message: `The folder holds more than ${maxFolderBytes / 1024 ** 3} GiB` })
    }
    return bytes
  })

  const open = Effect.fnUntraced(function* (file: FolderFile) {
    if (file.oid !== undefined) return { oid: file.oid, bytes: read(file) }
    const bytes = yield* read(file)
    return { oid: GitBlobId.gitBlobId(hasher, bytes), bytes: Effect.succeed(bytes) }
  })

  const findings = new ImportedFindings()
  let doneCount = 0
  const total = pages.length + plan.assets.length + plan.reusableContents.length
  const progress = Effect.fnUntraced(function* (path: string) {
    doneCount++
    if (options.onProgress !== undefined)
      yield* options.onProgress({ done: doneCount, total: Math.max(doneCount, total), path })
    // Yields, since reading a page holds the event loop longer than any other step here.
    yield* Effect.yieldNow
  })

  const { cache } = options
  /** Adds a problem of a page's text, which the next import reports again if the page is unchanged. */
  const addProblem = (path: string, message: string, rule?: ImportRule) => {
    const problem = { path, message, ...(rule !== undefined && { rule }) }
    problems.push(problem)
    cache?.pages.get(path)?.problems.push(problem)
  }

  /** The last decoded file, since a page is read and then stored. */
  let lastSource: { readonly bytes: Uint8Array; readonly source: ReturnType<typeof SourceText.fromBytes> } | undefined
  const sourceOf = (bytes: Uint8Array) => {
    if (lastSource?.bytes !== bytes) lastSource = { bytes, source: SourceText.fromBytes(bytes) }
    return lastSource.source
  }

  const textOf = (bytes: Uint8Array, path: string): string => {
    const { text } = sourceOf(bytes)
    const hasNul = bytes.includes(0)
    if (hasNul) addProblem(path, "NUL characters in it were replaced", "invalid-encoding")
    else if (text.includes("\uFFFD") && !isUtf8(bytes))
      addProblem(path, "What is not UTF-8 in it was replaced", "invalid-encoding")
    return text.startsWith(byteOrderMark) ? text.slice(1) : text
  }

  const sourceField = (bytes: Uint8Array) => (onlyAdds ? {} : { source: options.draft.write(sourceOf(bytes)) })

  const resolver = new FolderResolver(plan, pageIds, fileIds, contentIds)
  const paths =
    cache &&
    JSON.stringify([plan.root, [...(plan.otherPages ?? [])], ...Array.from(plan.index.files, ({ path }) => path)])
  const outdatedPages = cache && paths !== undefined ? cache.outdated(paths, resolver) : undefined
  if (cache !== undefined) cache.folder = { plan, pages, fileIds, contentIds }
  const readPaths = new Set<string>()
  const brokenLinks = new Map<string, Map<string, LinkPosition.LinkPosition | undefined>>()
  const addBrokenLink = (url: string, from: string) => {
    const pageLinks = brokenLinks.get(from)
    if (pageLinks === undefined) brokenLinks.set(from, new Map([[url, undefined]]))
    else if (pageLinks.size < maxBrokenLinks) pageLinks.set(url, undefined)
  }
  const resolve = (url: string, from: string) => {
    const ref = resolver.resolve(url, from)
    const isBroken = ref === undefined && resolver.isBroken(url, from)
    cache?.pages.get(from)?.targets.set(url, ImportCache.targetOf(ref, isBroken))
    if (isBroken) addBrokenLink(url, from)
    return ref
  }
  const language = new LanguageGuess()
  const { threads } = options.draft
  const readPage = ParsePage.pageParser({
    threads,
    nextKey: ids.key,
    fenced: options.fenced,
    resolve,
    onVerbatim: (path) => addProblem(path, "It takes too long to read as Markdown, and is kept as it is written")
  })

  return {
    plan,
    ids,
    hasher,
    threads,
    editor,
    pages,
    resolver,
    pageIds,
    fileIds,
    contentIds,
    existingPages,
    existingFiles,
    existingContents,
    pendingSlugs: new Map(),
    added: new Set(),
    changed: new Set(),
    removed: new Set(),
    unchanged: new Set(),
    problems,
    findings,
    brokenLinks,
    cache,
    isOutdated: (path) => cache !== undefined && (outdatedPages?.has(path) === true || !cache.pages.has(path)),
    readPaths,
    putBlob: options.putBlob,
    allowFile: options.allowFile,
    onlyAdds,
    gitOf: (oid, path) => (onlyAdds ? undefined : { oid, path }),
    read,
    open,
    textOf,
    sourceField,
    readPage: Effect.fnUntraced(function* (bytes, file) {
      const { path } = file
      readPaths.add(path)
      const cachedPage = cache?.begin(path, pageIds.get(path))
      const text = textOf(bytes, path)
      language.add(text)
      const page = yield* readPage(text, file)
      findings.add(path, page.findings)
      if (page.problem !== undefined) addProblem(path, invalidYamlMessage(page.problem), "invalid-front-matter")
      if (page.invalidFields.length > 0)
        addProblem(path, PageFields.leftOut(page.invalidFields), "invalid-front-matter")
      if (cachedPage !== undefined) {
        const pageLinks = brokenLinks.get(path) ?? new Map<string, LinkPosition.LinkPosition | undefined>()
        for (const url of pageLinks.keys()) pageLinks.set(url, LinkPosition.find(text, url))
        cachedPage.findings = page.findings
        cachedPage.brokenLinks = pageLinks
      }
      return page
    }),
    language,
    progress
  } satisfies ImportRun
})

const byteOrderMark = "\uFEFF"

const strictDecoder = new TextDecoder("utf-8", { fatal: true })

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    strictDecoder.decode(bytes)
    return true
  } catch {
    return false
  }
}

const invalidYamlMessage = (problem: string) =>
  `The front matter is no YAML (${problem}): it stays as it is written, and the fields that can be told by their lines are read`

/** Returns the entries by imported path. `force`: treats all of them as changed. */
const byPath = <A extends { readonly git?: { readonly oid: string; readonly path: string } }>(
  entries: ReadonlyArray<A>,
  force: boolean
): Map<string, A> =>
  new Map(
    entries.flatMap((entry) => {
      const { git } = entry
      if (git === undefined) return []
      return [[git.path, force ? { ...entry, git: { ...git, oid: "" } } : entry] as const]
    })
  )

/** Moves entries of renamed files to their new path. `renamed`: former paths by new path. */
const moveRenamed = <A>(entries: Map<string, A>, formerPaths: ReadonlyMap<string, string>): void => {
  for (const [path, before] of formerPaths) {
    entries.set(path, entries.get(before)!)
    entries.delete(before)
  }
}

/** Errors of edits. */
type EditFailure = ContentPageNotFound | SlugTaken | PageCycle | ContentLimitReached

/** Turns errors into defects, for edits of pages that exist with slugs that are free. */
export const orDie = <A>(effect: Effect.Effect<A, EditFailure | StorageError>): Effect.Effect<A, StorageError> =>
  Effect.catch(effect, (error) => (error._tag === "StorageError" ? Effect.fail(error) : Effect.die(error)))
