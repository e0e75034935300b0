/**
 * Footnote references in HTML, as the hosted service writes them: a link to the footnote that encloses the explained
 * text. An ordinary reference encloses `[^label]`. Explained text with the same characters is escaped.
 */
import * as HtmlTree from "./HtmlTree.ts"

const fragment = "#user-content-fn-"

export interface Mark {
  readonly label: string
  /** True if the reference encloses only its label. */
  readonly isBare: boolean
}

/** Returns the reference; undefined for other elements. */
export const read = (element: HtmlTree.Element): Mark | undefined => {
  if (element.name !== "a" || !element.attributes.has("data-footnote-ref")) return undefined
  const said = HtmlTree.only(element, ["data-footnote-ref", "href"])
  if (said?.["data-footnote-ref"] !== "" || !said.href?.startsWith(fragment)) return undefined
  const label = said.href.slice(fragment.length)
  const { children } = element
  const inside = children.map((child) => (child.kind === "text" ? child.source : "<")).join("")
  return label === "" ? undefined : { label, isBare: inside === "" || inside === bareText(label) }
}

/** Returns the reference of an ordinary footnote. */
export const bare = (label: string): string => `${open(label)}${bareText(label)}</a>`

/** Returns the reference of a footnote that explains `html`. */
export const around = (label: string, html: string): string =>
  `${open(label)}${html === bareText(label) ? html.replace("[", "&#91;") : html}</a>`

export const urlOf = (label: string): string => `${fragment}${label}`

const open = (label: string): string => HtmlTree.tag("a", { "data-footnote-ref": true, href: urlOf(label) })

const bareText = (label: string): string => HtmlTree.text(`[^${label}]`)

const marks = /<a\s+data-footnote-ref(?:="")?\s+href="#user-content-fn-([^"<>]+)"\s*>(?:([^<>]{0,9999})<\/a>)?/g

/** Returns the references in HTML, also in HTML that is not parsed. */
export const marksIn = (html: string): ReadonlyArray<Mark> =>
  html.includes("data-footnote-ref")
    ? Array.from(html.matchAll(marks), ([, written, inside]) => {
        const label = HtmlTree.decode(written!)
        return { label, isBare: inside === "" || inside === bareText(label) }
      })
    : []
