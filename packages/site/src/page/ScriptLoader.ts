/**
 * Loads the scripts of a page with one of an integration, which loads others in turn: from more hosts than its publisher
 * has listed, often. A policy that trusts what a trusted script loads (`'strict-dynamic'`) lets a page's own elements load
 * nothing, whatever their host. So what stands in the page, of the site's own and of integrations, is loaded by a program
 * of a line instead, which the policy knows by its hash; any other element stays, and loads nothing.
 *
 * Scripts without `async` run once the page is there, in their order.
 */
import type { SiteScript } from "@lectern/core/integration/SiteScript"
import { unescape } from "../html/Html.ts"
import type { Parts } from "../html/InSlices.ts"
import * as Urls from "../html/Urls.ts"

export interface Loading {
  readonly page: Parts
  /** The program in it; undefined on a page that does without. */
  readonly program?: string
}

/** Element of a script; values of its attributes are escaped. */
const element = /<script ([^<>]*)><\/script>/g
const attribute = /([a-z][\w-]*)(?:="([^"]*)")?/g

/** Origin of no page: what is resolved to it is the page's own. */
const here = "https://page.invalid"

type Attributes = Readonly<Record<string, string>>

const attributesOf = (text: string): Attributes =>
  Object.fromEntries([...text.matchAll(attribute)].map(([, name, value = ""]) => [name!, unescape(value)]))

const programOf = (all: ReadonlyArray<Attributes>): string =>
  `(function(a){function f(o){a.forEach(function(m){if("async"in m===o){var e=document.createElement("script");for(var n in m)e.setAttribute(n,m[n]);e.async=o;document.head.append(e)}})}f(true);document.addEventListener("DOMContentLoaded",function(){f(false)})})(${JSON.stringify(all).replaceAll("<", "\\u003c")})`

/** `origin`: of the site's own files, where it is another than the page's. */
export const of = (page: Parts, scripts: ReadonlyArray<SiteScript>, origin = ""): Loading => {
  if (scripts.length === 0) return { page }
  const all: Array<Attributes> = []
  const isLoaded = (src: string) => {
    const url = URL.parse(src, here)
    if (url === null) return false
    return url.origin === here || url.origin === origin || scripts.some(({ script }) => Urls.source(script) === src)
  }
  const [first = "", ...rest] = page.map((part) =>
    part.replace(element, (tag, written: string) => {
      const attributes = attributesOf(written)
      const { src } = attributes
      if (src === undefined || !isLoaded(src)) return tag
      all.push(attributes)
      return ""
    })
  )
  const program = programOf(all)
  return { page: [first.replace("<head>", () => `<head><script>${program}</script>`), ...rest], program }
}
