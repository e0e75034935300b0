/** Functions for URLs of a web site: which URLs are the same page, and which belong to an import. */

const maxLength = 1024
const maxDepth = 12

/** File extensions of URLs that are not pages. */
const nonPageExtensions =
  /\.(?:7z|apk|avi|avif|bin|bmp|bz2|css|csv|dmg|doc|docx|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|map|mjs|mov|mp[34]|mpe?g|ogg|otf|pdf|png|pptx?|rar|rpm|deb|rss|atom|svg|tar|tgz|ttf|txt|wasm|wav|webm|webmanifest|webp|woff2?|xlsx?|xml|xz|ya?ml|zip)$/i

const indexFile = /\/(?:index|default)\.(?:html?|php|aspx?)$/i

/** Returns a key that is equal for URLs of one page: without fragment, index file names, and slashes at the end. */
export const keyOf = (text: string): string => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return text
  return `${url.host}${withoutTrailingSlashes(url.pathname.replace(indexFile, "/"))}${url.search}`
}

/** Returns a path without the slashes at its end. A site may send thousands of them. */
const withoutTrailingSlashes = (path: string): string => {
  let end = path.length
  while (path[end - 1] === "/") end--
  return path.slice(0, end)
}

/** Scope of a crawl: an origin, and a folder of it. */
export interface SiteScope {
  readonly origin: string
  /** Path of the folder, with a slash at its start and end. */
  readonly folder: string
}

/**
 * Returns the scope of a crawl that starts at a page: the folder of the page. A page without a trailing slash or
 * extension counts as a folder itself if it links to pages below it.
 */
export const scopeOf = (page: URL, links: ReadonlyArray<string>): SiteScope => {
  const { origin, pathname } = page
  const name = pathname.slice(pathname.lastIndexOf("/") + 1)
  const pageScope = { origin, folder: `${pathname}/` }
  const isFolder = name !== "" && !name.includes(".") && links.some((link) => isBelow(pageScope, link))
  return isFolder ? pageScope : { origin, folder: pathname.slice(0, pathname.length - name.length) }
}

const isBelow = ({ origin, folder }: SiteScope, link: string): boolean =>
  link.startsWith(`${origin}${folder}`) && link.length > origin.length + folder.length

export const isWithin = ({ origin, folder }: SiteScope, url: URL): boolean =>
  url.origin === origin && `${url.pathname}/`.startsWith(folder)

/** Returns the path of a page within its site, without slashes at its start and end. */
export const pathWithin = ({ folder }: SiteScope, url: URL): string =>
  url.pathname
    .replace(indexFile, "/")
    .slice(folder.length)
    .replace(/^\/+|\/+$/g, "")

/**
 * Returns true if a link may lead to a page. A link with a query is followed only if a sitemap contains it, since
 * queries can create endless variants of a page (calendars, sort orders).
 */
export const isPage = (url: URL, isInSitemap: boolean): boolean =>
  url.href.length <= maxLength &&
  url.username === "" &&
  (isInSitemap || url.search === "") &&
  !nonPageExtensions.test(url.pathname) &&
  isReasonable(url.pathname.split("/").filter((name) => name !== ""))

/** Returns false for deep or repetitive paths, which erroneous relative links create. */
const isReasonable = (names: ReadonlyArray<string>): boolean => {
  if (names.length > maxDepth) return false
  const nameCounts = new Map<string, number>()
  for (const name of names) {
    const times = (nameCounts.get(name) ?? 0) + 1
    if (times > 2) return false
    nameCounts.set(name, times)
  }
  return true
}
