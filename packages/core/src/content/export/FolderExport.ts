/**
 * Writes a content as a folder in the layout that imports read. Importing it into a new space results in the same
 * content, and exporting that content in the same bytes. Only one file at a time is in memory.
 *
 * Content of a document that Markdown cannot express is lost and reported. A document that takes too long to print is
 * written as JSON in its file and reported.
 */
import { Effect } from "effect"
import type { BlobHash } from "../../storage/BlobStore.ts"
import { StorageError } from "../../storage/Storage.ts"
import type { Threads } from "../../thread/Threads.ts"
import type { ReusableContentEntry } from "../Content.ts"
import type { ContentReader } from "../ContentReader.ts"
import type { FileEntry } from "../files/File.ts"
import * as FileType from "../files/FileType.ts"
import * as FileFields from "../import/FileFields.ts"
import { file, type ImportProblem, maxMarkdownBytes } from "../import/Folder.ts"
import * as FolderPath from "../import/FolderPath.ts"
import { slugOf } from "../import/KeyedPages.ts"
import * as SourceText from "../documents/SourceText.ts"
import { isUnlinked } from "../pages/Page.ts"
import * as PageTree from "../pages/PageTree.ts"
import { ExportUrls } from "./ExportUrls.ts"
import * as ExportPaths from "./ExportPaths.ts"
import * as PageMetadata from "./PageMetadata.ts"
import * as PageText from "./PageText.ts"
import * as SummaryExport from "./SummaryExport.ts"
import * as SummaryText from "./SummaryText.ts"
import * as VariablesText from "./VariablesText.ts"
import * as WritePage from "./WritePage.ts"
import type { ToldFile, ToldPage, Written, PreviousExport } from "./PreviousExport.ts"
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
  /** True if the destination distinguishes paths by case (see `ExportedContent`). */
  readonly tellsCase?: boolean | undefined
  /** Paths that no new file may use (see `ExportedContent`). */
  readonly taken?: ReadonlyArray<string> | undefined
  /** Path of the folder's table of contents, if the destination already has a configuration that contains it. */
  readonly summary?: string | undefined
  readonly onProgress?: ((progress: ExportProgress) => Effect.Effect<void>) | undefined
  /**
   * State for exporting several revisions of a space: files that are equal to the previous export are not written
   * again.
   */
  readonly before?:
    | {
        readonly written: PreviousExport
        /**
         * Called for a page or file that is equal to the previous export. Returns false if it must be written anyway.
         */
        readonly same: (path: string) => boolean
      }
    | undefined
  readonly threads: Threads["Service"]
}

