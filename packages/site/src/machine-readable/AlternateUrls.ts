/** URLs of a site's content for machines: below the site's base, and next to each page. */

import type { Ending } from "@lectern/core/site/ServedNames"

/** Path of the MCP endpoint below the site. */
export const mcp = "/~lectern/mcp"

/** Returns the URL of a page as Markdown. */
export const markdownOf = (page: string): string => beside(page, "md")

/** Returns the URL of the feed of a page's updates. */
export const feedOf = (page: string): string => beside(page, "atom")

/** Returns the URL of a page's preview picture. */
export const pictureOf = (page: string): string => beside(page, "png")

/**
 * Returns the URL of a page in another format. A URL with a trailing slash gets the file name `index`. `index.md`
 * belongs to the front page of a space, so a page named `index` gets `index/index.md`.
 */
const beside = (page: string, ending: Ending): string =>
  page.endsWith("/")
    ? `${page}index.${ending}`
    : page.endsWith("/index")
      ? `${page}/index.${ending}`
      : `${page}.${ending}`

/** Returns the path without a file extension; undefined if the path has a different extension. */
export const without = (path: string, ending: Ending): string | undefined =>
  path.endsWith(`.${ending}`) ? path.slice(0, -ending.length - 1) : undefined
