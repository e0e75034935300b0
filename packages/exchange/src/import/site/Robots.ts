/**
 * Reads the rules of a site for crawlers, its `robots.txt`. A site without the file has no rules. If the file is
 * temporarily unavailable, the site is not read.
 *
 * Limits: 500 KiB and 5,000 lines of the file; a delay between requests of at most 10 seconds.
 */
import { Effect } from "effect"
import robotsParser from "robots-parser"
import type { GuardedFetch } from "@lectern/core/fetch/GuardedFetch"

export interface Robots {
  readonly allows: (url: string) => boolean
  /** Delay between two requests (seconds). */
  readonly delay: number
  readonly sitemaps: ReadonlyArray<string>
}

/** User agent name in rules for this program. */
const agent = "Lectern"

const maxBytes = 500 * 1024
const maxLines = 5000
const maxDelay = 10

// The type is cast, since the types of the package declare its function as a field of the exported value.
const rulesOf = robotsParser as unknown as typeof robotsParser.default

const allowAll: Robots = { allows: () => true, delay: 0, sitemaps: [] }
const denyAll: Robots = { allows: () => false, delay: 0, sitemaps: [] }

export const fetchRobots = (fetcher: GuardedFetch["Service"], origin: string): Effect.Effect<Robots> => {
  const url = `${origin}/robots.txt`
  return fetcher.fetch(url, { maxBytes, timeout: "10 seconds", accept: "text/plain" }).pipe(
    Effect.map(({ bytes }) => parse(url, new TextDecoder().decode(bytes))),
    Effect.catch(({ reason, status = 0 }) =>
      // A file that is too large or a wrong redirect counts as no robots.txt. A timeout, status 429 or a server error
      // may be temporary, and counts as `denyAll`.
      Effect.succeed(reason === "timeout" || status >= 500 || status === 429 ? denyAll : allowAll)
    )
  )
}

export const parse = (url: string, text: string): Robots => {
  const rules = rulesOf(url, text.split("\n", maxLines).join("\n"))
  const delay = Number(rules.getCrawlDelay(agent) ?? 0)
  return {
    allows: (page) => rules.isAllowed(page, agent) ?? true,
    delay: delay > 0 ? Math.min(delay, maxDelay) : 0,
    sitemaps: rules.getSitemaps().flatMap((map) => (URL.canParse(map, url) ? [new URL(map, url).href] : []))
  }
}
