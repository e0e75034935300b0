/**
 * Content of a site for programs, at the URLs that they expect: Markdown of each page, lists of pages, sitemaps,
 * `robots.txt`, feeds and an MCP endpoint. All content is read as the reader of the request.
 */
import * as ServedNames from "@lectern/core/site/ServedNames"
import { SiteMount } from "@lectern/core/site/SiteAddress"
import { ComputedSpecs } from "@lectern/core/computed/ComputedSpecs"
import { ContentSpecs } from "@lectern/core/computed/ContentSpecs"
import { Contents } from "@lectern/core/content/Contents"
import type { ContentPageNotFound } from "@lectern/core/content/edits/ContentErrors"
import { PublishedSites } from "@lectern/core/publishing/PublishedSites"
import type { PublishedContent } from "@lectern/core/publishing/PublishedUrl"
import { Searches } from "@lectern/core/search/Searches"
import * as JsonText from "@lectern/core/schema/JsonText"
import { SingleFlight } from "@lectern/core/storage/SingleFlight"
import { Slice } from "@lectern/core/storage/Slice"
import type { StorageError } from "@lectern/core/storage/Storage"
import { Hasher } from "@lectern/core/storage/Hasher"
import { MemoryBudget } from "@lectern/core/thread/MemoryBudget"
import { Threads } from "@lectern/core/thread/Threads"
import { Tokens } from "@lectern/core/token/Tokens"
import { Users } from "@lectern/core/user/Users"
import { Effect, Scope } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { decodePercent } from "@lectern/document/PercentEncoding"
import * as OperationMarkdown from "../api/OperationMarkdown.ts"
import * as HtmlChunks from "../html/HtmlChunks.ts"
import * as PageDocument from "../reading/PageDocument.ts"
import type { ResolvedUrl } from "../reading/SitePages.ts"
import * as LinkTargets from "../reading/LinkTargets.ts"
import * as Tree from "../reading/Tree.ts"
import { prefersMarkdown } from "./ContentNegotiation.ts"
import * as EntityTag from "../server/EntityTag.ts"
import * as RenderCache from "../server/RenderCache.ts"
import type { SocialImages } from "../server/SocialImages.ts"
import * as AlternateUrls from "./AlternateUrls.ts"
import * as AtomFeed from "./AtomFeed.ts"
import * as LlmsTxt from "./LlmsTxt.ts"
import * as PageMarkdown from "./PageMarkdown.ts"
import * as TextParts from "./TextParts.ts"
import type { Documentation } from "./Mcp.ts"
import * as PageSearch from "./PageSearch.ts"
import * as VisibleSite from "./VisibleSite.ts"
import * as Sitemap from "./Sitemap.ts"
import * as PageSuggestions from "./PageSuggestions.ts"

/** Request for a URL of a site. */
export interface MachineRequest {
  /** URL that the reader requested. */
  readonly url: URL
  readonly accept: string | undefined
  /** Finds another URL of the site for the same reader. */
  readonly find: (url: URL) => Effect.Effect<ResolvedUrl, StorageError>
  /** True if the URL resolves to a page, unless the site has a file of its own at the URL. */
  readonly isPage: boolean
  /** Returns the preview picture of a page by URL; undefined if the page has no picture. */
  readonly socialImageOf: SocialImages["respond"]
}

type HttpResponse = HttpServerResponse.HttpServerResponse

/** Pages in one part of the whole text, and bytes of memory needed to write one part. */
const pagesPerPart = 50
const partBytes = 16 * 1024 * 1024
/** Bytes of memory for each entry of a sitemap while the sitemap is written. */
const sitemapEntryBytes = 500
/** Bytes of cached sitemaps. 50,000 pages take about 10 MB. */
const sitemapBytes = 32 * 1024 * 1024

const headers = { "x-content-type-options": "nosniff", "cache-control": "private, no-cache" }

