/** Addresses of what machines read of a site, below its own base and beside each page. */

import type { Ending } from "@lectern/core/site/ServedNames"

/** Path below the site. */
export const mcp = "/~lectern/mcp"

/** The Markdown of the page at this URL. */
export const markdownOf = (page: string): string => beside(page, "md")

/** The updates of the page at this URL. */
export const feedOf = (page: string): string => beside(page, "atom")

/** The picture of the page at this URL. */
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

/** The path without an ending; undefined where it has another one. */
export const without = (path: string, ending: Ending): string | undefined =>
  path.endsWith(`.${ending}`) ? path.slice(0, -ending.length - 1) : undefined
