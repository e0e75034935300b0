/**
 * Reads the pages of a web site within its folder: pages of its sitemaps and linked pages, as its `robots.txt` allows.
 * Four pages are requested at once, or one after another if the site requests a delay. The crawl stops if the site
 * reports too many requests.
 */
import { Effect } from "effect"
import type { FetchedFile, GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import { type ImportLimits, importRefused } from "../ContentImport.ts"
import type { ImportBudget } from "../ImportBudget.ts"
import * as ConcurrentQueue from "../ConcurrentQueue.ts"
import type { Reader, SourcePage } from "../SourceReader.ts"
import { Frontier, type CrawlTarget } from "./Frontier.ts"
import * as Robots from "./Robots.ts"
import * as SiteAddress from "./SiteAddress.ts"
import * as Sitemaps from "./Sitemaps.ts"

export interface CrawledPage {
  readonly url: URL
  readonly path: string
  readonly page: SourcePage
}

export interface Crawled {
  /** The pages in the order in which they were found. */
  readonly pages: ReadonlyArray<CrawledPage>
  /** Further URLs of pages: index in `pages` by the key of the URL. */
  readonly pageIndexes: ReadonlyMap<string, number>
  /** Number of known pages of the site. */
  readonly foundCount: number
}

export interface CrawlOptions {
  readonly fetcher: GuardedFetch["Service"]
  readonly budget: ImportBudget
  readonly reader: Reader
  readonly limits: ImportLimits
}

const concurrency = 4
const timeout = "10 seconds"
const accept = "text/html, application/xhtml+xml;q=0.9"

/** A crawl ends after this number of responses 429 or 503. `maxFailures`: number of failures after which it ends. */
const maxThrottled = 3
const maxFailures = 200

const isHtml = (contentType: string | undefined) =>
  contentType === undefined || /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType.trim())

interface RankedPage extends CrawledPage {
  readonly rank: number
}

