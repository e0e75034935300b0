/**
 * Headers of pages. A page runs and shows what is ours, and what it was drawn with: each style and script that
 * stands in it is allowed by its hash, and nothing else that is inline, whatever a document holds.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import type { Hasher } from "@lectern/core/storage/Hasher"
import * as EmbedProviders from "@lectern/document/EmbedProviders"
import type { Parts } from "../html/InSlices.ts"
import * as Script from "../look/Script.ts"
import * as Programs from "../page/Programs.ts"
import type { Around } from "../page/SitePage.ts"
import * as ScriptSources from "./ScriptSources.ts"

/** Sources beside those of all pages. */
export interface Allowed {
  /** Frames of our own. */
  readonly hasFrames?: boolean
  /** Origins of other frames. */
  readonly framesFrom?: ReadonlyArray<string>
  /** Origins that the page may ask for data. */
  readonly calls?: ReadonlyArray<string>
  /** Scripts of integrations. */
  readonly scripts?: ReadonlyArray<SiteScript>
  /** Program that loads them (`ScriptLoader`), whose word for others is taken. */
  readonly loader?: string
}

/** Returns the allowed sources of a page's resources. `integrations`: the origin of integration frames. */
export const allowedIn = (page: Parts, { scripts }: Pick<Around, "scripts">, integrations: string): Allowed => ({
  ...(scripts && { scripts: scripts.loaded }),
  hasFrames: Programs.hasDiagrams(page),
  framesFrom: Programs.hasFrames(page) ? [integrations] : []
})

/** How many texts are remembered with their hashes; sites have a few each. */
const kept = 1_000

export type PageHeaders = ReturnType<typeof make>

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">) => {
  const hashes = new Map<string, string>()
  const hashOf = (text: string): string => {
    let hash = hashes.get(text)
    if (hash === undefined) {
      if (hashes.size >= kept) hashes.clear()
      hash = `'sha256-${sha256(text).replaceAll("-", "+").replaceAll("_", "/")}='`
      hashes.set(text, hash)
    }
    return hash
  }

  /**
   * `style`: text of the style element; `origin`: of the files that pages load, where it is another than the page's.
   */
  return (
    style = "",
    origin = "",
    { hasFrames = false, framesFrom = [], calls = [], scripts = [], loader }: Allowed = {}
  ): Readonly<Record<string, string>> => {
    const own = `'self'${origin && ` ${origin}`}`
    const more = scripts.length === 0 ? undefined : ScriptSources.of(scripts)
    const loaded = loader === undefined ? [] : ["'strict-dynamic'", hashOf(loader)]
    /** Sources of scripts that others have loaded: a picture from anywhere could tell all that they know as well. */
    const anywhere = (...schemes: ReadonlyArray<string>) => (loader === undefined ? [] : schemes)
    const sources = (directive: ScriptSources.Directive, ...all: ReadonlyArray<string>) =>
      [directive, ...all, ...(more?.[directive] ?? [])].join(" ")
    return {
      "content-security-policy": [
        "default-src 'none'",
        sources("script-src", own, ...Script.hashes.map((hash) => `'${hash}'`), ...loaded),
        sources("style-src", own, ...(style ? [hashOf(style)] : []), ...anywhere("https:")),
        sources("img-src", "'self' https: http: data:"),
        sources("media-src", "'self' https:"),
        sources("font-src", own, "https:"),
        sources("connect-src", own, ...calls, ...anywhere("https:", "wss:")),
        // Nothing of them is loaded before a reader asks for it.
        sources(
          "frame-src",
          ...(hasFrames ? [own] : []),
          ...framesFrom,
          ...EmbedProviders.origins,
          ...anywhere("https:")
        ),
        `form-action ${own}`,
        "base-uri 'none'",
        "object-src 'none'",
        "frame-ancestors 'self'"
      ].join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    }
  }
}
