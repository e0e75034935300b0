/** The addresses of a web site: which are the same page, which belong to what is imported. */

const maxLength = 1024
const maxDepth = 12

/** Endings of what is no page. */
const notPages =
  /\.(?:7z|apk|avi|avif|bin|bmp|bz2|css|csv|dmg|doc|docx|eot|epub|exe|gif|gz|ico|iso|jar|jpe?g|js|json|map|mjs|mov|mp[34]|mpe?g|ogg|otf|pdf|png|pptx?|rar|rpm|deb|rss|atom|svg|tar|tgz|ttf|txt|wasm|wav|webm|webmanifest|webp|woff2?|xlsx?|xml|xz|ya?ml|zip)$/i

const index = /\/(?:index|default)\.(?:html?|php|aspx?)$/i

/** The URL without what does not tell pages apart: fragment, file names of folders, slash at the end. */
export const keyOf = (text: string): string => {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.protocol !== "http:" && url.protocol !== "https:") return text
  return `${url.host}${withoutEnd(url.pathname.replace(index, "/"))}${url.search}`
}

/** A path without the slashes at its end, of which a website may send thousands. */
const withoutEnd = (path: string): string => {
  let end = path.length
  while (path[end - 1] === "/") end--
  return path.slice(0, end)
}

/** Scope of a crawl: an origin, and a folder in it. */
export interface SiteScope {
  readonly origin: string
  /** Starts with a slash and ends with one. */
  readonly folder: string
}

/**
 * Scope of a crawl that starts at a page: its folder. A page without a slash or an ending may be a folder
 * itself, and is one where it links to pages below it.
 */
export const scopeOf = (page: URL, links: ReadonlyArray<string>): SiteScope => {
  const { origin, pathname } = page
  const name = pathname.slice(pathname.lastIndexOf("/") + 1)
  const own = { origin, folder: `${pathname}/` }
  const isFolder = name !== "" && !name.includes(".") && links.some((link) => isBelow(own, link))
  return isFolder ? own : { origin, folder: pathname.slice(0, pathname.length - name.length) }
}

const isBelow = ({ origin, folder }: SiteScope, link: string): boolean =>
  link.startsWith(`${origin}${folder}`) && link.length > origin.length + folder.length

export const isWithin = ({ origin, folder }: SiteScope, url: URL): boolean =>
  url.origin === origin && `${url.pathname}/`.startsWith(folder)

/** The path of a page in its site, without slashes around it. */
export const pathWithin = ({ folder }: SiteScope, url: URL): string =>
  url.pathname
    .replace(index, "/")
    .slice(folder.length)
    .replace(/^\/+|\/+$/g, "")

/**
 * Tells whether a link may lead to a page worth asking for. Queries make one page many without end (calendars,
 * orders of lists), so a link with one is only followed where a map of the site has it.
 */
export const isPage = (url: URL, isMapped: boolean): boolean =>
  url.href.length <= maxLength &&
  url.username === "" &&
  (isMapped || url.search === "") &&
  !notPages.test(url.pathname) &&
  isReasonable(url.pathname.split("/").filter((name) => name !== ""))

/** Paths that repeat themselves are made by links that are relative by mistake. */
const isReasonable = (names: ReadonlyArray<string>): boolean => {
  if (names.length > maxDepth) return false
  const seen = new Map<string, number>()
  for (const name of names) {
    const times = (seen.get(name) ?? 0) + 1
    if (times > 2) return false
    seen.set(name, times)
  }
  return true
}
