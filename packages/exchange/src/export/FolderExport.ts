/**
 * Writes a content as a folder in the layout that imports read. Importing it into a new space results in the same
 * content, and exporting that content in the same bytes. Only one file at a time is in memory.
 *
 * Content of a document that Markdown cannot express is lost and reported. A document that takes too long to print is
 * written as JSON in its file and reported.
 */
import { Effect } from "effect"
import type { BlobHash } from "@lectern/core/storage/BlobStore"
import { StorageError } from "@lectern/core/storage/Storage"
import type { Threads } from "@lectern/core/thread/Threads"
import type { ReusableContentEntry } from "@lectern/core/content/Content"
import type { ContentReader } from "@lectern/core/content/ContentReader"
import type { FileEntry } from "@lectern/core/content/files/File"
import * as FileType from "@lectern/core/content/files/FileType"
import * as FileFields from "../import/FileFields.ts"
import { file, type ImportProblem, maxMarkdownBytes } from "../import/Folder.ts"
import * as FolderPath from "../import/FolderPath.ts"
import { slugOf } from "../import/KeyedPages.ts"
import * as SourceText from "@lectern/core/content/documents/SourceText"
import { isUnlinked } from "@lectern/core/content/pages/Page"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import { ExportUrls } from "./ExportUrls.ts"
import * as ExportPaths from "./ExportPaths.ts"
import * as PageMetadata from "./PageMetadata.ts"
import * as PageText from "./PageText.ts"
import * as SummaryExport from "./SummaryExport.ts"
import * as SummaryText from "./SummaryText.ts"
import * as VariablesText from "./VariablesText.ts"
import * as WritePage from "./WritePage.ts"
import type { ExportedFile, ExportedPage, ExportedParts, PreviousExport } from "./PreviousExport.ts"
import * as ImportedFolder from "./ImportedFolder.ts"

export interface ExportReport {
  /** Number of pages, including groups and links. */
  readonly pages: number
  readonly files: number
  readonly reusableContents: number
  readonly variables: number
  /** Total size of all written files in bytes. */
  readonly size: number
  readonly problems: ReadonlyArray<ImportProblem>
}

export interface ExportProgress {
  readonly done: number
  readonly total: number
  readonly path: string
}

export interface ExportOptions<E> {
  readonly content: ContentReader
  readonly space: string
  readonly blob: (hash: BlobHash) => Effect.Effect<Uint8Array | undefined, StorageError>
  /** Writes a file. Each path is written at most once. */
  readonly write: (path: string, bytes: Uint8Array) => Effect.Effect<void, E>
  /** True if the destination distinguishes paths by case. Default: false. */
  readonly isCaseSensitive?: boolean | undefined
  /** Paths that no new file may use (see `ExportedContent`). */
  readonly reservedPaths?: ReadonlyArray<string> | undefined
  /** Path of the folder's table of contents, if the destination already has a configuration that contains it. */
  readonly summary?: string | undefined
  /** Called after each file. Default: none. */
  readonly onProgress?: ((progress: ExportProgress) => Effect.Effect<void>) | undefined
  /**
   * State for exporting several revisions of a space: files that are equal to the previous export are not written
   * again.
   */
  readonly incremental?:
    | {
        readonly previous: PreviousExport
        /**
         * Called for a page or file that is equal to the previous export. Returns false if it must be written anyway.
         */
        readonly canSkip: (path: string) => boolean
      }
    | undefined
  readonly threads: Threads["Service"]
}

