/** Creates folders from the sources of imports by URL: a web site, a single page, or an archive. */
import { Effect, type Scope, Stream } from "effect"
import type { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import { type ImportLimits, type ImportRefused, type ImportSource, importRefused } from "./ContentImport.ts"
import * as DataUrl from "./DataUrl.ts"
import { file, type FolderFile, type FolderTooLarge, FolderUnreadable, type ImportProblem } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"
import * as FolderPlan from "./FolderPlan.ts"
import * as ImportBudget from "./ImportBudget.ts"
import { archiveUrl, Origins, withoutFragment } from "./Origins.ts"
import * as PageImages from "./PageImages.ts"
import * as SiteAddress from "./site/SiteAddress.ts"
import * as SiteCrawl from "./site/SiteCrawl.ts"
import * as SiteTree from "./site/SiteTree.ts"
import type { ArchivedFile, PageOptions, SourceArchive, Reader, SourcePage } from "./SourceReader.ts"

export interface SourceFolder {
  readonly plan: FolderPlan.FolderPlan
  /** Number of found pages and files, including those that are missing in the plan because they could not be read. */
  readonly foundCount: number
}

export interface SourceOptions {
  readonly fetcher: GuardedFetch["Service"]
  readonly reader: Reader
  readonly limits: ImportLimits
}

type FolderEffect = Effect.Effect<SourceFolder, ImportRefused | FolderTooLarge | FolderUnreadable, Scope.Scope>

export const read = (source: ImportSource, url: string, options: SourceOptions): FolderEffect => {
  const budget = ImportBudget.make(options.fetcher, options.limits.totalBytes)
  switch (source) {
    case "website":
      return readSite(url, { ...options, budget })
    case "zip":
      return archive(url, { ...options, budget })
    default:
      return page(source, url, { ...options, budget })
  }
}

type Options = SourceOptions & { readonly budget: ImportBudget.ImportBudget }

/** Runs the work until the time for reading is over. Content that was read until then stays. */
const untilReadingTimeout = (work: Effect.Effect<void>, { readingTime }: ImportLimits) =>
  Effect.timeoutOrElse(work, { duration: readingTime, orElse: () => Effect.void })

const readSite = Effect.fnUntraced(function* (text: string, options: Options) {
  const { fetcher, limits } = options
  const start = yield* fetcher.check(text).pipe(Effect.mapError(({ message }) => importRefused(message)))
  const crawl = yield* SiteCrawl.begin(start, options)
  const images: Array<PageImages.Image> = []
  let imageUrls: ReadonlyArray<string> = []
  yield* untilReadingTimeout(
    Effect.gen(function* () {
      yield* crawl.run
      const { pages } = crawl.crawled()
      imageUrls = pages.flatMap(({ page }) => page.images)
      yield* PageImages.fetch(imageUrls, images, { ...options, capacity: limits.resources - pages.length })
    }),
    limits
  )
  const { pages, pageIndexes, foundCount } = crawl.crawled()
  const texts = pages.map(({ page }) => textOf(page))
  const tree = SiteTree.make(pages.map(({ page, path }, i) => ({ path, text: texts[i]!, ...titleField(page) })))
  const paths = new Map(Array.from(pageIndexes, ([key, i]) => [key, tree.files[i]!.path]))
  for (const image of images) paths.set(SiteAddress.keyOf(image.url), image.file.path)
  const embeddedFiles = pages.flatMap(({ page }) => embeddedOf(page))
  for (const { url, file } of embeddedFiles) paths.set(url, file.path)
  const files = [...tree.files, ...images.map((image) => image.file), ...embeddedFiles.map((one) => one.file)]
  const origins = new Origins(new Map(), paths, (url) => SiteAddress.keyOf(withoutFragment(url)))
  const problems = pages.flatMap(({ page }, i) => {
    const { path } = tree.files[i]!
    return [...problemsOf(path, page), ...PageImages.problemsOf(path, page.images, images)]
  })
  return {
    plan: withProblems(FolderPlan.fromPages(tree.pages, files, origins), problems),
    foundCount: foundCount + new Set(imageUrls.map(withoutFragment)).size + embeddedFiles.length
  }
})

/** Returns the bytes at a URL, or the content of a `data:` URL. */
const bytesAt = Effect.fnUntraced(function* (
  url: string,
  accept: string,
  { fetcher, budget, limits }: Options
): Effect.fn.Return<DataUrl.DataUrl & { readonly url?: string }, ImportRefused> {
  if (DataUrl.isDataUrl(url)) {
    const data = yield* DataUrl.readInSlices(url)
    if (data === undefined) return yield* importRefused("The data: URL can't be read")
    if (data.bytes.length > limits.fileBytes)
      return yield* importRefused(`It is larger than ${mebibytes(limits.fileBytes)}`)
    return data
  }
  yield* fetcher.check(url).pipe(Effect.mapError(({ message }) => importRefused(message)))
  return yield* budget
    .fetch(url, { maxBytes: limits.fileBytes, accept })
    .pipe(Effect.mapError(({ message }) => importRefused(message)))
})

/** Returns the bytes of an archive as a stream. */
const archiveAt = Effect.fnUntraced(function* (url: string, { fetcher, limits }: Options) {
  const { archiveBytes, archiveTime } = limits
  if (DataUrl.isDataUrl(url)) {
    const data = yield* DataUrl.readInSlices(url)
    return data === undefined ? yield* importRefused("The data: URL can't be read") : Stream.succeed(data.bytes)
  }
  yield* fetcher.check(url).pipe(Effect.mapError(({ message }) => importRefused(message)))
  const fetchOptions = { maxBytes: archiveBytes, timeout: archiveTime, accept: "application/zip, */*;q=0.1" }
  const { bytes } = yield* fetcher
    .stream(url, fetchOptions)
    .pipe(Effect.mapError(({ message }) => importRefused(message)))
  return bytes
})

const mebibytes = (bytes: number) => `${bytes / 1024 / 1024} MiB`

const docxType = "application/vnd.openxmlformats-officedocument.wordprocessingml.document"

const kinds = {
  markdown: {
    accept: "text/markdown, text/plain;q=0.9, */*;q=0.1",
    refuses: /^(?:text\/html|image\/|application\/zip)/i
  },
  html: { accept: "text/html, application/xhtml+xml;q=0.9", refuses: /^(?:image\/|application\/(?:zip|pdf))/i },
  docx: { accept: `${docxType}, */*;q=0.1`, refuses: /^text\/html/i }
} as const

const page = Effect.fnUntraced(function* (source: ImportSource, text: string, options: Options) {
  const { limits, reader } = options
  const kind = source as keyof typeof kinds
  const got = yield* bytesAt(text, kinds[kind].accept, options)
  const { contentType } = got
  if (contentType !== undefined && kinds[kind].refuses.test(contentType.trim())) {
    return yield* importRefused(`What is there is ${contentType.slice(0, 100)} and not ${kind}`)
  }
  const { url } = got
  const where: PageOptions = {
    embedded: "embedded",
    ...(url !== undefined && { url }),
    ...(contentType !== undefined && { contentType })
  }
  const one = yield* reader[kind](got.bytes, where).pipe(Effect.mapError(({ message }) => importRefused(message)))
  const images: Array<PageImages.Image> = []
  const imageUrls = one.images.flatMap((image) => absolute(image, url))
  yield* untilReadingTimeout(
    PageImages.fetch(imageUrls, images, { ...options, capacity: limits.resources - 1 }),
    limits
  )

  const path = `${pageName(url, one)}.md`
  const markdown = textOf(one)
  const embedded = embeddedOf(one)
  const paths = new Map([...images, ...embedded].map((image) => [image.url, image.file.path]))
  if (url !== undefined) paths.set(withoutFragment(url), path)
  const pages = [file(path, markdown)]
  const files = [...pages, ...[...images, ...embedded].map((image) => image.file)]
  const origins = new Origins(url === undefined ? new Map() : new Map([[path, url]]), paths)
  const plan = FolderPlan.fromPages(
    pages.map((file) => ({ type: "document", file, children: [], ...titleField(one) })),
    files,
    origins
  )
  return {
    plan: withProblems(plan, [...problemsOf(path, one), ...PageImages.problemsOf(path, imageUrls, images)]),
    foundCount: 1 + new Set(imageUrls.map(withoutFragment)).size + embedded.length
  }
})

const absolute = (url: string, base: string | undefined): ReadonlyArray<string> =>
  DataUrl.isDataUrl(url) ? [url] : URL.canParse(url, base) ? [new URL(url, base).href] : []

const pageName = (url: string | undefined, { title }: SourcePage): string => {
  const name = url === undefined ? undefined : PageImages.fileNameOf(url).replace(/\.[a-z]{1,8}$/i, "")
  const fromTitle = title
    ?.toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 80)
  return name === undefined || name === "image" || FolderPath.isReadme(`${name}.md`) ? fromTitle || "imported" : name
}