const textResponse = (
  body: string | Uint8Array,
  contentType: string,
  extraHeaders: Record<string, string> = {},
  status = 200
) => {
  const options = { status, contentType: `${contentType}; charset=utf-8`, headers: { ...headers, ...extraHeaders } }
  return typeof body === "string"
    ? HttpServerResponse.text(body, options)
    : HttpServerResponse.uint8Array(body, options)
}

/**
 * Returns a Markdown response. It is not indexed and names the HTML page as canonical, since search engines index the
 * HTML.
 */
const markdownResponse = (body: string, canonical: string, status = 200) =>
  textResponse(
    body,
    "text/markdown",
    { vary: "accept", "x-robots-tag": "noindex", link: `<${canonical}>; rel="canonical"` },
    status
  )

const optionalText = (body: string | Uint8Array | undefined, contentType: string) =>
  body === undefined ? undefined : textResponse(body, contentType, { "x-robots-tag": "noindex" })

interface SitemapFiles {
  /** `sitemap.xml`, then its numbered parts. */
  readonly files: ReadonlyArray<{ readonly body: Uint8Array; readonly etag: string }>
  readonly length: number
  readonly isComplete: boolean
}

export const make = Effect.gen(function* () {
  const hasher = yield* Hasher
  const contents = yield* Contents
  const sites = yield* PublishedSites
  const tokens = yield* Tokens
  const users = yield* Users
  const searches = yield* Searches
  const threads = yield* Threads
  const specs = yield* ComputedSpecs
  const contentSpecs = yield* ContentSpecs
  const budget = yield* MemoryBudget
  const services = { contents, sites, tokens, users, searches, threads }
  const sitemaps = RenderCache.make<SitemapFiles>(sitemapBytes)
  // Concurrent readers share a full text. It is not cached, since a link target outside of its revision can change.
  const fullTexts = new SingleFlight<string, string | undefined, ContentPageNotFound | StorageError>()

  /**
   * Cached texts by page, each for the page's latest URL and link targets. Weak references, so texts are
   * garbage-collected early: responses have their own cache.
   */
  const textCache = new WeakMap<object, WeakRef<{ readonly cacheKey: string; readonly text: string }>>()

  /**
   * Texts by revision and page, while a site is written to files. Its content does not change, and each text is used
   * twice: for the page and for the full text.
   */
  const staticTexts = new Map<string, { readonly url: string; readonly text: string }>()

  /** Returns the URL of a page and its whole text as Markdown. */
  const pageText = Effect.fnUntraced(function* (
    site: VisibleSite.VisibleSite,
    space: VisibleSite.VisibleSpace,
    id: string
  ) {
    const staticKey = (yield* SiteMount)?.staticSite && `${space.location.revision.id} ${space.base} ${id}`
    const staticText = staticKey === undefined ? undefined : staticTexts.get(staticKey)
    if (staticText !== undefined) return staticText
    const page = yield* contents.page(space.location, id, PageDocument.options)
    const json = JsonText.jsonOfField(page, "document")
    if (json !== undefined) yield* budget.reserveForResponse(json.length * PageDocument.bytesPerCharacter)
    const { stored, refs } = yield* PageDocument.read(threads, page)
    const targets = yield* LinkTargets.find(services, site.site, space, refs)
    const description = page.type === "document" ? page.description : undefined
    const titleAndDescription = { title: page.title, ...(description !== undefined && { description }) }
    const url = Tree.urlOf(page, space)
    const cacheKey = `${url} ${targets.text}`
    const cached = textCache.get(page)?.deref()
    if (cached?.cacheKey === cacheKey) return { url, text: cached.text }
    const text = yield* PageMarkdown.textOf(threads, { ...titleAndDescription, stored, refs, url }, (ref) =>
      // A relative path stays a path, since Markdown cannot express a link without a target.
      ref.kind === "url" ? { url: ref.url, title: ref.url } : targets.targetOf(ref)
    )
    if (staticKey === undefined) textCache.set(page, new WeakRef({ cacheKey, text }))
    else staticTexts.set(staticKey, { url, text })
    return { url, text }
  })

  /** Returns one part of the page of a URL. */
  const pagePart = Effect.fnUntraced(function* (published: PublishedContent, part: TextParts.RequestedPart) {
    const site = yield* VisibleSite.read(services, published)
    const space = yield* VisibleSite.readOwnSpace(services, site)
    if (space === undefined || published.page === undefined) return undefined
    const { url, text } = yield* pageText(site, space, published.page)
    const links = { url: AlternateUrls.markdownUrl(url), index: site.base + ServedNames.index }
    const markdown = PageMarkdown.pagePart(text, part, links)
    return markdown === undefined ? undefined : { markdown, url }
  })

  const pageResponse = (published: PublishedContent, part: TextParts.RequestedPart) =>
    Effect.map(pagePart(published, part), (found) => found && markdownResponse(found.markdown, found.url))

  /** Returns one part of the concatenated pages of a site or space. */
  const fullText = Effect.fnUntraced(function* (
    site: VisibleSite.VisibleSite,
    spaces: ReadonlyArray<VisibleSite.VisibleSpace>,
    base: string,
    { number, maxLength }: TextParts.RequestedPart
  ) {
    const all = spaces.flatMap((space) => VisibleSite.pagesOf(space).map((page) => ({ space, ...page })))
    const count = maxLength === Infinity ? all.length : pagesPerPart
    const includedPages = all.slice((number - 1) * count, number * count)
    if (includedPages.length === 0 && number > 1) return undefined
    const slice = yield* Slice.start
    const texts: Array<string> = []
    for (const { space, page } of includedPages) {
      const { url, text } = yield* pageText(site, space, page.id)
      const firstPart = TextParts.partAt(text, maxLength, 1)!
      const continuation = firstPart.isLast ? "" : `\n\nThis page goes on: ${AlternateUrls.markdownUrl(url)}?part=2`
      texts.push(`<!-- ${url} -->\n\n${firstPart.text.trimEnd()}${continuation}`)
      if (slice.isOver()) yield* slice.pause
    }
    const nextPartLink =
      all.length > number * count ? [`More pages: ${base}${ServedNames.fullText}?part=${number + 1}`] : []
    return `${[...texts, ...nextPartLink].join("\n\n---\n\n")}\n`
  })

  /** Renders all sitemap files of a site. */
  const renderSitemaps = Effect.fnUntraced(function* (spaces: ReadonlyArray<VisibleSite.VisibleSpace>, base: string) {
    const texts = yield* Sitemap.files(entriesOf(spaces), base)
    const files = yield* Effect.forEach(texts, (pieces) =>
      Effect.all({
        body: HtmlChunks.encode(pieces),
        etag: Effect.map(HtmlChunks.hashChunks(hasher, pieces), EntityTag.entityTagOf)
      })
    )
    return { files, length: files.reduce((sum, { body }) => sum + body.length, 0), isComplete: true }
  })

  /** Returns a file for machines by its name, below the site, a space or a page. */
  const file = Effect.fnUntraced(function* (
    published: PublishedContent,
    pathname: string,
    path: string,
    name: string,
    part: TextParts.RequestedPart
  ) {
    const site = yield* VisibleSite.read(services, published)
    const { title, visibility } = site.site.site
    const isListed = visibility === "public"
    // The base path of the default section contains the section's path if a page has the same name as a section. Files
    // of the site stay at the site's base path.
    const isSiteFile = published.basePath === published.siteBasePath || pathname === published.siteBasePath + name
    const isWholeSite = path === "" && isSiteFile
    const sitemap = ServedNames.sitemapPart.exec(name)
    if (sitemap !== null) {
      if (!isWholeSite || !isListed) return undefined
      const spaces = yield* VisibleSite.readSpaces(services, site)
      const count = spaces.reduce((sum, { tree }) => sum + Tree.allDocuments(tree).length, 0)
      const inputs = [site.base, ...spaces.flatMap(({ base, tree }) => [base, tree])]
      const rendered = yield* sitemaps.get(
        RenderCache.readerKey(published),
        inputs,
        budget.runReserved(count * sitemapEntryBytes, renderSitemaps(spaces, site.base))
      )
      const sitemapFile = sitemap[1] === "0" ? undefined : rendered.files[Number(sitemap[1] ?? 0)]
      return (
        sitemapFile &&
        textResponse(sitemapFile.body, "application/xml", { "x-robots-tag": "noindex", etag: sitemapFile.etag })
      )
    }
    if (name === ServedNames.robots) {
      const hasSitemap = isListed && (yield* SiteMount)?.staticSite?.hasPublicUrl !== false
      return isWholeSite ? textResponse(Sitemap.robotsTxt(site.base, hasSitemap), "text/plain") : undefined
    }
    const own = yield* VisibleSite.readOwnSpace(services, site)
    if (path !== "") {
      const page = name === ServedNames.index ? own && Tree.byPath(own.tree, path) : undefined
      return page && own && optionalText(LlmsTxt.pageList(page, own, part), "text/plain")
    }
    const spaces = isWholeSite ? yield* VisibleSite.readSpaces(services, site) : own === undefined ? [] : [own]
    const [base, titleAndDescription] =
      isWholeSite || own === undefined ? [site.base, { title }] : [own.base, { title: own.siteSpace.title }]
    if (name === ServedNames.index)
      return optionalText(LlmsTxt.siteList(titleAndDescription, base, spaces, part), "text/plain")
    const defaultSpaces = spaces.filter(({ siteSpace }) => !isWholeSite || siteSpace.default)
    const revisions = defaultSpaces.map(({ location }) => location.revision.id)
    const rendered = yield* fullTexts.run(
      [RenderCache.readerKey(published), isWholeSite, part.number, ...revisions].join(" "),
      budget.runReserved(partBytes, fullText(site, defaultSpaces, base, part))
    )
    return optionalText(rendered, "text/plain")
  })

  const notFoundResponse = Effect.fnUntraced(function* (published: PublishedContent) {
    const site = yield* VisibleSite.read(services, published)
    const suggestedPages = yield* PageSuggestions.find(services, site)
    return markdownResponse(
      PageSuggestions.renderMarkdown(suggestedPages, site.base + ServedNames.index),
      site.base,
      404
    )
  })

  /** Runs an effect as the reader of the content; undefined if the reader cannot see some of the content. */
  const readAs = <A, E, R>(published: PublishedContent, effect: Effect.Effect<A, E, R>) =>
    effect.pipe(
      VisibleSite.asReader(services, published),
      Effect.catch((failure) =>
        typeof failure === "object" && failure !== null && "_tag" in failure && failure._tag === "StorageError"
          ? Effect.fail(failure as StorageError)
          : Effect.undefined
      )
    )

  /** Returns another format of a page, at the page's path with a file extension. Undefined if no such page exists. */
  const respondAlternate = Effect.fnUntraced(function* (
    published: PublishedContent,
    { url, find }: MachineRequest,
    extension: ServedNames.Ending,
    response: (
      found: Extract<ResolvedUrl, { readonly type: "page" }>
    ) => Effect.Effect<HttpResponse | undefined, StorageError>
  ) {
    const path = AlternateUrls.withoutExtension(url.pathname, extension)
    if (path === undefined) return undefined
    const parent = path.endsWith("/index") ? path.slice(0, -"index".length) : undefined
    const paths = parent === undefined ? [path] : isIndexUrl(published, parent) ? [parent, path] : [path, parent]
    for (const pathname of paths) {
      const resolved = yield* find(withPath(url, pathname))
      if (resolved.type === "page") return yield* response(resolved)
      // Redirects to the page's current URL in the requested format.
      if (resolved.type === "redirect") {
        const redirectUrl = resolved.leavesSite ? undefined : URL.parse(resolved.to, url)
        const location =
          redirectUrl === undefined || redirectUrl === null
            ? resolved.to
            : withPath(redirectUrl, alternateUrl(redirectUrl.pathname, extension)).href
        return HttpServerResponse.empty({ status: 307, headers: { ...headers, location } })
      }
    }
    return undefined
  })

  const scope = yield* Effect.scope
  // The module is loaded on the first request, since loading takes time and few sites get MCP requests.
  const mcp = yield* Effect.promise(() => import("./Mcp.ts")).pipe(
    Effect.flatMap(({ make }) => make),
    Effect.orDie,
    Scope.provide(scope),
    Effect.uninterruptible,
    Effect.cached
  )

  const documentationOf = (published: PublishedContent, { url: requestUrl, find }: MachineRequest): Documentation => ({
    search: (query, limit) =>
      VisibleSite.read(services, published).pipe(
        Effect.flatMap((site) => PageSearch.find(services, site, query, limit)),
        (results) => readAs(published, results),
        Effect.map((results) => results ?? [])
      ),
    pages: VisibleSite.read(services, published).pipe(
      Effect.flatMap((site) => VisibleSite.readSpaces(services, site)),
      Effect.map((spaces) => spaces.flatMap((space) => VisibleSite.pagesOf(space).map(LlmsTxt.titledPage))),
      (pages) => readAs(published, pages),
      Effect.map((pages) => pages ?? [])
    ),
    page: Effect.fnUntraced(function* (requestedUrl, part) {
      const site = yield* readAs(published, VisibleSite.read(services, published))
      const siteUrl = new URL(published.siteBasePath, requestUrl)
      const bases = [site?.base ?? siteUrl.href, siteUrl.href, published.siteBasePath, "/"]
      const relativeUrl = requestedUrl.slice(bases.find((base) => requestedUrl.startsWith(base))?.length ?? 0)
      const url = URL.parse(relativeUrl, siteUrl)
      // URLs of other sites are not resolved, since these sites have their own MCP endpoints.
      if (!url?.href.startsWith(siteUrl.href)) return undefined
      const path = AlternateUrls.withoutExtension(url.pathname, "md")
      const pageUrl = path === undefined ? url : withPath(url, path.endsWith("/index") ? path.slice(0, -5) : path)
      const resolved = yield* find(pageUrl)
      const redirectUrl = resolved.type === "redirect" && !resolved.leavesSite ? URL.parse(resolved.to, pageUrl) : null
      const target = redirectUrl === null ? resolved : yield* find(redirectUrl)
      return target.type === "page" && target.published.site === published.site
        ? yield* readAs(target.published, pagePart(target.published, { number: part, maxLength: TextParts.maxLength }))
        : undefined
    }),
    operation: (method, path) =>
      Effect.gen(function* () {
        const spaces = yield* VisibleSite.readSpaces(services, yield* VisibleSite.read(services, published))
        const pageSpecNames = spaces.map(({ tree }) => OperationMarkdown.specNamesIn(tree.pages))
        const blockSpecNames = yield* Effect.forEach(spaces, ({ location }) => contentSpecs.referenced(location))
        const names = new Set([...pageSpecNames, ...blockSpecNames].flatMap((names) => [...names]))
        const namedSpecs = yield* OperationMarkdown.specsByName(specs, published.organization, names)
        const fileSpecs = yield* Effect.forEach(spaces, ({ location }) =>
          OperationMarkdown.specsInFiles(contentSpecs, location)
        )
        return yield* OperationMarkdown.findOperation([...namedSpecs, ...fileSpecs.flat()], { method, path })
      }).pipe((operation) => readAs(published, operation))
  })

  /** Returns a file for machines, or a page in another format; undefined for other paths. */
  const siteFileResponse = Effect.fnUntraced(function* (published: PublishedContent, request: MachineRequest) {
    const { url, socialImageOf } = request
    const part = yield* requestedPart(url)
    const [name = "", ...parentSegments] = decodePercent(published.pathname).split("/").toReversed()
    if (isListFile(name)) {
      const path = parentSegments.toReversed().join("/").replace(/^\//, "")
      const response = yield* readAs(published, file(published, url.pathname, path, name, part))
      if (response !== undefined || !prefersMarkdown(request.accept)) return response
    }
    const feed = yield* respondAlternate(published, request, "atom", ({ sitePage }) =>
      Effect.map(AtomFeed.renderFeed(sitePage), (body) => optionalText(body, "application/atom+xml"))
    )
    if (feed !== undefined) return feed
    const image = yield* respondAlternate(published, request, "png", (found) => socialImageOf(found, url))
    if (image !== undefined) return image
    return yield* respondAlternate(published, request, "md", ({ published }) =>
      readAs(published, pageResponse(published, part))
    )
  })

  return {
    /**
     * Responds to a program's request for a URL. Undefined if the response is a page as HTML, or if nothing exists at
     * the URL.
     */
    respond: Effect.fn("MachineReadable.respond")(function* (resolved: ResolvedUrl, request: MachineRequest) {
      const { url, accept } = request
      const wantsMarkdown = prefersMarkdown(accept)
      if (resolved.type === "page") {
        const { published } = resolved
        return wantsMarkdown ? yield* readAs(published, pageResponse(published, yield* requestedPart(url))) : undefined
      }
      if (resolved.type !== "no-page") return undefined
      const { published } = resolved
      if (published.pathname === AlternateUrls.mcpPath) {
        const httpRequest = yield* HttpServerRequest.HttpServerRequest
        return yield* (yield* mcp)(httpRequest, url.origin, documentationOf(published, request))
      }
      const own = yield* siteFileResponse(published, request)
      if (own !== undefined || request.isPage) return own
      const isMarkdown = wantsMarkdown || url.pathname.endsWith(".md")
      return isMarkdown ? yield* readAs(published, notFoundResponse(published)) : undefined
    }),

    /** Returns pages that the path of a missing page may mean, best match first. */
    suggestions: (published: PublishedContent): Effect.Effect<ReadonlyArray<PageSearch.FoundPage>, StorageError> =>
      VisibleSite.read(services, published).pipe(
        Effect.flatMap((site) => PageSuggestions.find(services, site)),
        VisibleSite.asReader(services, published),
        Effect.catch((failure) => (failure._tag === "StorageError" ? Effect.fail(failure) : Effect.succeed([])))
      )
  }
})

export type MachineReadable = Effect.Success<typeof make>

/** Returns the part that a URL names, or the whole text if the site is written to files. */
const requestedPart = (url: URL) =>
  Effect.map(SiteMount, (mount) => (mount?.staticSite === undefined ? TextParts.partOf(url) : TextParts.wholeText))

/** Yields the pages for search engines, lazily. */
function* entriesOf(spaces: ReadonlyArray<VisibleSite.VisibleSpace>): Generator<Sitemap.Entry> {
  for (const space of spaces) {
    for (const page of Tree.allDocuments(space.tree)) {
      if (page.noRobotsIndex === true) continue
      yield { url: Tree.urlOf(page, space), ...(space.isStatic !== true && { updatedAt: page.updatedAt }) }
    }
  }
}

/**
 * True if the URL is a front page, or a page whose URL ends with a slash (see `ServedNames`). `index.md` below such a
 * URL is the Markdown of the page itself.
 */
const isIndexUrl = ({ basePath }: PublishedContent, pathname: string): boolean =>
  URL.parse(basePath, "http://localhost")?.pathname === pathname ||
  pathname.endsWith("/index/") ||
  ServedNames.isServed([decodePercent(pathname).split("/").at(-2) ?? ""])

const isListFile = (name: string): boolean =>
  name === ServedNames.index ||
  name === ServedNames.fullText ||
  name === ServedNames.robots ||
  ServedNames.sitemapPart.test(name)

const alternateUrl = (path: string, extension: ServedNames.Ending): string => {
  if (extension === "md") return AlternateUrls.markdownUrl(path)
  return extension === "atom" ? AlternateUrls.feedUrl(path) : AlternateUrls.socialImageUrl(path)
}

const withPath = (url: URL, pathname: string): URL => {
  const copy = new URL(url)
  copy.pathname = pathname
  return copy
}
