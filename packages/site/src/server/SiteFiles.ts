/**
 * Static files of sites, available below the path of every site: style sheets, scripts, fonts that settings name, and
 * the program that renders diagrams.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Scripts from "../styling/Scripts.ts"
import * as SiteStylesheet from "../styling/SiteStylesheet.ts"
import * as Stylesheets from "../styling/Stylesheets.ts"
import type * as Head from "../page/Head.ts"
import type { Theme } from "../page/Theme.ts"
import * as StaticAssets from "./StaticAssets.ts"
import * as DiagramFiles from "./DiagramFiles.ts"
import * as FontFiles from "./FontFiles.ts"
import type { TryItAssets } from "./ReservedPaths.ts"

export interface SiteFilesOptions {
  /** Theme of the host. Default: only the site's customization applies. */
  readonly theme?: Theme
  /**
   * Program that renders diagrams (see `packagedDiagrams` of `@lectern/services-node`). Default: diagrams are shown as
   * code.
   */
  readonly diagrams?: DiagramFiles.DiagramLibrary | undefined
  /**
   * Fonts that settings name (see `packagedFonts` of `@lectern/services-node`). Default: the fonts of the reader's
   * system.
   */
  readonly fonts?: FontFiles.FontLibrary | undefined
  /** Program that searches a static site (see `StaticSearch`). Default: the server searches. */
  readonly searchScript?: string | undefined
}

const diagramFrame = "diagrams.html"

const htmlType = "text/html; charset=utf-8"
const cssType = "text/css; charset=utf-8"
const scriptType = "text/javascript; charset=utf-8"

export const make = (
  hasher: Pick<Hasher["Service"], "sha256">,
  { theme = {}, diagrams: library, fonts, searchScript }: SiteFilesOptions
) => {
  const diagrams = library && DiagramFiles.make(library)
  const fontFiles = fonts && FontFiles.make(fonts)
  const files = StaticAssets.make(hasher, [
    { name: "site.css", contentType: cssType, content: SiteStylesheet.css + (theme.css ?? "") },
    { name: "site.js", contentType: scriptType, content: Scripts.script },
    { name: "api.css", contentType: cssType, content: Stylesheets.api },
    { name: "blocks.css", contentType: cssType, content: Stylesheets.blocks },
    { name: "blocks.js", contentType: scriptType, content: Scripts.blocks },
    { name: "try.css", contentType: cssType, content: Stylesheets.tryIt },
    { name: "try.js", contentType: scriptType, content: Scripts.tryIt },
    ...(searchScript === undefined ? [] : [{ name: "search.js", contentType: scriptType, content: searchScript }]),
    ...(diagrams === undefined
      ? []
      : [
          { name: "diagrams.js", contentType: scriptType, content: Scripts.diagrams },
          { name: diagramFrame, contentType: htmlType, content: diagrams.page }
        ])
  ])
  /** Returns the URLs of the files that a page below `base` loads. */
  const assetsFor = (base: string): Head.Assets & TryItAssets => ({
    ...(theme.slots && { slots: theme.slots }),
    ...(fonts && { fonts: { faces: fonts.faces, urlOf: (file: string) => files.urlOf(base, file) } }),
    css: files.urlOf(base, "site.css"),
    script: files.urlOf(base, "site.js"),
    ...(searchScript !== undefined && { search: files.urlOf(base, "search.js") }),
    api: files.urlOf(base, "api.css"),
    blocks: { css: files.urlOf(base, "blocks.css"), script: files.urlOf(base, "blocks.js") },
    tryIt: { css: files.urlOf(base, "try.css"), script: files.urlOf(base, "try.js") },
    ...(diagrams && {
      diagrams: {
        script: files.urlOf(base, "diagrams.js"),
        frame: files.urlOf(base, diagramFrame),
        keepsOrigin: searchScript !== undefined
      }
    })
  })

  /** Returns the response for the URL of a file; undefined for other URLs. */
  const responseFor = ({ origin, pathname }: URL, request: HttpServerRequest.HttpServerRequest) => {
    const response = files.responseFor(pathname)
    if (response === undefined) return fontFiles?.responseFor(pathname) ?? diagrams?.responseFor(pathname, request)
    return Effect.succeed(
      diagrams !== undefined && pathname.endsWith(files.urlOf("/", diagramFrame))
        ? HttpServerResponse.setHeader(response, "content-security-policy", diagrams.policy(origin))
        : response
    )
  }

  return { assetsFor, responseFor }
}