const isHtmlFile = (path: string) => /\.(?:html?|xhtml)$/i.test(path)
const isDocxFile = (path: string) => /\.docx$/i.test(path)
const isPageFile = (path: string) => FolderPath.isMarkdown(path) || isHtmlFile(path) || isDocxFile(path)

const archive = Effect.fnUntraced(function* (text: string, options: Options) {
  return yield* unpack(yield* archiveAt(text, options), options)
})

const unpack = <E extends { readonly message: string }>(bytes: Stream.Stream<Uint8Array, E>, options: SourceOptions) =>
  options.reader.archive(bytes).pipe(
    Effect.mapError(({ message }) => importRefused(message)),
    Effect.flatMap((opened) => folderOf({ ...opened, files: withoutTopFolder(opened.files) }, options))
  )

const isArchive = (path: string) => /\.zip$/i.test(path)

/** Returns the folder for supplied files: pages by their names, or a single archive. */
export const fromFiles = Effect.fnUntraced(function* (files: ReadonlyArray<ArchivedFile>, options: SourceOptions) {
  const [first] = files
  if (first !== undefined && files.length === 1 && isArchive(first.path)) {
    return yield* unpack(Stream.fromEffect(first.bytes), options)
  }
  if (files.some(({ path }) => isArchive(path))) return yield* importRefused("An archive is imported alone")
  return yield* folderOf({ files: withDistinctNames(files), problems: [] }, options)
})

