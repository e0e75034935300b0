/**
 * Reads the pages of a web site within its folder: pages of its sitemaps and linked pages, as its `robots.txt` allows.
 * Four pages are requested at once, or one after another if the site requests a delay. The crawl stops if the site
 * reports too many requests.
 */
import { Effect } from "effect"
import type { FetchedFile, GuardedFetch } from "../../../fetch/GuardedFetch.ts"
import { type ImportLimits, importRefused } from "../ContentImport.ts"
import type { ImportBudget } from "../ImportBudget.ts"
import * as ConcurrentQueue from "../ConcurrentQueue.ts"
import type { Reader, ReadPage } from "../SourceReader.ts"
import { Frontier, type Target } from "./Frontier.ts"
import * as Robots from "./Robots.ts"
import * as SiteAddress from "./SiteAddress.ts"
import * as Sitemaps from "./Sitemaps.ts"

export interface CrawledPage {
  readonly url: URL
  readonly path: string
  readonly page: ReadPage
}

export interface Crawled {
  /** The pages in the order in which they were found. */
  readonly pages: ReadonlyArray<CrawledPage>
  /** Further URLs of pages: index in `pages` by the key of the URL. */
  readonly places: ReadonlyMap<string, number>
  /** Number of known pages of the site. */
  readonly found: number
}

export interface CrawlOptions {
  readonly fetcher: GuardedFetch["Service"]
  readonly budget: ImportBudget
  readonly reader: Reader
  readonly limits: ImportLimits
}

const atOnce = 4
const timeout = "10 seconds"
const accept = "text/html, application/xhtml+xml;q=0.9"

/** A crawl ends after this number of responses 429 or 503. `maxFailures`: number of failures after which it ends. */
const maxComplaints = 3
const maxFailures = 200

const isHtml = (contentType: string | undefined) =>
  contentType === undefined || /^(?:text\/html|application\/xhtml\+xml)\b/i.test(contentType.trim())

interface Read extends CrawledPage {
  readonly rank: number
}

export const begin = Effect.fnUntraced(function* (start: URL, options: CrawlOptions) {
  const { budget, fetcher, limits, reader } = options
  const pageBytes = limits.pageBytes

  const robotsOf = Effect.fnUntraced(function* (url: URL) {
    const robots = yield* Robots.of(fetcher, url.origin)
    if (!robots.allows(url.href)) {
      return yield* importRefused(
        `${url.host} does not want ${url.pathname.slice(0, 100)} to be read: its robots.txt says so`
      )
    }
    return robots
  })

  const asked = yield* robotsOf(start)
  const answer = yield* budget
    .fetch(start.href, { maxBytes: pageBytes, timeout, accept })
    .pipe(Effect.mapError(({ message }) => importRefused(message)))
  if (!isHtml(answer.contentType)) {
    return yield* importRefused(
      `${start.host} answers ${answer.contentType?.slice(0, 100)}, which is no page of a web site`
    )
  }
  const found = new URL(answer.url)
  const robots = found.origin === start.origin ? asked : yield* robotsOf(found)
  const pageAt = ({ bytes, contentType, url }: FetchedFile, rank: number) =>
    reader.html(bytes, { url, embedded: `embedded/${rank}`, ...(contentType !== undefined && { contentType }) })
  const first = yield* Effect.mapError(pageAt(answer, 0), ({ message }) => importRefused(message))
  const scope = SiteAddress.scopeOf(found, first.links)
  const frontier = new Frontier(scope)
  const pages: Array<Read> = []
  /** Page by the key of each of its URLs. */
  const places = new Map<string, Read>()
  const redirects = new Map([[SiteAddress.keyOf(start.href), SiteAddress.keyOf(found.href)]])
  let failures = 0
  let complaints = 0

  const visit = Effect.fnUntraced(function* ({ url, rank }: Target) {
    const got = yield* budget.fetch(url.href, { maxBytes: pageBytes, timeout, accept })
    const at = new URL(got.url)
    const isElsewhere = SiteAddress.keyOf(at.href) !== SiteAddress.keyOf(url.href)
    if (!isHtml(got.contentType) || !SiteAddress.isWithin(scope, at) || !robots.allows(at.href)) return frontier.drop()
    if (isElsewhere) {
      redirects.set(SiteAddress.keyOf(url.href), SiteAddress.keyOf(at.href))
      frontier.drop()
      if (!frontier.know(at)) return
    }
    keep(at, rank, yield* pageAt(got, rank))
  })

  const keep = (url: URL, rank: number, page: ReadPage) => {
    const read = { url, rank, page, path: SiteAddress.pathWithin(scope, url) }
    pages.push(read)
    places.set(SiteAddress.keyOf(url.href), read)
    for (const link of page.links) frontier.add(link)
  }

  let running = 0
  const take = (): Target | undefined => {
    if (pages.length + running >= limits.resources || budget.isSpent()) return undefined
    if (complaints >= maxComplaints || failures >= maxFailures) return undefined
    for (let next = frontier.take(); next !== undefined; next = frontier.take()) {
      if (robots.allows(next.url.href)) {
        running++
        return next
      }
      frontier.drop()
    }
    return undefined
  }

  const visitOne = (target: Target) =>
    visit(target).pipe(
      Effect.catch((error) =>
        Effect.sync(() => {
          failures++
          if (error._tag === "FetchFailed" && (error.status === 429 || error.status === 503)) complaints++
        })
      ),
      Effect.ensuring(Effect.sync(() => void running--)),
      robots.delay > 0 ? Effect.andThen(Effect.sleep(`${robots.delay} seconds`)) : (done) => done
    )

  frontier.know(found)
  if (frontier.know(start)) frontier.drop()
  keep(found, 0, first)

  return {
    /** Reads all remaining pages within the limits. */
    run: Effect.gen(function* () {
      yield* Sitemaps.read(robots.sitemaps, scope, { budget, reader }, (url) => frontier.add(url, true))
      yield* ConcurrentQueue.processAll(take, visitOne, robots.delay > 0 ? 1 : atOnce)
    }),
    /** Returns the crawled pages. A later call may return more. */
    crawled: (): Crawled => distinct(pages, withRedirects(places, redirects), frontier.count)
  }
})

const withRedirects = (places: ReadonlyMap<string, Read>, redirects: ReadonlyMap<string, string>) => {
  const all = new Map(places)
  for (const [from, to] of redirects) {
    const page = places.get(to)
    if (page !== undefined && !all.has(from)) all.set(from, page)
  }
  return all
}

/** Returns the pages in order without duplicates, since sites publish a page under several URLs. */
const distinct = (read: ReadonlyArray<Read>, places: ReadonlyMap<string, Read>, found: number): Crawled => {
  const pages: Array<Read> = []
  const byText = new Map<string, number>()
  const indexOf = new Map<Read, number>()
  for (const one of [...read].sort((a, b) => a.rank - b.rank)) {
    const text = `${one.page.title ?? ""}\n${one.page.markdown}`
    const same = byText.get(text)
    indexOf.set(one, same ?? pages.length)
    if (same !== undefined) continue
    byText.set(text, pages.length)
    pages.push(one)
  }
  return {
    pages,
    places: new Map(Array.from(places, ([key, one]) => [key, indexOf.get(one)!])),
    found: found - (read.length - pages.length)
  }
}
