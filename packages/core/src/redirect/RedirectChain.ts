/**
 * Redirects of a site that lead to URLs of the same site, one after the other.
 *
 * Limit: a reader is led on 10 times at most. A chain that is longer, or comes back, leads nowhere.
 */
import { Effect } from "effect"
import { foldSource } from "./Redirect.ts"
import { appended, type LiveRedirects, redirectOf } from "./RedirectMatch.ts"

const maxSteps = 10

/** The path below the site that a URL names, with a slash in front; undefined for a URL elsewhere. */
export type OwnPath = (url: string) => string | undefined

/** The path that the redirect of a path leads to on the same site; undefined where it ends or leaves the site. */
const nextOf = (redirects: LiveRedirects, path: string, own: OwnPath) => {
  const found = redirectOf(redirects, path)
  if (found?.row.destination.kind !== "external") return undefined
  const next = own(appended(found.row.destination.url, found.rest))
  return next === undefined ? undefined : { next, isExact: !found.row.source.endsWith("*") }
}

/**
 * The paths of a ring that a redirect would close, the first one again at the end; undefined where it closes none. A
 * redirect with a `*` may lead to a page below its own source, so rings of those are found when somebody asks.
 */
export const ringOf = (redirects: LiveRedirects, source: string, own: OwnPath): ReadonlyArray<string> | undefined => {
  const passed = [source]
  const seen = new Set([foldSource(source)])
  for (let path = source; !path.endsWith("*");) {
    const step = nextOf(redirects, path, own)
    if (step === undefined || !step.isExact) return undefined
    passed.push(step.next)
    if (seen.has(foldSource(step.next))) return passed
    seen.add(foldSource(step.next))
    path = step.next
  }
  return undefined
}

/** True where following the redirect of a path comes to nothing: to itself, in a ring, or no end. */
export const isEndless = Effect.fnUntraced(function* <E, R>(
  redirects: LiveRedirects,
  from: string,
  own: OwnPath,
  isThere: (path: string) => Effect.Effect<boolean, E, R>
) {
  const seen = new Set([foldSource(from)])
  let path = from
  for (let steps = 0; steps < maxSteps; steps++) {
    const step = nextOf(redirects, path, own)
    if (step === undefined) return false
    if (seen.has(foldSource(step.next))) return true
    if (yield* isThere(step.next)) return false
    seen.add(foldSource(step.next))
    path = step.next
  }
  return true
})
