/** Addresses of what machines read of a site, below its own base and beside each page. */

export const index = "llms.txt"
export const fullText = "llms-full.txt"
export const sitemap = "sitemap.xml"
export const robots = "robots.txt"
/** Path below the site. */
export const mcp = "/~lectern/mcp"

/** The Markdown of the page at this URL. */
export const markdownOf = (page: string): string => beside(page, "md")

/** The updates of the page at this URL. */
export const feedOf = (page: string): string => beside(page, "atom")

/** The picture of the page at this URL. */
export const pictureOf = (page: string): string => beside(page, "png")

/** The page at the front of a space has no name that something could stand behind. */
const beside = (page: string, ending: string): string =>
  page.endsWith("/") ? `${page}index.${ending}` : `${page}.${ending}`

/** Of the forms that stand beside a page. */
export type Ending = "md" | "atom" | "png"

/** The path without an ending; undefined where it has another one. */
export const without = (path: string, ending: Ending): string | undefined =>
  path.endsWith(`.${ending}`) ? path.slice(0, -ending.length - 1) : undefined