export const begin = Effect.fnUntraced(function* (start: URL, options: CrawlOptions) {
  const { budget, fetcher, limits, reader } = options
  const pageBytes = limits.pageBytes

  const robotsOf = Effect.fnUntraced(function* (url: URL) {
    const robots = yield* Robots.fetchRobots(fetcher, url.origin)
    if (!robots.allows(url.href)) {
      return yield* importRefused(
        `${url.host} does not want ${url.pathname.slice(0, 100)} to be read: its robots.txt says so`
      )
    }
    return robots
  })

  const startRobots = yield* robotsOf(start)
  const response = yield* budget
    .fetch(start.href, { maxBytes: pageBytes, timeout, accept })
    .pipe(Effect.mapError(({ message }) => importRefused(message)))
  if (!isHtml(response.contentType)) {
    return yield* importRefused(
      `${start.host} answers ${response.contentType?.slice(0, 100)}, which is no page of a web site`
    )
  }
  const startUrl = new URL(response.url)
  const robots = startUrl.origin === start.origin ? startRobots : yield* robotsOf(startUrl)
  const pageAt = ({ bytes, contentType, url }: FetchedFile, rank: number) =>
    reader.html(bytes, { url, embedded: `embedded/${rank}`, ...(contentType !== undefined && { contentType }) })
  const first = yield* Effect.mapError(pageAt(response, 0), ({ message }) => importRefused(message))
  const scope = SiteAddress.scopeOf(startUrl, first.links)
  const frontier = new Frontier(scope)
  const pages: Array<RankedPage> = []
  /** Page by the key of each of its URLs. */
  const pagesByUrl = new Map<string, RankedPage>()
  const redirects = new Map([[SiteAddress.keyOf(start.href), SiteAddress.keyOf(startUrl.href)]])
  let failures = 0
  let throttledCount = 0

  const visit = Effect.fnUntraced(function* ({ url, rank }: CrawlTarget) {
    const fetched = yield* budget.fetch(url.href, { maxBytes: pageBytes, timeout, accept })
    const at = new URL(fetched.url)
    const isRedirected = SiteAddress.keyOf(at.href) !== SiteAddress.keyOf(url.href)
    if (!isHtml(fetched.contentType) || !SiteAddress.isWithin(scope, at) || !robots.allows(at.href))
      return frontier.drop()
    if (isRedirected) {
      redirects.set(SiteAddress.keyOf(url.href), SiteAddress.keyOf(at.href))
      frontier.drop()
      if (!frontier.markKnown(at)) return
    }
    addPage(at, rank, yield* pageAt(fetched, rank))
  })

  const addPage = (url: URL, rank: number, page: SourcePage) => {
    const rankedPage = { url, rank, page, path: SiteAddress.pathWithin(scope, url) }
    pages.push(rankedPage)
    pagesByUrl.set(SiteAddress.keyOf(url.href), rankedPage)
    for (const link of page.links) frontier.add(link)
  }

  let running = 0
  const take = (): CrawlTarget | undefined => {
    if (pages.length + running >= limits.resources || budget.isSpent()) return undefined
    if (throttledCount >= maxThrottled || failures >= maxFailures) return undefined
    for (let next = frontier.take(); next !== undefined; next = frontier.take()) {
      if (robots.allows(next.url.href)) {
        running++
        return next
      }
      frontier.drop()
    }
    return undefined
  }

  const visitOne = (target: CrawlTarget) =>
    visit(target).pipe(
      Effect.catch((error) =>
        Effect.sync(() => {
          failures++
          if (error._tag === "FetchFailed" && (error.status === 429 || error.status === 503)) throttledCount++
        })
      ),
      Effect.ensuring(Effect.sync(() => void running--)),
      robots.delay > 0 ? Effect.andThen(Effect.sleep(`${robots.delay} seconds`)) : (done) => done
    )

  frontier.markKnown(startUrl)
  if (frontier.markKnown(start)) frontier.drop()
  addPage(startUrl, 0, first)

  return {
    /** Reads all remaining pages within the limits. */
    run: Effect.gen(function* () {
      yield* Sitemaps.read(robots.sitemaps, scope, { budget, reader }, (url) => frontier.add(url, true))
      yield* ConcurrentQueue.processAll(take, visitOne, robots.delay > 0 ? 1 : concurrency)
    }),
    /** Returns the crawled pages. A later call may return more. */
    crawled: (): Crawled => withoutDuplicates(pages, withRedirects(pagesByUrl, redirects), frontier.count)
  }
})

const withRedirects = (pagesByUrl: ReadonlyMap<string, RankedPage>, redirects: ReadonlyMap<string, string>) => {
  const all = new Map(pagesByUrl)
  for (const [from, to] of redirects) {
    const page = pagesByUrl.get(to)
    if (page !== undefined && !all.has(from)) all.set(from, page)
  }
  return all
}

/** Returns the pages in order without duplicates, since sites publish a page under several URLs. */
const withoutDuplicates = (
  crawledPages: ReadonlyArray<RankedPage>,
  pagesByUrl: ReadonlyMap<string, RankedPage>,
  foundCount: number
): Crawled => {
  const pages: Array<RankedPage> = []
  const byText = new Map<string, number>()
  const indexOf = new Map<RankedPage, number>()
  for (const crawledPage of [...crawledPages].sort((a, b) => a.rank - b.rank)) {
    const text = `${crawledPage.page.title ?? ""}\n${crawledPage.page.markdown}`
    const duplicateOf = byText.get(text)
    indexOf.set(crawledPage, duplicateOf ?? pages.length)
    if (duplicateOf !== undefined) continue
    byText.set(text, pages.length)
    pages.push(crawledPage)
  }
  return {
    pages,
    pageIndexes: new Map(Array.from(pagesByUrl, ([key, page]) => [key, indexOf.get(page)!])),
    foundCount: foundCount - (crawledPages.length - pages.length)
  }
}