/** Returns the files with distinct names and without folders. */
const withDistinctNames = (files: ReadonlyArray<ArchivedFile>): ReadonlyArray<ArchivedFile> => {
  const usedNames = new Set<string>()
  return files.map((one) => {
    const name = one.path.split(/[\\/]/).at(-1)!.trim() || "page.md"
    const [, stem = name, extension = ""] = /^(.*?)(\.[^.]*)?$/s.exec(name) ?? []
    let path = name
    for (let n = 2; usedNames.has(path.toLowerCase()); n++) path = `${stem}-${n}${extension}`
    usedNames.add(path.toLowerCase())
    return { ...one, path }
  })
}

/** Returns the folder with these pages and files. */
const folderOf = Effect.fnUntraced(function* (sourceArchive: SourceArchive, options: SourceOptions) {
  const { limits, reader } = options
  const archivedFiles = sourceArchive.files
  if (!archivedFiles.some(({ path }) => isPageFile(path))) {
    return yield* importRefused("There is no Markdown, HTML or Word document in it")
  }
  const pagesFirst = [...archivedFiles].sort((a, b) => Number(isPageFile(b.path)) - Number(isPageFile(a.path)))
  const problems = [...sourceArchive.problems]
  for (const { path } of pagesFirst.splice(limits.archiveResources)) {
    problems.push({ path, message: `At most ${limits.archiveResources} pages and files are imported at once` })
  }
  let remainingBytes = limits.totalBytes

  const files: Array<FolderFile> = []
  const paths = new Map<string, string>()
  const urlsByPath = new Map<string, string>()
  const usedPaths = new Set(pagesFirst.map(({ path }) => path))
  for (const [i, archivedFile] of pagesFirst.entries()) {
    const { path } = archivedFile
    if (!isPageFile(path)) {
      files.push(folderFileOf(archivedFile))
      paths.set(archiveUrl(path), path)
      continue
    }
    const pageOptions = { url: archiveUrl(path), embedded: `embedded/${i}` }
    if (FolderPath.isMarkdown(path)) {
      files.push(markdownFileOf(archivedFile, reader, pageOptions))
      urlsByPath.set(path, pageOptions.url)
      paths.set(pageOptions.url, path)
      continue
    }
    if (remainingBytes < 0) {
      // After the limit is reached, no further page is read.
      problems.push({ path, message: tooLargeMessage(limits) })
      continue
    }
    const bytes = yield* archivedFile.bytes.pipe(Effect.mapError(({ message }) => importRefused(message)))
    const sourcePage = yield* (
      isHtmlFile(path) ? reader.html(bytes, pageOptions) : reader.docx(bytes, pageOptions)
    ).pipe(
      Effect.catch(({ message }) => {
        problems.push({ path, message })
        return Effect.undefined
      })
    )
    if (sourcePage === undefined) continue
    const page = file("", textOf(sourcePage))
    remainingBytes -= page.size + sourcePage.files.reduce((sum, { bytes }) => sum + bytes.length, 0)
    if (remainingBytes < 0) {
      problems.push({ path, message: tooLargeMessage(limits) })
      continue
    }
    const markdownPath = uniqueMarkdownPath(path, usedPaths)
    problems.push(...problemsOf(path, sourcePage))
    files.push({ ...page, path: markdownPath })
    urlsByPath.set(markdownPath, pageOptions.url)
    paths.set(pageOptions.url, markdownPath)
    for (const { url, file: embeddedFile } of embeddedOf(sourcePage)) {
      files.push(embeddedFile)
      paths.set(url, embeddedFile.path)
    }
  }
  if (urlsByPath.size === 0) return yield* importRefused(problems[0]?.message ?? "No page of the archive can be read")
  const plan = yield* FolderPlan.make({ files, problems })
  return {
    plan: { ...plan, origins: new Origins(urlsByPath, paths) },
    foundCount: archivedFiles.length + sourceArchive.problems.length
  }
})

