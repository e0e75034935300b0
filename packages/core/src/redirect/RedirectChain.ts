/**
 * Follows chains of redirects within one site.
 *
 * Limit: 10 redirects per request. A longer chain, or a loop, resolves to nothing.
 */
import { Effect } from "effect"
import { foldSource } from "./Redirect.ts"
import { withRest, type LiveRedirects, redirectOf } from "./RedirectMatch.ts"

const maxSteps = 10

/** Returns the path of a URL below the site, with a leading slash; undefined for a URL elsewhere. */
export type PathOnSite = (url: string) => string | undefined

/** Returns the path on this site that a path redirects to; undefined if the path has no redirect or leaves the site. */
const nextOf = (redirects: LiveRedirects, path: string, pathOnSite: PathOnSite) => {
  const match = redirectOf(redirects, path)
  if (match?.row.destination.kind !== "external") return undefined
  const next = pathOnSite(withRest(match.row.destination.url, match.rest))
  return next === undefined ? undefined : { next, isExact: !match.row.source.endsWith("*") }
}

/**
 * Returns the paths of a loop that a redirect would close, with the repeated path last; undefined if there is no loop.
 * A redirect with a `*` may lead below its own source, so loops with wildcards are found only when a request follows
 * them.
 */
export const loopOf = (
  redirects: LiveRedirects,
  source: string,
  pathOnSite: PathOnSite
): ReadonlyArray<string> | undefined => {
  const passedPaths = [source]
  const visited = new Set([foldSource(source)])
  for (let path = source; !path.endsWith("*");) {
    const step = nextOf(redirects, path, pathOnSite)
    if (step === undefined || !step.isExact) return undefined
    passedPaths.push(step.next)
    if (visited.has(foldSource(step.next))) return passedPaths
    visited.add(foldSource(step.next))
    path = step.next
  }
  return undefined
}

/** True if the redirects from a path form a loop or exceed the limit. */
export const hasEndlessRedirects = Effect.fnUntraced(function* <E, R>(
  redirects: LiveRedirects,
  from: string,
  pathOnSite: PathOnSite,
  pathExists: (path: string) => Effect.Effect<boolean, E, R>
) {
  const visited = new Set([foldSource(from)])
  let path = from
  for (let steps = 0; steps < maxSteps; steps++) {
    const step = nextOf(redirects, path, pathOnSite)
    if (step === undefined) return false
    if (visited.has(foldSource(step.next))) return true
    if (yield* pathExists(step.next)) return false
    visited.add(foldSource(step.next))
    path = step.next
  }
  return true
})
