/**
 * Removes everything from the main part of a page that is not its text: scripts, forms, navigation, hidden elements.
 * Links and images remain if their URL is usable, and get the URL that the options return.
 */
import type { Element, Nodes, Root } from "hast"
import { attribute, classes, elements, isElement, line, replace } from "./Hast.ts"
import * as Callouts from "./Callouts.ts"

const removedElements = new Set(
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

const pageChrome =
  /^(?:breadcrumbs?|breadcrumb-nav|pagination|pagination-nav|toc|table-of-contents|tableofcontents|on-this-page|sidebar|edit-this-page|edit-page|editlink|mw-editsection|page-nav|prev-next|prevnext|share|social-share|copy-button|copybtn|sr-only|visually-hidden|skip-link|screen-reader-text|navbox|noprint)$/i

const isHidden = (element: Element): boolean =>
  attribute(element, "hidden") !== undefined ||
  attribute(element, "aria-hidden") === "true" ||
  /(?:^|;)\s*(?:display\s*:\s*none|visibility\s*:\s*hidden)/i.test(attribute(element, "style") ?? "")

const isRemoved = (element: Element): boolean => {
  if (removedElements.has(element.tagName) || isHidden(element)) return true
  if (element.tagName === "button") return true
  if (element.tagName === "input") return attribute(element, "type") !== "checkbox"
  if (roles.has(attribute(element, "role") ?? "")) return true
  if (Callouts.hintStyleOf(element) !== undefined) return false
  if (element.tagName === "aside") return true
  if (attribute(element, "role") === "doc-toc") return true
  return pageChrome.test(attribute(element, "id") ?? "") || classes(element).some((name) => pageChrome.test(name))
}

/** True for a link without text or with a symbol, which leads from a heading to itself. */
const isAnchorSymbol = (element: Element): boolean =>
  isElement(element, "a") &&
  (attribute(element, "href") ?? "#").includes("#") &&
  (/^(?:[#¶§🔗\u200b]|\s)*$/u.test(line(element)) ||
    (classes(element).some((name) =>
      /^(?:headerlink|hash-link|anchor-?link|header-anchor|anchorjs-link)$/i.test(name)
    ) &&
      line(element).length < 3)) &&
  !element.children.some((child) => isElement(child, "img"))

export interface CleanOptions {
  /** Returns the URL for a link. Undefined if the page may not link to it. */
  readonly link: (url: string) => string | undefined
  readonly image: (url: string) => string | undefined
  /** True if tables for layout are replaced by their content. */
  readonly hasLayoutTables: boolean
}

export const clean = (content: Root | Element, options: CleanOptions): void =>
  replace(content, (element): Array<Nodes> | undefined => {
    if (isRemoved(element)) return []
    if (isElement(element, "a")) {
      if (isAnchorSymbol(element)) return []
      const href = attribute(element, "href")
      const url = href === undefined ? undefined : options.link(href.trim())
      if (url === undefined) return [{ ...element, tagName: "span", properties: {} }]
      element.properties = { href: url }
      return undefined
    }
    if (isElement(element, "img")) return imageOf(element, options)
    if (isElement(element, "iframe")) return frame(element)
    if (options.hasLayoutTables && isElement(element, "table") && isLayout(element)) unwrap(element)
    return undefined
  })

/**
 * True for a table that only arranges its content: one around other tables, with a single cell, or with the role
 * `presentation` or `none`.
 */
const isLayout = (table: Element): boolean => {
  if (/^(?:presentation|none)$/.test(attribute(table, "role") ?? "")) return true
  let cells = 0
  for (const element of elements(table)) {
    if (isElement(element, "table")) return true
    if (isElement(element, "td", "th")) cells++
  }
  return cells === 1
}

/** Converts the parts of a table to `div` elements. */
const unwrap = (table: Element): void => {
  const pendingNodes: Array<Element> = [table]
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    next.tagName = "div"
    for (const child of next.children) if (isElement(child, ...parts)) pendingNodes.push(child)
  }
}

const parts = ["caption", "tbody", "td", "tfoot", "th", "thead", "tr"]

/**
 * Returns a frame with an absolute HTTP URL, or nothing for other frames. Lazily loaded frames have the URL in
 * `data-src`.
 */
const frame = (element: Element): Array<Nodes> => {
  const source = attribute(element, "src") ?? attribute(element, "data-src") ?? ""
  const url = source.startsWith("//") ? `https:${source}` : source
  if (!/^https?:/i.test(url) || !URL.canParse(url)) return []
  return [{ type: "element", tagName: "iframe", properties: { src: new URL(url).href }, children: [] }]
}

/**
 * Returns an image with a URL that the options accept, or nothing. Lazily loaded images have the URL in other
 * attributes than `src`.
 */
const imageOf = (element: Element, { image }: CleanOptions): Array<Nodes> => {
  const sources = [
    attribute(element, "data-src"),
    attribute(element, "data-original"),
    attribute(element, "data-lazy-src"),
    attribute(element, "src"),
    attribute(element, "srcset")?.split(/[\s,]/, 1)[0]
  ]
  for (const source of sources) {
    const url = source?.trim() ? image(source.trim()) : undefined
    if (url === undefined) continue
    const alt = attribute(element, "alt") ?? ""
    return [{ type: "element", tagName: "img", properties: { src: url, alt }, children: [] }]
  }
  return []
}
