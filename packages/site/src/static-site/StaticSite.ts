/**
 * A published site as files, for file servers that know nothing of Lectern: each page as a visitor without claims sees
 * it, with the files that it loads, its forms for programs, redirects, and a search that runs in the browser.
 *
 * Each page has a folder, so its URL ends with a slash: `guide/install/index.html` is at `/guide/install/`. Equal sites
 * result in equal bytes. No text contains a time, an id or a secret of this instance.
 *
 * Limit: the search index is in memory, in addition to the caches of the core.
 */
import { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import { CurrentActor } from "@lectern/core/access/Actor"
import type * as Resources from "@lectern/core/content/ContentResources"
import { Contents } from "@lectern/core/content/Contents"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { SiteId } from "@lectern/core/site/Site"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import * as ServedNames from "@lectern/core/site/ServedNames"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Threads } from "@lectern/core/thread/Threads"
import { Tokens } from "@lectern/core/token/Tokens"
import { Effect } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ApiReference from "../api/ApiReference.ts"
import * as AlternateUrls from "../machine-readable/AlternateUrls.ts"
import * as VisibleSite from "../machine-readable/VisibleSite.ts"
import { SnippetRenderer } from "../rendering/SnippetRenderer.ts"
import * as SearchBox from "../page/SearchBox.ts"
import * as PageDocument from "../reading/PageDocument.ts"
import * as SiteContexts from "../reading/SiteContexts.ts"
import { SitePages } from "../reading/SitePages.ts"
import * as Tree from "../reading/Tree.ts"
import * as MountedFiles from "../server/MountedFiles.ts"
import * as SiteApp from "../server/SiteApp.ts"
import * as RedirectFiles from "./RedirectFiles.ts"
import * as SearchFiles from "./SearchFiles.ts"
import * as SearchScripts from "./SearchScripts.ts"
import * as StaticPaths from "./StaticPaths.ts"

export interface StaticSiteOptions extends Pick<SiteApp.SiteAppOptions, "theme" | "diagrams" | "fonts"> {
  /** Id of the site. */
  readonly site: string
  /** Path of the site at its host, with slashes at both ends. */
  readonly base: string
  /** Origin of the site, such as `https://docs.acme.com`. Default: parts that need absolute URLs are left out. */
  readonly origin?: string | undefined
  /**
   * Returns a text with one character for each byte. Only ASCII characters are searched in it. Decoding UTF-8 takes a
   * hundred times as long in Node.js.
   */
  readonly latin1: (bytes: Uint8Array) => string
  /** True to leave out files that Windows can't have, because of their names. */
  readonly isOnWindows: boolean
  /** Paths below the site that may redirect, decoded. */
  readonly redirects?: ReadonlyArray<string>
}

export interface StaticFile {
  /** Path in the folder of the site, with slashes. */
  readonly path: string
  readonly bytes: Uint8Array
}

export interface StaticSiteProblem {
  /** Path of the file that was left out, or of the page. */
  readonly path: string
  readonly message: string
}

export interface StaticSiteSummary {
  readonly pages: number
  readonly redirects: number
  /** Sentences about parts of the site that the files lack. */
  readonly leftOut: ReadonlyArray<string>
  readonly problems: ReadonlyArray<StaticSiteProblem>
}

/** Bytes of cached pages. Each page is rendered once. */
const cacheBytes = 1024 * 1024

/** Number of pages that are rendered at a time: the next one while code of the previous one is highlighted. */
const concurrency = 4

/**
 * Origin of a site without a public URL, while it is rendered. It is removed from all texts, so absolute URLs become
 * paths.
 */
const placeholderOrigin = "https://static-site.invalid"

const encoder = new TextEncoder()

/** True if pictures for link previews can be rendered. Their renderer is an optional dependency. */
const rendersPictures = Effect.gen(function* () {
  const renderer = yield* SnippetRenderer
  if (renderer?.socialImage === undefined) return false
  const color = "#000000"
  const picture = { site: "", title: "", description: "", sign: "", language: "en", direction: "ltr" } as const
  const colors = { ground: color, ink: color, muted: color, fill: color, onFill: color }
  return (yield* renderer.socialImage({ ...picture, ...colors })) !== undefined
})

