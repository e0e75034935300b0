/** URLs of a site's content for machines: below the site's base, and next to each page. */

import type { Ending } from "@lectern/core/site/ServedNames"

/** Path of the MCP endpoint below the site. */
export const mcpPath = "/~lectern/mcp"

/** Returns the URL of a page as Markdown. */
export const markdownUrl = (page: string): string => withExtension(page, "md")

/** Returns the URL of the feed of a page's updates. */
export const feedUrl = (page: string): string => withExtension(page, "atom")

/** Returns the URL of a page's preview picture. */
export const socialImageUrl = (page: string): string => withExtension(page, "png")

/**
 * Returns the URL of a page in another format. A URL with a trailing slash gets the file name `index`. `index.md`
 * belongs to the front page of a space, so a page named `index` gets `index/index.md`.
 */
const withExtension = (page: string, extension: Ending): string =>
  page.endsWith("/")
    ? `${page}index.${extension}`
    : page.endsWith("/index")
      ? `${page}/index.${extension}`
      : `${page}.${extension}`

/** Returns the path without a file extension; undefined if the path has a different extension. */
export const withoutExtension = (path: string, extension: Ending): string | undefined =>
  path.endsWith(`.${extension}`) ? path.slice(0, -extension.length - 1) : undefined
