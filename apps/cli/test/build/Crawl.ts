/** Follows the links and files of all pages of a static site. */
import { readdirSync, readFileSync, statSync } from "node:fs"
import { join } from "node:path"
import { unescape } from "../../../../packages/site/src/html/Html.ts"

/** Returns the paths of all files in a folder, sorted. */
export const filesIn = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .flatMap((entry) => (entry.isFile() ? [join(entry.parentPath, entry.name).slice(folder.length + 1)] : []))
    .sort()

export interface BrokenReference {
  readonly page: string
  readonly url: string
}

/**
 * Returns references of pages that lead to no file, to a path without its slash, to an anchor that the page lacks, or to
 * a path outside of `base` on the host of the site. `origin`: origin of the public URL. Default: a host of tests.
 */
export const brokenReferences = (folder: string, base: string, origin = "http://host.test") => {
  const broken: Array<BrokenReference> = []
  const textOf = new Map<string, string>()
  const read = (path: string) => {
    const text = textOf.get(path) ?? readFileSync(join(folder, path), "utf8")
    textOf.set(path, text)
    return text
  }
  const pages = filesIn(folder).filter((path) => path.endsWith(".html"))
  let count = 0
  for (const page of pages) {
    // A missing page can have any path, so its references can't be relative.
    const pageUrl =
      page === "404.html" ? `${origin}${base}any/path/` : `${origin}${base}${page.replace(/index\.html$/, "")}`
    for (const [, attribute, value] of read(page).matchAll(
      /\s(href|src|action|data-from|data-script|data-frame)="([^"]*)"/g
    )) {
      const text = unescape(value!)
      const url = URL.parse(text, pageUrl)
      if (url === null || url.origin !== origin || (attribute === "href" && text === "#~content")) continue
      count++
      const path = decodeURIComponent(url.pathname.slice(base.length))
      const file = path === "" || path.endsWith("/") ? `${path}index.html` : path
      const isFound =
        url.pathname.startsWith(base) && statSync(join(folder, file), { throwIfNoEntry: false })?.isFile() === true
      const anchor = decodeURIComponent(url.hash.slice(1))
      const hasAnchor = anchor === "" || !file.endsWith(".html") || !isFound || hasId(read(file), anchor)
      if (!isFound || !hasAnchor) broken.push({ page, url: text })
    }
  }
  return { broken, count, pages: pages.length }
}

const hasId = (html: string, id: string): boolean =>
  html.includes(`id="${id.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`)