export const run = Effect.fnUntraced(function* <E>(
  options: ExportOptions<E>
): Effect.fn.Return<ExportReport, StorageError | E> {
  const { content, space, blob, incremental, write, onProgress } = options
  const tree = yield* PageTree.tree(content)
  const files = yield* content.files
  const reusableContents = yield* content.reusableContents
  const variables = yield* content.variables
  const folder = yield* ImportedFolder.readImportedFolder(content, options.summary)
  const { isCaseSensitive = false } = options
  const paths = yield* ExportPaths.make({
    tree,
    files,
    reusableContents,
    reservedPaths: options.reservedPaths,
    isCaseSensitive,
    ...folder
  })
  // Yields between these steps, since each takes a while for tens of thousands of pages.
  yield* Effect.yieldNow
  const urls = new ExportUrls(space, paths)
  yield* Effect.yieldNow
  incremental?.previous.begin(paths)
  const problems: Array<ImportProblem> = []
  const referencedFiles = new Set<string>()
  const nodes = Array.from(ExportPaths.preorder(tree))
  const total = nodes.length + reusableContents.length + files.length
  let doneCount = 0
  let size = 0

  const put = Effect.fnUntraced(function* (path: string, bytes: Uint8Array) {
    yield* write(path, bytes)
    size += bytes.length
  })
  /**
   * Writes a page or file and returns its description. `of`: key of its inputs. If the key is equal to the previous
   * export's, the page or file is neither computed nor written.
   */
  const putUnlessUnchanged = Effect.fnUntraced(function* <Description extends ExportedPage | ExportedFile>(
    previous: ExportedParts<Description> | undefined,
    path: string,
    inputsKey: string,
    make: Effect.Effect<readonly [bytes: Uint8Array, description: Description], StorageError>
  ) {
    const unchanged = previous?.get(path, inputsKey)
    if (unchanged !== undefined && incremental?.canSkip(path) === true) {
      size += unchanged.size
      return unchanged
    }
    const [bytes, description] = yield* make
    yield* put(path, bytes)
    previous?.set(path, inputsKey, description)
    return description
  })
  const putText = (path: string, text: string) => put(path, SourceText.bytesOf(text, folder.sources.get(path)))
  const progress = Effect.fnUntraced(function* (path: string) {
    doneCount++
    if (onProgress !== undefined) yield* onProgress({ done: doneCount, total, path })
    // Yields, since writing a page holds the event loop longer than any other step here.
    yield* Effect.yieldNow
  })
  const addReferenced = (files: ReadonlyArray<string>) => {
    for (const file of files) referencedFiles.add(file)
  }
  const writePage = WritePage.writer(options.threads, { space, paths })
  const summary = yield* SummaryExport.write(tree, paths, urls, folder)
  const putPage = Effect.fnUntraced(function* (
    page: Omit<PageText.Page, "document" | "source">,
    { document, source }: Pick<ReusableContentEntry, "document" | "source">
  ) {
    const { path } = page
    const make = Effect.gen(function* () {
      const { text, bytes, ...more } = yield* writePage({
        ...page,
        document: yield* content.document(document),
        ...(source !== undefined && { source: yield* content.source(source) })
      })
      const all = bytes ?? encoder.encode(text)
      return [all, { ...more, size: all.length }] as const
    })
    const inputsKey = JSON.stringify({ ...page, document, source })
    const description = yield* putUnlessUnchanged<ExportedPage>(incremental?.previous.pages, path, inputsKey, make)
    addReferenced(description.files)
    if (description.problem !== undefined) problems.push({ path, message: description.problem })
    if (description.size > maxMarkdownBytes) {
      problems.push({
        path,
        message: `It is larger than the ${maxMarkdownBytes / 1024 ** 2} MiB that are read`
      })
    }
    yield* progress(path)
  })
  const putFile = Effect.fnUntraced(function* (path: string, entry: FileEntry) {
    const make = Effect.gen(function* () {
      const bytes = yield* blob(entry.blob)
      if (bytes === undefined) {
        return yield* new StorageError({ reason: "failed", message: `The bytes of the file ${entry.id} are missing` })
      }
      const fields = {
        ...(entry.name !== FolderPath.fileName(path) && { name: entry.name }),
        ...(entry.contentType !== FileType.detect(bytes, entry.name).contentType && { contentType: entry.contentType })
      }
      return [bytes, { fields, size: bytes.length }] as const
    })
    const inputsKey = JSON.stringify([entry.blob, entry.name, entry.contentType])
    return yield* putUnlessUnchanged<ExportedFile>(incremental?.previous.files, path, inputsKey, make)
  })

  for (const { page } of nodes) {
    addReferenced(PageText.filesIn(PageMetadata.coverRefs(page), urls))
    if (page.type !== "document" || isUnlinked(page)) {
      if (page.target !== undefined) addReferenced(PageText.filesIn([page.target], urls))
      yield* progress(page.title)
      continue
    }
    const path = paths.pages.get(page.id)!
    const listing = summary.listings.get(page.id)
    const slug = listing?.slug ?? slugOf({ type: "document", file: file(path, ""), children: [] }, paths.root)
    const importedListedTitle = summary.importedListedTitles.get(path)
    const exportPage = {
      path,
      ...(importedListedTitle !== undefined && { importedListedTitle }),
      title: page.title,
      listedTitle: listing === undefined ? SummaryText.listedTitle(page.title) : listing.title,
      ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
      ...(listing === undefined
        ? page.linkTitle !== undefined && { label: page.linkTitle }
        : listing.label !== undefined && { label: listing.label }),
      ...(listing?.hidden === true && { isUnlisted: true }),
      metadata: PageMetadata.metadataOf(page),
      slug: page.slug,
      ...(slug !== page.slug && { statesSlug: true })
    }
    yield* putPage(exportPage, page)
  }
  for (const reusableContent of reusableContents) {
    const path = paths.reusableContents.get(reusableContent.id)!
    yield* putPage(
      { path, title: reusableContent.title, isReusable: true, listedTitle: undefined, metadata: {} },
      reusableContent
    )
  }

  const fieldsByPath = new Map<string, FileFields.FileFields>()
  for (const entry of files) {
    const path = paths.files.get(entry.id)!
    const { fields } = yield* putFile(path, entry)
    const isAsset = FolderPath.isAsset(path) && path.startsWith(ExportPaths.pathInRoot(paths, ""))
    const isImportedAnyway = isAsset || referencedFiles.has(entry.id)
    if (!isImportedAnyway || Object.keys(fields).length > 0) fieldsByPath.set(path, fields)
    yield* progress(path)
  }
  if (fieldsByPath.size > 0)
    yield* putText(ExportPaths.pathInRoot(paths, FileFields.path), FileFields.print(fieldsByPath))
  const variablesPath = ExportPaths.pathInRoot(paths, ExportPaths.variables)
  const variablesText = VariablesText.print(variables, folder.texts.get(variablesPath))
  if (variablesText !== "") yield* putText(variablesPath, variablesText)
  for (const title of summary.shortened) problems.push({ path: paths.summary, message: `Not all of "${title}" fits` })
  yield* putText(paths.summary, summary.text)
  const writtenPaths = new Set([...paths.files.values(), variablesPath, paths.summary])
  for (const [path, text] of folder.texts) if (!writtenPaths.has(path)) yield* putText(path, text)
  const isDefaultLayout = folder.layout !== undefined || paths.summary === "SUMMARY.md"
  if (!isDefaultLayout) yield* putText(ExportPaths.configuration, `structure:\n  summary: ${paths.summary}\n`)
  return {
    pages: nodes.length,
    files: files.length,
    reusableContents: reusableContents.length,
    variables: Object.keys(variables).length,
    size,
    problems
  } satisfies ExportReport
})

const encoder = new TextEncoder()
