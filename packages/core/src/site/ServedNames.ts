/**
 * Names of files that a published site serves and that could collide with the name of a page, a section or another
 * site. These are files for crawlers and agents, the forms of each page, and paths such as `~search`. Slugs, basenames,
 * section paths, redirects and the routes of sites use this table.
 *
 * The file of the site wins. A page with such a path has a trailing slash in its URL: `/sitemap.xml/`, `/node.md/`.
 */

/** List of the pages for agents. Also served below each page with child pages. */
export const index = "llms.txt"
/** Text of all pages. */
export const fullText = "llms-full.txt"
export const sitemap = "sitemap.xml"
export const robots = "robots.txt"
/** Folder for proofs about a host. */
const wellKnown = ".well-known"

/** Files at the root of a host, in lower case. */
const rootFiles: ReadonlySet<string> = new Set(["favicon.ico", index, fullText, robots, sitemap, wellKnown])

/** Reserved paths below each space, and the folder of files that pages load. */
const ownPaths: ReadonlySet<string> = new Set([
  "~block",
  "~consent",
  "~feedback",
  "~files",
  "~lectern",
  "~pdf",
  "~search",
  "~sign-off",
  "~try"
])

/** One numbered part of a large sitemap. */
export const sitemapPart = /^sitemap(?:-(\d{1,6}))?\.xml$/

/** Extensions of a page's other forms: Markdown, feed, picture. */
export const endings = ["md", "atom", "png"] as const
export type Ending = (typeof endings)[number]

const endingPattern = new RegExp(`\\.(?:${endings.join("|")})$`)

const foldName = (name: string): string => name.normalize("NFKC").toLowerCase()

/** True if the name is reserved at the root of a host, regardless of existing pages. */
export const isReserved = (name: string): boolean => {
  const text = foldName(name)
  return ownPaths.has(text) || rootFiles.has(text) || sitemapPart.test(text)
}

/** Returns the error message for a reserved name. */
export const refusal = (name: string): string => `Sites serve ${name} themselves: choose another name`

/**
 * True if a site serves the path, below a site or a space, regardless of existing pages. `llms.txt` counts at every
 * depth.
 */
export const isFile = (path: ReadonlyArray<string>): boolean => {
  const lastSegment = path.at(-1)
  return (
    lastSegment !== undefined && (foldName(lastSegment) === index || (path.length === 1 && isReserved(lastSegment)))
  )
}

/** Returns the path of a page without the extension of its form; undefined for a path without such an extension. */
export const pageOf = (path: ReadonlyArray<string>): ReadonlyArray<string> | undefined => {
  const lastSegment = path.at(-1) ?? ""
  return endingPattern.test(foldName(lastSegment))
    ? [...path.slice(0, -1), lastSegment.slice(0, lastSegment.lastIndexOf("."))]
    : undefined
}

/** True if a site may serve a file of its own at a page's path, below its space. */
export const isServed = (path: ReadonlyArray<string>): boolean => isFile(path) || pageOf(path) !== undefined

/**
 * Returns the trailing slash for the URL of a page at this path; empty if no file uses the path. `isStatic`: true if
 * the site is written to files (see `SiteMount`), so that every page has one.
 */
export const slashOf = (path: ReadonlyArray<string>, isStatic = false): "/" | "" =>
  isStatic || isServed(path) ? "/" : ""

/** Returns a name that no site serves: `robots-txt` for `robots.txt`. */
export const avoided = (name: string): string =>
  isReserved(name) || endingPattern.test(foldName(name))
    ? name.replace(/^[.~]+/, "").replaceAll(".", "-") || "page"
    : name
