/**
 * References in raw HTML: URLs of links, pictures, videos and audio. References to content are also stored as targets
 * in the data of the HTML node, so they are found, moved and displayed like references of Markdown. In the HTML they
 * have the URLs that Markdown uses for them (see `RefUrl`). All other URLs exist only in the HTML.
 *
 * Limit: 500 URLs for a piece of HTML.
 */
import { Tokenizer } from "htmlparser2"
import type { ContentRef, Data } from "../Document.ts"
import { isRef } from "../DocumentRefs.ts"
import * as RefUrl from "../markdown/RefUrl.ts"

export type RefOf = (url: string, use: RefUrl.RefUse) => ContentRef

interface Reference {
  /** URL in the HTML, with character references decoded. */
  readonly url: string
  readonly ref: ContentRef
}

const maxReferences = 500

const uses: { readonly [name: string]: readonly [attribute: string, use: RefUrl.RefUse] } = {
  a: ["href", "link"],
  img: ["src", "image"],
  source: ["src", "file"],
  video: ["src", "file"],
  audio: ["src", "file"]
}

const mayRefer = /<(?:a|img|source|video|audio)\s/i

interface Address {
  readonly url: string
  readonly use: RefUrl.RefUse
  /** Start offset of the value in the HTML, including its quotes. */
  readonly from: number
  readonly to: number
}

const addressesOf = (html: string): ReadonlyArray<Address> => {
  const found: Array<Address> = []
  let wanted: (typeof uses)[string] | undefined
  let value = ""
  let from = 0
  let isWanted = false
  const none = () => {}
  const tokens = new Tokenizer(
    { xmlMode: false, decodeEntities: true },
    {
      onopentagname: (start, end) => {
        const name = html.slice(start, end).toLowerCase()
        wanted = Object.hasOwn(uses, name) ? uses[name] : undefined
      },
      onattribname: (start, end) => {
        isWanted = wanted !== undefined && html.slice(start, end).toLowerCase() === wanted[0]
        value = ""
        from = end
      },
      onattribdata: (start, end) => {
        if (isWanted) value += html.slice(start, end)
      },
      onattribentity: (code) => {
        if (isWanted) value += String.fromCodePoint(code)
      },
      onattribend: () => {
        if (!isWanted || value.trim() === "" || found.length >= maxReferences) return
        const range = rangeOf(html, from)
        if (range !== undefined) found.push({ url: value, use: wanted![1], ...range })
      },
      onopentagend: none,
      onselfclosingtag: none,
      onclosetag: none,
      ontext: none,
      ontextentity: none,
      oncdata: none,
      oncomment: none,
      ondeclaration: none,
      onprocessinginstruction: none,
      onend: none
    }
  )
  tokens.write(html)
  tokens.end()
  return found
}

const valueAt = /\s*=\s*(?:"[^"]*"|'[^']*'|[^\s>]+)/y

/** Returns the range of the attribute value after the name that ends at `end`. */
const rangeOf = (html: string, end: number): { readonly from: number; readonly to: number } | undefined => {
  valueAt.lastIndex = end
  const whole = valueAt.exec(html)?.[0]
  if (whole === undefined) return undefined
  const value = whole.replace(/^\s*=\s*/, "")
  return { from: end + whole.length - value.length, to: end + whole.length }
}

const quoted = (url: string): string => `"${url.replaceAll("&", "&amp;").replaceAll('"', "&quot;")}"`

/** Replaces URLs in the HTML. A URL stays if `f` returns undefined. */
const withAddresses = (html: string, f: (address: Address) => string | undefined): string => {
  let out = ""
  let at = 0
  for (const address of addressesOf(html)) {
    const url = f(address)
    if (url === undefined || url === address.url) continue
    out += html.slice(at, address.from) + quoted(url)
    at = address.to
  }
  return at === 0 ? html : out + html.slice(at)
}

/** Returns the data of an HTML node: the HTML and its references to content. */
export const dataOf = (html: string, refOf: RefOf): Data => {
  if (!mayRefer.test(html)) return { html }
  const refs = new Map<string, Reference>()
  const own = withAddresses(html, ({ url, use }) => {
    const ref = refOf(url.trim(), use)
    if (ref.kind === "url") return ref.url === url.trim() ? undefined : ref.url
    const known = RefUrl.toUrl(ref)
    refs.set(known, { url: known, ref })
    return known
  })
  return refs.size === 0 ? { html: own } : { html: own, refs: [...refs.values()] }
}

/** Returns the targets of the URLs in HTML, from the data of the HTML node. */
export const refsOf = (data: Data | undefined): ReadonlyMap<string, ContentRef> => {
  const refs = Array.isArray(data?.refs) ? (data.refs as ReadonlyArray<Partial<Reference> | null>) : []
  return new Map(
    refs.flatMap((one) => (typeof one?.url === "string" && isRef(one.ref) ? [[one.url, one.ref] as const] : []))
  )
}

/** Returns the HTML for printing, with the URLs that its references have in the output. */
export const print = (data: Data | undefined, href: (ref: ContentRef) => string): string => {
  const html = typeof data?.html === "string" ? data.html : ""
  const refs = refsOf(data)
  if (refs.size === 0) return html
  return withAddresses(html, ({ url }) => {
    const ref = refs.get(url)
    return ref && href(ref)
  })
}
