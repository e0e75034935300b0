/**
 * Security headers of pages. Pages may run and display Lectern's own files and the integrations that they were rendered
 * with. Inline styles and scripts are allowed only by hash, so inline code in a document never runs.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import type { Hasher } from "@lectern/core/storage/Hasher"
import * as EmbedProviders from "@lectern/document/EmbedProviders"
import type { HtmlChunks } from "../html/HtmlChunks.ts"
import * as Scripts from "../styling/Scripts.ts"
import * as ElementAssets from "../page/ElementAssets.ts"
import type { SiteContext } from "../page/SitePage.ts"
import * as ScriptSources from "./ScriptSources.ts"

/** Sources in addition to those of all pages, and pages that may frame this one. */
export interface AllowedSources {
  /** True if the page has frames from its own site. */
  readonly hasFrames?: boolean
  /** Origins of other frames. */
  readonly frameOrigins?: ReadonlyArray<string>
  /** Origins that the page may request data from. */
  readonly callOrigins?: ReadonlyArray<string>
  /** Scripts of integrations. */
  readonly scripts?: ReadonlyArray<SiteScript>
  /** True if pages of the same origin may frame the page. Default: true. */
  readonly canBeFramed?: boolean
  /** Inline program that loads `scripts` (see `ScriptLoader`). Scripts that it inserts may insert further scripts. */
  readonly loader?: string
}

/** Returns the allowed sources of a page's resources. `integrations`: the origin of integration frames. */
export const sourcesIn = (
  page: HtmlChunks,
  { scripts }: Pick<SiteContext, "scripts">,
  integrations: string
): AllowedSources => ({
  ...(scripts && { scripts: scripts.loaded }),
  hasFrames: ElementAssets.hasDiagrams(page),
  frameOrigins: ElementAssets.hasFrames(page) ? [integrations] : []
})

/** Maximum number of texts with a cached hash. A site has a few texts. */
const maxHashes = 1_000

export type PageHeaders = ReturnType<typeof make>

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">) => {
  const hashes = new Map<string, string>()
  const hashOf = (text: string): string => {
    let hash = hashes.get(text)
    if (hash === undefined) {
      if (hashes.size >= maxHashes) hashes.clear()
      hash = `'sha256-${sha256(text).replaceAll("-", "+").replaceAll("_", "/")}='`
      hashes.set(text, hash)
    }
    return hash
  }

  /**
   * Returns the headers of a page. `style`: text of its style element. `origin`: origin of the files that pages load;
   * empty if it is the page's origin.
   */
  return (
    style = "",
    origin = "",
    {
      hasFrames = false,
      frameOrigins = [],
      callOrigins = [],
      scripts = [],
      canBeFramed = true,
      loader
    }: AllowedSources = {}
  ): Readonly<Record<string, string>> => {
    const ownSource = `'self'${origin && ` ${origin}`}`
    const scriptSources = scripts.length === 0 ? undefined : ScriptSources.sourcesFor(scripts)
    const loaderSources = loader === undefined ? [] : ["'strict-dynamic'", hashOf(loader)]
    /**
     * Adds schemes without a host if third-party scripts are loaded. Those scripts could leak all that they know
     * through an image from any host anyway.
     */
    const anySource = (...schemes: ReadonlyArray<string>) => (loader === undefined ? [] : schemes)
    const sources = (directive: ScriptSources.Directive, ...all: ReadonlyArray<string>) =>
      [directive, ...all, ...(scriptSources?.[directive] ?? [])].join(" ")
    return {
      "content-security-policy": [
        "default-src 'none'",
        sources("script-src", ownSource, ...Scripts.hashes.map((hash) => `'${hash}'`), ...loaderSources),
        sources("style-src", ownSource, ...(style ? [hashOf(style)] : []), ...anySource("https:")),
        sources("img-src", "'self' https: http: data:"),
        sources("media-src", "'self' https:"),
        sources("font-src", ownSource, "https:"),
        sources("connect-src", ownSource, ...callOrigins, ...anySource("https:", "wss:")),
        // Frames of embeds load only after a reader clicks.
        sources(
          "frame-src",
          ...(hasFrames ? [ownSource] : []),
          ...frameOrigins,
          ...EmbedProviders.origins,
          ...anySource("https:")
        ),
        `form-action ${ownSource}`,
        "base-uri 'none'",
        "object-src 'none'",
        `frame-ancestors ${canBeFramed ? "'self'" : "'none'"}`
      ].join("; "),
      "x-content-type-options": "nosniff",
      "referrer-policy": "strict-origin-when-cross-origin",
      "cross-origin-opener-policy": "same-origin-allow-popups",
      "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()"
    }
  }
}