const tooLargeMessage = ({ totalBytes }: ImportLimits) =>
  `The pages of HTML and Word have more than ${mebibytes(totalBytes)}`

const folderFileOf = ({ path, size, bytes }: ArchivedFile): FolderFile => ({
  path,
  size,
  bytes: () => Effect.mapError(bytes, ({ message }) => new FolderUnreadable({ path, message }))
})

/** Returns a Markdown file of an archive. A file that is not UTF-8 is decoded by its charset when it is read. */
const markdownFileOf = (archivedFile: ArchivedFile, reader: Reader, pageOptions: PageOptions): FolderFile => {
  const { bytes, ...one } = folderFileOf(archivedFile)
  const decodeByCharset = (read: Uint8Array) =>
    reader.markdown(read, pageOptions).pipe(
      Effect.map(({ markdown }) => new TextEncoder().encode(markdown)),
      Effect.orElseSucceed(() => read)
    )
  return {
    ...one,
    bytes: () => Effect.flatMap(bytes(), (read) => (isUtf8(read) ? Effect.succeed(read) : decodeByCharset(read)))
  }
}

const isUtf8 = (bytes: Uint8Array): boolean => {
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes)
    return true
  } catch {
    return false
  }
}

/** Removes the common top folder of an archive, which carries no information. */
const withoutTopFolder = <A extends { readonly path: string }>(files: ReadonlyArray<A>): ReadonlyArray<A> => {
  const top = files[0]?.path.split("/", 1)[0] ?? ""
  return files.every(({ path }) => path.startsWith(`${top}/`))
    ? files.map((one) => ({ ...one, path: one.path.slice(top.length + 1) }))
    : files
}

const uniqueMarkdownPath = (path: string, usedPaths: Set<string>): string => {
  const name = path.replace(/\.[^.]*$/, "")
  let to = `${name}.md`
  for (let n = 2; usedPaths.has(to); n++) to = `${name}-${n}.md`
  usedPaths.add(to)
  return to
}

const titleField = ({ title }: SourcePage) => (title === undefined ? {} : { title })

/** Returns the text of a page as a Markdown file of a folder. */
const textOf = ({ title, description, markdown }: SourcePage): string => {
  const fields = { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
  return FrontMatter.join(FrontMatter.write(fields) || undefined, markdown)
}

/** Problems of a page in the report of the import. */
const problemsOf = (path: string, { problems = [] }: SourcePage): ReadonlyArray<ImportProblem> =>
  problems.map((message) => ({ path, message }))

const withProblems = (plan: FolderPlan.FolderPlan, problems: ReadonlyArray<ImportProblem>): FolderPlan.FolderPlan => ({
  ...plan,
  problems: [...plan.problems, ...problems]
})

const embeddedOf = (page: SourcePage) =>
  page.files.map(({ path, bytes }) => ({ url: `embedded:${path}`, file: file(path, bytes) }))
