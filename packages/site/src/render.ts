/**
 * One page of a site as HTML, for hosts that have URLs, answers and files of their own. It is a pure function of what
 * the page shows, as plain values: those that `page` of a `SiteHandler` answers, or values of the host's own making.
 *
 * ```ts
 * const page = await sites.page("https://docs.example.com/acme/install")
 * const text = page && renderSitePage(page, { css: "/docs.css", script: "/docs.js", theme })
 * ```
 *
 * The host answers these two URLs with `siteCss` and `siteScript`. No style and no script but these, and those of
 * `inlineScripts` and the style element of the page, stands in it: a Content-Security-Policy may refuse all others.
 */
import * as Script from "./look/Script.ts"
import * as Sheet from "./look/Sheet.ts"
import * as Layout from "./page/Layout.ts"
import type { SitePage } from "./page/SitePage.ts"
import type { Theme } from "./page/Theme.ts"

export interface RenderOptions {
  /** URL of the style sheet. */
  readonly css: string
  /** URL of the script. */
  readonly script: string
  /** Default: the look that customization gives. */
  readonly theme?: Theme
}

export const renderSitePage = (page: SitePage, { css, script, theme = {} }: RenderOptions): string =>
  Layout.page(theme.blocks === undefined ? page : { ...page, parts: { ...page.parts, theme: theme.blocks } }, {
    css,
    script,
    ...(theme.slots && { slots: theme.slots })
  })

/** Text of the style sheet. */
export const siteCss = (theme: Theme = {}): string => Sheet.css + (theme.css ?? "")

/** Text of the script, a module. */
export const siteScript: string = Script.script

/** Hashes of the scripts that stand in pages, as `script-src` of a Content-Security-Policy takes them in quotes. */
export const inlineScripts: ReadonlyArray<string> = Script.hashes
