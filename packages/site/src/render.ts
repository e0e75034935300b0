/**
 * Renders one page of a site as HTML, for hosts with URLs, responses and files of their own. The input is plain values:
 * the result of `page` of a `SiteHandler`, or values that the host creates. The output depends only on the input.
 *
 * ```ts
 * const page = await sites.page("https://docs.example.com/acme/install")
 * const text = page && renderSitePage(page, { css: "/docs.css", script: "/docs.js", theme })
 * ```
 *
 * The host serves `siteCss` and `siteScript` at these two URLs. The page contains no styles and scripts other than
 * these, `inlineScripts` and its style element. A Content-Security-Policy may block all others.
 */
import * as Scripts from "./styling/Scripts.ts"
import * as SiteStylesheet from "./styling/SiteStylesheet.ts"
import * as Layout from "./page/Layout.ts"
import type { SitePage } from "./page/SitePage.ts"
import type { Theme } from "./page/Theme.ts"

export interface RenderOptions {
  /** URL of the style sheet. */
  readonly css: string
  /** URL of the script. */
  readonly script: string
  /** Theme of the host. Default: only the site's customization applies. */
  readonly theme?: Theme
}

export const renderSitePage = (page: SitePage, { css, script, theme = {} }: RenderOptions): string =>
  Layout.renderPage(
    theme.blocks === undefined ? page : { ...page, dependencies: { ...page.dependencies, theme: theme.blocks } },
    {
      css,
      script,
      ...(theme.slots && { slots: theme.slots })
    }
  )

/** Returns the text of the style sheet. */
export const siteCss = (theme: Theme = {}): string => SiteStylesheet.css + (theme.css ?? "")

/** Text of the script, a module. */
export const siteScript: string = Scripts.script

/** Hashes of inline scripts in pages, to put in quotes in `script-src` of a Content-Security-Policy. */
export const inlineScripts: ReadonlyArray<string> = Scripts.hashes
