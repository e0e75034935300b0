/**
 * Sources that integration scripts need in addition to those of all pages, by directive: hosts, schemes and hashes.
 *
 * An integration requests sources with a policy. Keywords in it are ignored, including `'unsafe-inline'` and
 * `'unsafe-eval'`, which would let inline code in a page run. Scripts that need them have to work without them.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"

const directives = ["script-src", "style-src", "img-src", "media-src", "font-src", "connect-src", "frame-src"] as const
export type Directive = (typeof directives)[number]

/** Sources of each directive. */
export type Sources = { readonly [_ in Directive]: ReadonlyArray<string> }

const hostPattern = /^(?:(?:https?|wss?):\/\/)?(?:\*\.)?[a-z\d-]+(?:\.[a-z\d-]+)*(?::\d{1,5})?(?:\/[\w.~%/-]*)?$/i
const hash = /^'sha(?:256|384|512)-[\w+/=-]+'$/
const schemes: ReadonlySet<string> = new Set(["https:", "wss:"])
const mediaSchemes: ReadonlySet<string> = new Set([...schemes, "data:", "blob:"])

const isAllowed = (source: string, directive: Directive): boolean =>
  hostPattern.test(source) ||
  hash.test(source) ||
  (directive === "img-src" || directive === "media-src" || directive === "font-src" ? mediaSchemes : schemes).has(
    source
  )

/** Returns the sources for `*`: any host over TLS. A program could also request these schemes by name. */
const anySources = (directive: Directive): ReadonlyArray<string> =>
  directive === "connect-src" ? ["https:", "wss:"] : ["https:"]

const parsePolicy = (policy: string): ReadonlyMap<string, ReadonlyArray<string>> =>
  new Map(
    policy.split(";").flatMap((text) => {
      const [name, ...sources] = text.trim().split(/\s+/)
      return name ? [[name.toLowerCase(), sources] as const] : []
    })
  )

export const sourcesFor = (scripts: ReadonlyArray<SiteScript>): Sources => {
  const policies = scripts.map(({ contentSecurityPolicy = "" }) => parsePolicy(contentSecurityPolicy))
  const scriptUrls = scripts.flatMap(({ script }) => {
    const url = URL.parse(script)
    return url === null ? [] : [`${url.origin}${url.pathname}`]
  })
  const sourcesOf = (directive: Directive) => {
    const requestedSources = policies.flatMap((policy) => policy.get(directive) ?? policy.get("default-src") ?? [])
    const allowedSources = requestedSources
      .flatMap((source) => (source === "*" ? anySources(directive) : [source]))
      .filter((source) => isAllowed(source, directive))
    return [...new Set(directive === "script-src" ? [...scriptUrls, ...allowedSources] : allowedSources)]
  }
  return Object.fromEntries(directives.map((directive) => [directive, sourcesOf(directive)])) as unknown as Sources
}
