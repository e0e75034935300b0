/**
 * Loads the scripts of a page that has scripts of integrations. Such a script often loads further scripts, also from
 * hosts that its publisher did not list. A policy with `'strict-dynamic'` allows these, but blocks script elements in
 * the page's HTML, regardless of their host. So a one-line inline program, allowed by its hash, loads the scripts of
 * the site and of integrations. Other script elements remain and load nothing.
 *
 * Scripts without `async` run in order after the page is parsed.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import { unescape } from "../html/Html.ts"
import type { HtmlChunks } from "../html/HtmlChunks.ts"
import * as SafeUrls from "../html/SafeUrls.ts"

export interface PageWithLoader {
  readonly page: HtmlChunks
  /** Inline program of the page; undefined if the page needs no program. */
  readonly program?: string
}

/** Script element; attribute values are escaped. */
const scriptElement = /<script ([^<>]*)><\/script>/g
const attributePattern = /([a-z][\w-]*)(?:="([^"]*)")?/g

/** Reserved origin. A URL that resolves to it belongs to the page's own origin. */
const placeholderOrigin = "https://page.invalid"

type Attributes = Readonly<Record<string, string>>

const attributesOf = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(attributePattern)].map(([, name, value = ""]) => [name!, unescape(value)]))

const programOf = (all: ReadonlyArray<Attributes>): string =>
  `(function(a){function f(o){a.forEach(function(m){if("async"in m===o){var e=document.createElement("script");for(var n in m)e.setAttribute(n,m[n]);e.async=o;document.head.append(e)}})}f(true);document.addEventListener("DOMContentLoaded",function(){f(false)})})(${JSON.stringify(all).replaceAll("<", "\\u003c")})`

/**
 * Replaces the script elements of a page with a program. `origin`: origin of the site's own files; empty if it is the
 * page's origin.
 */
export const withLoader = (page: HtmlChunks, scripts: ReadonlyArray<SiteScript>, origin = ""): PageWithLoader => {
  if (scripts.length === 0) return { page }
  const all: Array<Attributes> = []
  const isLoaded = (src: string) => {
    const url = URL.parse(src, placeholderOrigin)
    if (url === null) return false
    return (
      url.origin === placeholderOrigin ||
      url.origin === origin ||
      scripts.some(({ script }) => SafeUrls.sourceUrl(script) === src)
    )
  }
  const [firstPart = "", ...otherParts] = page.map((part) =>
    part.replace(scriptElement, (tag, attributeText: string) => {
      const attributes = attributesOf(attributeText)
      const { src } = attributes
      if (src === undefined || !isLoaded(src)) return tag
      all.push(attributes)
      return ""
    })
  )
  const program = programOf(all)
  return { page: [firstPart.replace("<head>", () => `<head><script>${program}</script>`), ...otherParts], program }
}