export const run = Effect.fnUntraced(function* <E>(
  options: ExportOptions<E>
): Effect.fn.Return<ExportReport, StorageError | E> {
  const { content, space, blob, before, write, onProgress } = options
  const tree = yield* PageTree.tree(content)
  const files = yield* content.files
  const reusableContents = yield* content.reusableContents
  const variables = yield* content.variables
  const folder = yield* ImportedFolder.of(content, options.summary)
  const { tellsCase = false } = options
  const paths = yield* ExportPaths.make({
    tree,
    files,
    reusableContents,
    taken: options.taken,
    tellsCase,
    ...folder
  })
  // Yields between these steps, since each takes a while for tens of thousands of pages.
  yield* Effect.yieldNow
  const urls = new ExportUrls(space, paths)
  yield* Effect.yieldNow
  before?.written.begin(paths)
  const problems: Array<ImportProblem> = []
  const referred = new Set<string>()
  const nodes = Array.from(ExportPaths.inOrder(tree))
  const total = nodes.length + reusableContents.length + files.length
  let done = 0
  let size = 0

  const put = Effect.fnUntraced(function* (path: string, bytes: Uint8Array) {
    yield* write(path, bytes)
    size += bytes.length
  })
  /**
   * Writes a page or file and returns its description. `of`: key of its inputs. If the key is equal to the previous
   * export's, the page or file is neither computed nor written.
   */
  const putMade = Effect.fnUntraced(function* <Told extends ToldPage | ToldFile>(
    last: Written<Told> | undefined,
    path: string,
    of: string,
    make: Effect.Effect<readonly [bytes: Uint8Array, told: Told], StorageError>
  ) {
    const known = last?.find(path, of)
    if (known !== undefined && before?.same(path) === true) {
      size += known.size
      return known
    }
    const [bytes, told] = yield* make
    yield* put(path, bytes)
    last?.wrote(path, of, told)
    return told
  })
  const putText = (path: string, text: string) => put(path, SourceText.bytesOf(text, folder.sources.get(path)))
  const progress = Effect.fnUntraced(function* (path: string) {
    done++
    if (onProgress !== undefined) yield* onProgress({ done, total, path })
    // Yields, since writing a page holds the event loop longer than any other step here.
    yield* Effect.yieldNow
  })
  const refer = (files: ReadonlyArray<string>) => {
    for (const file of files) referred.add(file)
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
    const of = JSON.stringify({ ...page, document, source })
    const told = yield* putMade<ToldPage>(before?.written.pages, path, of, make)
    refer(told.files)
    if (told.problem !== undefined) problems.push({ path, message: told.problem })
    if (told.size > maxMarkdownBytes) {
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
    const of = JSON.stringify([entry.blob, entry.name, entry.contentType])
    return yield* putMade<ToldFile>(before?.written.files, path, of, make)
  })

  for (const { page } of nodes) {
    refer(PageText.filesIn(PageMetadata.coverRefs(page), urls))
    if (page.type !== "document" || isUnlinked(page)) {
      if (page.target !== undefined) refer(PageText.filesIn([page.target], urls))
      yield* progress(page.title)
      continue
    }
    const path = paths.pages.get(page.id)!
    const listing = summary.listings.get(page.id)
    const slug = listing?.slug ?? slugOf({ type: "document", file: file(path, ""), children: [] }, paths.root)
    const listedBefore = summary.listedBefore.get(path)
    const listed = {
      path,
      ...(listedBefore !== undefined && { listedBefore }),
      title: page.title,
      listedTitle: listing === undefined ? SummaryText.listedTitle(page.title) : listing.title,
      ...(page.linkTitle !== undefined && { linkTitle: page.linkTitle }),
      ...(listing === undefined
        ? page.linkTitle !== undefined && { label: page.linkTitle }
        : listing.label !== undefined && { label: listing.label }),
      ...(listing?.hidden === true && { isLeftOut: true }),
      metadata: PageMetadata.metadataOf(page),
      slug: page.slug,
      ...(slug !== page.slug && { saysSlug: true })
    }
    yield* putPage(listed, page)
  }
  for (const reusable of reusableContents) {
    const path = paths.reusableContents.get(reusable.id)!
    yield* putPage({ path, title: reusable.title, isReusable: true, listedTitle: undefined, metadata: {} }, reusable)
  }

  const said = new Map<string, FileFields.FileFields>()
  for (const entry of files) {
    const path = paths.files.get(entry.id)!
    const { fields } = yield* putFile(path, entry)
    const isAsset = FolderPath.isAsset(path) && path.startsWith(ExportPaths.within(paths, ""))
    const comesAlong = isAsset || referred.has(entry.id)
    if (!comesAlong || Object.keys(fields).length > 0) said.set(path, fields)
    yield* progress(path)
  }
  if (said.size > 0) yield* putText(ExportPaths.within(paths, FileFields.path), FileFields.print(said))
  const variablesPath = ExportPaths.within(paths, ExportPaths.variables)
  const variablesText = VariablesText.print(variables, folder.texts.get(variablesPath))
  if (variablesText !== "") yield* putText(variablesPath, variablesText)
  for (const title of summary.shortened) problems.push({ path: paths.summary, message: `Not all of "${title}" fits` })
  yield* putText(paths.summary, summary.text)
  const taken = new Set([...paths.files.values(), variablesPath, paths.summary])
  for (const [path, text] of folder.texts) if (!taken.has(path)) yield* putText(path, text)
  const isUsual = folder.layout !== undefined || paths.summary === "SUMMARY.md"
  if (!isUsual) yield* putText(ExportPaths.configuration, `structure:\n  summary: ${paths.summary}\n`)
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