/** Passes the files of the site to `write`. */
export const make = Effect.fnUntraced(function* <E, R>(
  { site: siteId, base, origin, redirects = [], isOnWindows, latin1, ...options }: StaticSiteOptions,
  write: (file: StaticFile) => Effect.Effect<void, E, R>
) {
  const hasPublicUrl = origin !== undefined
  const siteOrigin = origin ?? placeholderOrigin
  const canRender = hasPublicUrl && (yield* rendersPictures)
  const staticSite = { hasPublicUrl, hasPictures: canRender }
  const mount: SiteMount = { site: SiteId.make(siteId), url: siteOrigin + base, staticSite }
  const contents = yield* Contents
  const threads = yield* Threads
  const hasher = yield* Hasher
  const contentSpecs = yield* ContentSpecs
  const services = { contents, sites: yield* PublishedSites, tokens: yield* Tokens }
  const pages = yield* SitePages.make
  const app = yield* SiteApp.make({
    ...options,
    basePath: base,
    ignoresTrailingSlash: true,
    awaitsSnippets: true,
    cacheBytes,
    searchScript: SearchScripts.search
  }).pipe(Effect.provideService(SitePages, pages))

  const paths = new StaticPaths.StaticPaths()
  const problems: Array<StaticSiteProblem> = []
  /** Names of files in `~lectern/` that texts load. */
  const assetNames = new Set<string>()
  /** Paths of files in `~files/` that texts load. */
  const filePaths = new Set<string>()
  const basePattern = base.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  const assetPattern = new RegExp(`${basePattern}~lectern/([\\w.-]+)`, "g")
  const filePattern = new RegExp(`${basePattern}~files/[^\\s"'<>()]+`, "g")

  const respond = (url: string) => {
    const target = new URL(url, mount.url)
    return app
      .respond({ url: target }, HttpServerRequest.fromWeb(new Request(target)))
      .pipe(Effect.provideService(SiteMount, mount))
  }
  const bytesOf = (response: HttpServerResponse.HttpServerResponse) =>
    response.body._tag === "Uint8Array"
      ? Effect.succeed(response.body.body)
      : Effect.promise(async () => new Uint8Array(await HttpServerResponse.toWeb(response).arrayBuffer()))

  /** Claims the path of a file. Returns false, and reports a problem, if no file can have it. */
  const claim = (path: string | undefined, source: string): path is string => {
    if (path === undefined) {
      problems.push({ path: source, message: "It has no path that a file can have, and is left out" })
      return false
    }
    if (!paths.claim(path)) {
      problems.push({ path: source, message: `Its file ${path} has the path of another file, and is left out` })
      return false
    }
    const isUnportable = StaticPaths.isUnportable(path)
    if (isUnportable)
      problems.push({ path: source, message: `Its file ${path} can't be on Windows, because of its name` })
    return !(isUnportable && isOnWindows)
  }

  const emit = (path: string, content: string | Uint8Array) =>
    write({ path, bytes: typeof content === "string" ? encoder.encode(content) : content })

  /** Returns the bytes of a text without the placeholder, and collects the files that the text loads. */
  const withoutPlaceholder = (bytes: Uint8Array): Uint8Array => {
    const text = latin1(bytes)
    for (const [, name] of text.matchAll(assetPattern)) assetNames.add(name!)
    for (const [path] of text.matchAll(filePattern)) filePaths.add(path.slice(base.length))
    if (hasPublicUrl || !text.includes(placeholderOrigin)) return bytes
    return encoder.encode(new TextDecoder().decode(bytes).replaceAll(placeholderOrigin, ""))
  }

  /** Emits the response of a URL. Emits nothing, and returns false, if the URL has no response with this status. */
  const emitText = Effect.fnUntraced(function* (url: string, path: string, status = 200) {
    const response = yield* respond(url)
    if (response.status === status) yield* emit(path, withoutPlaceholder(yield* bytesOf(response)))
    return response.status === status
  })
  const emitBytes = Effect.fnUntraced(function* (url: string, path: string) {
    const response = yield* respond(url)
    if (response.status === 200) yield* emit(path, yield* bytesOf(response))
  })

  const pathBelow = (url: string): string => new URL(url, mount.url).pathname.slice(base.length)
  const fileOf = (url: string) => StaticPaths.fileOf(pathBelow(url))

  const read = Effect.gen(function* () {
    const published = yield* (yield* PublishedUrls).resolve({ url: mount.url }).pipe(
      Effect.map((result) => ("redirect" in result ? undefined : result)),
      Effect.orElseSucceed(() => undefined)
    )
    if (published === undefined) return undefined
    const readSite = Effect.gen(function* () {
      const site = yield* VisibleSite.read(services, published)
      return { published, site: site.site, spaces: yield* VisibleSite.readSpaces(services, site) }
    })
    return yield* asReader(published, readSite)
  }).pipe(Effect.provideService(SiteMount, mount))

  const asReader = <A, E2, R2>({ apiToken }: PublishedContent, effect: Effect.Effect<A, E2, R2>) =>
    Effect.flatMap(services.tokens.authenticate(apiToken), (reader) =>
      effect.pipe(Effect.provideService(CurrentActor, reader), Effect.provideService(SiteMount, mount))
    )
  const found = yield* read
  if (found === undefined) return { pages: 0, redirects: 0, leftOut: [], problems } satisfies StaticSiteSummary
  const { published, site, spaces } = found

  let pageCount = 0
  let hasOperations = false
  /** Paths below the site that redirect, with their targets. Without a target, the site is requested. */
  const redirectPaths = new Map<string, string | undefined>(
    redirects.map((path) => [path.split("/").filter(Boolean).map(encodeURIComponent).join("/"), undefined])
  )

  const emitPage = Effect.fnUntraced(function* (url: string) {
    const form = (name: string) => StaticPaths.fileOf(`${pathBelow(url)}index.${name}`)!
    if (!(yield* emitText(url, form("html")))) {
      problems.push({ path: pathBelow(url), message: "It could not be rendered, and is left out" })
      return
    }
    pageCount++
    yield* emitText(AlternateUrls.markdownUrl(url), form("md"))
    if (!hasPublicUrl) return
    const found = yield* Effect.provideService(pages.find({ url }), SiteMount, mount)
    if (found.type === "page" && found.sitePage.alternates.feed !== undefined)
      yield* emitText(AlternateUrls.feedUrl(url), form("atom"))
    if (!canRender) return
    const picture = (yield* respond(AlternateUrls.socialImageUrl(url))).headers["location"]
    if (picture !== undefined) yield* emitBytes(picture, form("png"))
  })

  /** Returns the document of a page as the reader sees it. */
  const documentOf = Effect.fnUntraced(function* (page: Resources.DocumentPage, space: VisibleSite.VisibleSpace) {
    const withDocument = yield* contents.page(space.location, page.id, PageDocument.options)
    return (yield* PageDocument.read(threads, withDocument)).document
  })

  const entries = spaces.flatMap((space) =>
    Tree.allEntries(space.tree).flatMap((page) =>
      page.type === "document" || (page.type === "group" && Tree.firstDocument([page]) !== undefined)
        ? [{ page, space, url: Tree.urlOf(page, space) }]
        : []
    )
  )
  // Groups match by their titles.
  const indexed = entries.filter(({ page }) => page.type === "group" || page.noIndex !== true)
  const index = new SearchFiles.SearchFiles(
    hasher,
    indexed.map(({ page, space, url }) => ({
      title: page.title,
      url: pathBelow(url),
      ...(page.type === "document" && page.description !== undefined && { description: page.description }),
      ancestors: Tree.pathTo(space.tree, page.id)
        .slice(0, -1)
        .map(({ title }) => title)
    })),
    spaces[0]?.location.space.language
  )
  const numbers = new Map(indexed.map(({ url }, number) => [url, number]))

  // Paths are claimed in the order of the tree, so that equal sites leave out the same pages.
  const rendered = entries.filter(({ page, url }) => page.type === "group" || claim(fileOf(url), pathBelow(url)))
  const emitEntry = Effect.fnUntraced(function* ({ page, space, url }: (typeof entries)[number]) {
    const isDocument = page.type === "document"
    if (isDocument) yield* emitPage(url)
    const document = isDocument ? yield* documentOf(page, space) : undefined
    if (document !== undefined && ApiReference.hasOperations(document)) hasOperations = true
    const number = numbers.get(url)
    if (number !== undefined) index.add(number, document)
  })
  // Pages do not wait for specifications that are still being parsed.
  for (const { location } of spaces) {
    const specs = yield* asReader(published, contentSpecs.files(location))
    yield* Effect.forEach(specs, contentSpecs.read, { discard: true })
  }
  yield* asReader(published, Effect.forEach(rendered, emitEntry, { concurrency, discard: true }))

  for (const { page, space } of entries) {
    const ownPath = pathBelow(Tree.urlAt(space.base, page.path))
    if (page.type === "group") redirectPaths.set(ownPath, undefined)
    else if (Tree.isFront(page, space.tree)) redirectPaths.set(ownPath, space.base)
  }
  for (const space of spaces) {
    for (const name of [ServedNames.index, ServedNames.fullText]) {
      const path = StaticPaths.fileOf(pathBelow(space.base) + name)
      if (claim(path, name)) yield* emitText(space.base + name, path)
    }
    const search = space.base + SearchBox.searchPath
    const searchFile = fileOf(`${search}/`)
    if (claim(searchFile, search)) yield* emitText(search, searchFile)
  }

  const root = (name: string) => (claim(name, name) ? emitText(mount.url + name, name) : Effect.succeed(false))
  if (hasPublicUrl && (yield* root(ServedNames.sitemap)))
    for (let part = 1; yield* root(`sitemap-${part}.xml`); part++);
  yield* root(ServedNames.robots)
  // A path without letters, for which no page is suggested.
  if (claim("404.html", "404.html")) yield* emitText(`${mount.url}-`, "404.html", 404)

  const list: Array<RedirectFiles.Redirect> = []
  for (const [path, knownTarget] of [...redirectPaths].sort(([a], [b]) => (a < b ? -1 : 1))) {
    const target = knownTarget ?? (yield* respond(mount.url + path)).headers["location"]
    if (target === undefined || path === "") continue
    const file = StaticPaths.fileOf(`${path}/`)
    if (!claim(file, path)) continue
    // A redirect to the first page leads to the URL of the site, without another redirect.
    const url = new URL(redirectPaths.get(pathBelow(target).replace(/\/$/, "")) ?? target, mount.url)
    const isOwn = url.origin === siteOrigin
    const to = isOwn ? url.pathname + url.search + url.hash : url.href
    list.push({ from: base + path, to })
    yield* emit(file, RedirectFiles.renderPage(to, isOwn && !hasPublicUrl ? undefined : url.href))
  }
  const { locale } = SiteContexts.customizationOf(site, published).internationalization
  const otherFiles = [
    ...index.files(locale),
    ...(list.length === 0
      ? []
      : [
          { path: RedirectFiles.redirectList, bytes: RedirectFiles.renderList(list) },
          { path: RedirectFiles.nginxMap, bytes: RedirectFiles.renderNginxMap(list) }
        ]),
    // GitHub Pages ignores names that start with `~` and `_` without this file.
    { path: ".nojekyll", bytes: "" }
  ]
  for (const { path, bytes } of otherFiles) if (claim(path, path)) yield* emit(path, bytes)

  for (const space of spaces) {
    for (let page: string | undefined; ;) {
      const files = yield* asReader(
        published,
        contents.files(space.location, { limit: 1_000, ...(page !== undefined && { page }) })
      )
      for (const file of files.items) {
        const written = MountedFiles.writtenFile(mount, file)
        const isLoaded = written && filePaths.delete(written.path.split("/").map(encodeURIComponent).join("/"))
        if (isLoaded && claim(written.path, file.name)) yield* emitBytes(written.url, written.path)
      }
      page = files.next?.page
      if (page === undefined) break
    }
  }

  if ([...assetNames].some((name) => name.startsWith("diagrams.")))
    for (const name of options.diagrams?.names ?? []) assetNames.add(name)
  for (const name of [...assetNames].sort()) {
    const path = `~lectern/${name}`
    if (claim(path, path)) yield* emitBytes(mount.url + path, path)
  }

  return {
    pages: pageCount,
    redirects: list.length,
    leftOut: leftOut({ hasPublicUrl, canRender, hasOperations }),
    problems
  } satisfies StaticSiteSummary
})

const leftOut = ({
  hasPublicUrl,
  canRender,
  hasOperations
}: {
  readonly hasPublicUrl: boolean
  readonly canRender: boolean
  readonly hasOperations: boolean
}): ReadonlyArray<string> => [
  ...(hasPublicUrl
    ? []
    : [
        "Canonical URLs, the sitemap, feeds and pictures for link previews need absolute URLs: set --site-url to add them"
      ]),
  ...(hasPublicUrl && !canRender
    ? ["Pictures for link previews need the renderer of the package @lectern/server"]
    : []),
  ...(hasOperations ? ["The form to try an operation of an API needs a server"] : []),
  "Feedback, PDFs, sign-on of visitors, blocks of integrations and the MCP endpoint need a server"
]
