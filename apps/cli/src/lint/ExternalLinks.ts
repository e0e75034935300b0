/**
 * Checks the URLs of other websites that pages link to, with the requests of a server's link checks: HEAD, then GET, each
 * within 10 seconds and only to public addresses. Only a URL that certainly does not exist is a problem: status 404 or
 * 410, or an unknown host.
 *
 * Limits: 5,000 URLs and 15 minutes; 8 hosts at once, and one request at a time for each host with a pause of 0.2
 * seconds. Further URLs of a host are not checked after a response that demands fewer requests, or after a timeout.
 */
import { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"
import * as LinkRequests from "@lectern/core/link-check/LinkRequests"
import type { ImportCache } from "@lectern/exchange/import/ImportCache"
import { Clock, Duration, Effect } from "effect"
import * as LinkPositions from "./LinkPositions.ts"
import type { MarkdownFile } from "./MarkdownFile.ts"
import type { Problem } from "./Problems.ts"

const maxUrls = 5_000
const maxTime = Duration.minutes(15)
const hostsAtOnce = 8
const pause = Duration.millis(200)

/** Names that are reserved for examples and tests. */
const reservedHost = /(?:^|\.)(?:example|test|invalid|localhost|local|example\.(?:com|net|org))$/i

export interface ExternalLinks {
  readonly problems: ReadonlyArray<Problem>
  readonly checked: number
  /** Number of URLs that were not checked because of the limits. */
  readonly unchecked: number
}

interface LinkedUrl {
  readonly path: string
  /** URL as written. */
  readonly url: string
}

/** `pages`: the links of all pages. */
export const check = Effect.fnUntraced(function* (
  pages: ImportCache["pages"],
  fileAt: (path: string) => MarkdownFile | undefined
) {
  const fetcher = yield* GuardedFetch
  const linksByUrl = linksIn(pages)
  const urlsByHost = new Map<string, Array<string>>()
  let urlCount = 0
  for (const url of linksByUrl.keys()) {
    if (urlCount === maxUrls) break
    // The server refuses other URLs too, for example those of private addresses.
    if (!(yield* Effect.isSuccess(fetcher.check(url)))) {
      linksByUrl.delete(url)
      continue
    }
    urlCount++
    const { host } = new URL(url)
    const urls = urlsByHost.get(host)
    if (urls === undefined) urlsByHost.set(host, [url])
    else urls.push(url)
  }
  const until = (yield* Clock.currentTimeMillis) + Duration.toMillis(maxTime)
  const missing = new Map<string, string>()
  let checked = 0
  const visit = Effect.fnUntraced(function* (urls: ReadonlyArray<string>) {
    for (const [i, url] of urls.entries()) {
      if (i > 0) yield* Effect.sleep(pause)
      if ((yield* Clock.currentTimeMillis) >= until) return
      const { isMissing, outcome, retryAfterMillis } = yield* LinkRequests.checkUrl(fetcher, url)
      checked++
      if (isMissing) missing.set(url, outcome)
      if (retryAfterMillis !== undefined) return
    }
  })
  yield* Effect.forEach(urlsByHost.values(), visit, { concurrency: hostsAtOnce, discard: true })
  const problems = Array.from(missing).flatMap(([checkedUrl, outcome]) =>
    linksByUrl.get(checkedUrl)!.flatMap(({ path, url }): ReadonlyArray<Problem> => {
      const file = fileAt(path)
      const reason = outcome === "unknown-host" ? "its host is unknown" : `the status is ${outcome}`
      const message = `A link leads to nothing on the web, ${reason}: ${url}`
      const rule = "broken-external-link"
      if (file === undefined) return [{ path, rule, message }]
      return LinkPositions.positionsOf(file, url).map((position) => ({ path, ...position, rule, message }))
    })
  )
  return { problems, checked, unchecked: linksByUrl.size - checked } satisfies ExternalLinks
})

/** Returns the links of all pages by the URL to check, which has no fragment. */
const linksIn = (pages: ImportCache["pages"]): Map<string, ReadonlyArray<LinkedUrl>> => {
  const links = new Map<string, Array<LinkedUrl>>()
  for (const [path, { targets }] of pages) {
    for (const url of targets.keys()) {
      if (!/^https?:\/\//i.test(url) || !URL.canParse(url)) continue
      if (reservedHost.test(new URL(url).hostname)) continue
      const checkedUrl = url.replace(/#.*$/s, "")
      const list = links.get(checkedUrl)
      if (list === undefined) links.set(checkedUrl, [{ path, url }])
      else list.push({ path, url })
    }
  }
  return links
}
