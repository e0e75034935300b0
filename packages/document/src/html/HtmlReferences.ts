/**
 * References in raw HTML: URLs of links, pictures, videos and audio. References to content are also stored as targets
 * in the data of the HTML node, so they are found, moved and displayed like references of Markdown. In the HTML they
 * have the URLs that Markdown uses for them (see `RefUrl`). URLs that refer to no content exist only in the HTML.
 *
 * Limit: 500 URLs for a piece of HTML.
 */
import { Tokenizer } from "htmlparser2"
import type { ContentRef, Data } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as RefUrl from "../markdown/RefUrl.ts"

export type ResolveRef = (url: string, use: RefUrl.RefUse) => ContentRef

interface Reference {
  /** URL in the HTML, with character references decoded. */
  readonly url: string
  readonly ref: ContentRef
}

const maxReferences = 500

const urlAttributes: { readonly [name: string]: readonly [attribute: string, use: RefUrl.RefUse] } = {
  a: ["href", "link"],
  img: ["src", "image"],
  source: ["src", "file"],
  video: ["src", "file"],
  audio: ["src", "file"]
}

const mayContainUrls = /<(?:a|img|source|video|audio)\s/i

interface UrlAttribute {
  readonly url: string
  readonly use: RefUrl.RefUse
  /** Start offset of the value in the HTML, including its quotes. */
  readonly from: number
  readonly to: number
}

const findUrls = (html: string): ReadonlyArray<UrlAttribute> => {
  const urls: Array<UrlAttribute> = []
  let expected: (typeof urlAttributes)[string] | undefined
  let value = ""
  let from = 0
  let isUrlAttribute = false
  const ignore = () => {}
  const tokens = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        const name = html.slice(start, end).toLowerCase()
        expected = Object.hasOwn(urlAttributes, name) ? urlAttributes[name] : undefined
      },
      onattribname: (start, end) => {
        isUrlAttribute = expected !== undefined && html.slice(start, end).toLowerCase() === expected[0]
        value = ""
        from = end
      },
      onattribdata: (start, end) => {
        if (isUrlAttribute) value += html.slice(start, end)
      },
      onattribentity: (code) => {
        if (isUrlAttribute) value += String.fromCodePoint(code)
      },
      onattribend: () => {
        if (!isUrlAttribute || value.trim() === "" || urls.length >= maxReferences) return
        const range = rangeOf(html, from)
        if (range !== undefined) urls.push({ url: value, use: expected![1], ...range })
      },
      onopentagend: ignore,
      onselfclosingtag: ignore,
      onclosetag: ignore,
      ontext: ignore,
      ontextentity: ignore,
      oncdata: ignore,
      oncomment: ignore,
      ondeclaration: ignore,
      onprocessinginstruction: ignore,
      onend: ignore
    }
  )
  tokens.write(html)
  tokens.end()
  return urls
}

const valuePattern = /\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/y

/** Returns the range of the attribute value after the name that ends at `end`. */
const rangeOf = (html: string, end: number): { readonly from: number; readonly to: number } | undefined => {
  valuePattern.lastIndex = end
  const whole = valuePattern.exec(html)?.[0]
  if (whole === undefined) return undefined
  const value = whole.replace(/^\s*=\s*/, "")
  return { from: end + whole.length - value.length, to: end + whole.length }
}

const quoteUrl = (url: string): string => `"${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`

/** Replaces URLs in the HTML. A URL stays if `replacementOf` returns undefined. */
const replaceUrls = (html: string, replacementOf: (urlAttribute: UrlAttribute) => string | undefined): string => {
  let result = ""
  let at = 0
  for (const urlAttribute of findUrls(html)) {
    const url = replacementOf(urlAttribute)
    if (url === undefined || url === urlAttribute.url) continue
    result += html.slice(at, urlAttribute.from) + quoteUrl(url)
    at = urlAttribute.to
  }
  return at === 0 ? html : result + html.slice(at)
}

/** Returns the data of an HTML node: the HTML and its references to content. */
export const htmlData = (html: string, resolveRef: ResolveRef): Data => {
  if (!mayContainUrls.test(html)) return { html }
  const refs = new Map<string, Reference>()
  const ownHtml = replaceUrls(html, ({ url, use }) => {
    const ref = resolveRef(url.trim(), use)
    if (ref.kind === "url") return ref.url === url.trim() ? undefined : ref.url
    const markdownUrl = RefUrl.toUrl(ref)
    refs.set(markdownUrl, { url: markdownUrl, ref })
    return markdownUrl
  })
  return refs.size === 0 ? { html: ownHtml } : { html: ownHtml, refs: [...refs.values()] }
}

/** Returns the targets of the URLs in HTML, from the data of the HTML node. */
export const storedRefs = (data: Data | undefined): ReadonlyMap<string, ContentRef> => {
  const refs = Array.isArray(data?.refs) ? (data.refs as ReadonlyArray<Partial<Reference> | null>) : []
  return new Map(
    refs.flatMap((one) => (typeof one?.url === "string" && isRef(one.ref) ? [[one.url, one.ref] as const] : []))
  )
}

/** Returns the HTML for printing, with the URLs that its references have in the output. */
export const printHtml = (data: Data | undefined, urlOf: (ref: ContentRef) => string): string => {
  const html = typeof data?.html === "string" ? data.html : ""
  const refs = storedRefs(data)
  if (refs.size === 0) return html
  return replaceUrls(html, ({ url }) => {
    const ref = refs.get(url)
    return ref && urlOf(ref)
  })
}
