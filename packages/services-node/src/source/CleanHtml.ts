/**
 * Takes out of the main part of a page what is not its text: scripts, forms, navigation, whatever
 * is hidden. Of links and images those stay that lead somewhere, with their addresses in full.
 */
import type { Element, Nodes, Root } from "hast"
import { attribute, classes, find, isElement, line, replace } from "./Hast.ts"
import * as Callouts from "./Callouts.ts"

const never = new Set(
  "applet area base basefont canvas command datalist dialog embed fieldset font-face footer form frame frameset head link map menu meta nav noembed noframes noscript object optgroup option param portal script select slot style svg template textarea title".split(
    " "
  )
)

const roles = new Set([
  "banner",
  "complementary",
  "contentinfo",
  "dialog",
  "menu",
  "menubar",
  "navigation",
  "search",
  "toolbar"
])

const furniture =
  /^(?:breadcrumbs?|breadcrumb-nav|pagination|pagination-nav|toc|table-of-contents|tableofcontents|on-this-page|sidebar|edit-this-page|edit-page|editlink|mw-editsection|page-nav|prev-next|prevnext|share|social-share|copy-button|copybtn|sr-only|visually-hidden|skip-link|screen-reader-text|navbox|noprint)$/i

const isHidden = (element: Element): boolean =>
  element.properties["hidden"] === true ||
  attribute(element, "ariaHidden") === "true" ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, "style") ?? "")

const isGone = (element: Element): boolean => {
  if (never.has(element.tagName) || isHidden(element)) return true
  if (element.tagName === "button") return true
  if (element.tagName === "input") return attribute(element, "type") !== "checkbox"
  if (roles.has(attribute(element, "role") ?? "")) return true
  if (Callouts.of(element) !== undefined) return false
  if (element.tagName === "aside") return true
  if (attribute(element, "role") === "doc-toc") return true
  return furniture.test(attribute(element, "id") ?? "") || classes(element).some((name) => furniture.test(name))
}

/** The little signs beside headings that lead to them. */
const isAnchorSign = (element: Element): boolean =>
  isElement(element, "a") &&
  (attribute(element, "href") ?? "#").includes("#") &&
  (/^(?:[#¶§🔗\u200b]|\s)*$/u.test(line(element)) ||
    (classes(element).some((name) =>
      /^(?:headerlink|hash-link|anchor-?link|header-anchor|anchorjs-link)$/i.test(name)
    ) &&
      line(element).length < 3)) &&
  !element.children.some((child) => isElement(child, "img"))

/** Elements around which Markdown can have no link. */
const notLinked = ["blockquote", "details", "dl", "li", "ol", "pre", "table", "ul"]

export interface Addresses {
  /** Undefined: it leads nowhere that a page may lead to. */
  readonly link: (url: string) => string | undefined
  readonly image: (url: string) => string | undefined
}

export const clean = (content: Root | Element, addresses: Addresses): void =>
  replace(content, (element): Array<Nodes> | undefined => {
    if (isGone(element)) return []
    if (isElement(element, "a")) {
      if (isAnchorSign(element)) return []
      const href = attribute(element, "href")
      const url = href === undefined ? undefined : addresses.link(href.trim())
      const isAround = find(element, (one) => isElement(one, ...notLinked)) !== undefined
      if (url === undefined || isAround) return [{ ...element, tagName: isAround ? "div" : "span", properties: {} }]
      element.properties = { href: url }
      return undefined
    }
    if (isElement(element, "img")) return image(element, addresses)
    if (isElement(element, "table")) giveHead(element)
    return undefined
  })

/** Tables of Markdown have a head: where none is marked it is the first row. */
const giveHead = (table: Element): void => {
  if (find(table, (element) => isElement(element, "th")) !== undefined) return
  const row = find(table, (element) => isElement(element, "tr"))
  for (const cell of row?.children ?? []) if (isElement(cell, "td")) cell.tagName = "th"
}

/** Pictures that are loaded late stand in other attributes than the one for them. */
const image = (element: Element, addresses: Addresses): Array<Nodes> => {
  const sources = [
    attribute(element, "dataSrc"),
    attribute(element, "dataOriginal"),
    attribute(element, "dataLazySrc"),
    attribute(element, "src"),
    attribute(element, "srcSet")?.split(/[\s,]/, 1)[0]
  ]
  for (const source of sources) {
    const url = source?.trim() ? addresses.image(source.trim()) : undefined
    if (url === undefined) continue
    const alt = attribute(element, "alt") ?? ""
    return [{ type: "element", tagName: "img", properties: { src: url, alt }, children: [] }]
  }
  return []
}
