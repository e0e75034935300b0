/**
 * Footnote references in HTML: a link to the footnote that encloses the explained text. An ordinary reference encloses
 * `[^label]`. Explained text with the same characters is escaped.
 */
import * as HtmlTree from "./HtmlTree.ts"

const fragment = "#user-content-fn-"

export interface FootnoteMark {
  readonly label: string
  /** True if the reference encloses only its label. */
  readonly isBare: boolean
}

/** Returns the reference; undefined for other elements. */
export const read = (element: HtmlTree.Element): FootnoteMark | undefined => {
  if (element.name !== "a" || !element.attributes.has("data-footnote-ref")) return undefined
  const attributes = HtmlTree.knownAttributes(element, ["data-footnote-ref", "href"])
  if (attributes?.["data-footnote-ref"] !== "" || !attributes.href?.startsWith(fragment)) return undefined
  const label = attributes.href.slice(fragment.length)
  const { children } = element
  const content = children.map((child) => (child.kind === "text" ? child.source : "<")).join("")
  return label === "" ? undefined : { label, isBare: content === "" || content === bareText(label) }
}

/** Returns the reference of an ordinary footnote. */
export const ordinaryReference = (label: string): string => `${openTag(label)}${bareText(label)}</a>`

/** Returns the reference of a footnote that explains `html`. */
export const annotationReference = (label: string, html: string): string =>
  `${openTag(label)}${html === bareText(label) ? html.replace("[", "&#91;") : html}</a>`

export const footnoteUrl = (label: string): string => `${fragment}${label}`

const openTag = (label: string): string =>
  HtmlTree.openTag("a", { "data-footnote-ref": true, href: footnoteUrl(label) })

const bareText = (label: string): string => HtmlTree.escapeText(`[^${label}]`)

const referencePattern =
  /<a\s+data-footnote-ref(?:="")?\s+href="#user-content-fn-([^"<>]+)"\s*>(?:([^<>]{0,9999})<\/a>)?/g

/** Returns the references in HTML, also in HTML that is not parsed. */
export const findReferences = (html: string): ReadonlyArray<FootnoteMark> =>
  html.includes("data-footnote-ref")
    ? Array.from(html.matchAll(referencePattern), ([, encodedLabel, content]) => {
        const label = HtmlTree.decodeReferences(encodedLabel!)
        return { label, isBare: content === "" || content === bareText(label) }
      })
    : []
