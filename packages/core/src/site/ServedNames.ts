/**
 * Names that a published site serves itself, where a page, a section or another site could be called the same: files for
 * crawlers and agents, the forms that stand beside each page, paths as `~search`. Slugs, basenames, paths of
 * sections, redirects and the routes of sites read this table.
 *
 * The file of the site wins. A page with such a path has its URL with a slash at the end: `/sitemap.xml/`, `/node.md/`.
 */

/** List of the pages, for agents. Also below each page that has pages below it. */
export const index = "llms.txt"
/** Text of all pages. */
export const fullText = "llms-full.txt"
export const sitemap = "sitemap.xml"
export const robots = "robots.txt"
/** Folder of the paths that prove things about a host. */
const wellKnown = ".well-known"

/** Files at the root of a host, in lower case. */
const rootFiles: ReadonlySet<string> = new Set(["favicon.ico", index, fullText, robots, sitemap, wellKnown])

/** Paths below each space that no page has, and the folder of files that pages load. */
const ownPaths: ReadonlySet<string> = new Set([
  "~block",
  "~consent",
  "~feedback",
  "~lectern",
  "~pdf",
  "~search",
  "~sign-off",
  "~try"
])

/** A numbered part of a large sitemap. */
export const sitemapPart = /^sitemap(?:-(\d{1,6}))?\.xml$/

/** Forms of a page at its path and an ending: Markdown, feed, picture. */
export const endings = ["md", "atom", "png"] as const
export type Ending = (typeof endings)[number]

const ending = new RegExp(`\\.(?:${endings.join("|")})$`)

const folded = (name: string): string => name.normalize("NFKC").toLowerCase()

/** True for a name that belongs to the root of a host, whatever pages exist. */
export const isReserved = (name: string): boolean => {
  const text = folded(name)
  return ownPaths.has(text) || rootFiles.has(text) || sitemapPart.test(text)
}

/** The sentence that refuses a name that a caller chose. */
export const refusal = (name: string): string => `Sites serve ${name} themselves: choose another name`

/** True for a path, below a site or a space, that a site serves whatever pages exist. `llms.txt` counts at every depth. */
export const isFile = (path: ReadonlyArray<string>): boolean => {
  const last = path.at(-1)
  return last !== undefined && (folded(last) === index || (path.length === 1 && isReserved(last)))
}

/** The path of a page without the ending of one of its forms; undefined for a path without such an ending. */
export const pageOf = (path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const last = path.at(-1) ?? ""
  return ending.test(folded(last)) ? [...path.slice(0, -1), last.slice(0, last.lastIndexOf("."))] : undefined
}

/** True for the path of a page, below its space, at which a site may serve a file of its own. */
export const isServed = (path: ReadonlyArray<string>): boolean => isFile(path) || pageOf(path) !== undefined

/** The slash at the end of the URL of a page with this path; empty where no file takes the path. */
export const slashOf = (path: ReadonlyArray<string>): "/" | "" => (isServed(path) ? "/" : "")

/** A name that no site serves: `robots-txt` for `robots.txt`. */
export const avoided = (name: string): string =>
  isReserved(name) || ending.test(folded(name)) ? name.replace(/^[.~]+/, "").replaceAll(".", "-") || "page" : name
