/**
 * Retains anchors of a page other than headings. These are elements that the page's links lead to, empty `span`
 * elements with an id, and `a` elements without `href`. An anchor inside of a heading without an id, or directly before
 * one, becomes the heading's id. Other anchors become inline HTML at the start of their element.
 */
import { decodePercent } from "@lectern/document/PercentEncoding"
import { nodeElement } from "@lectern/document/html/HtmlStream"
import type { Element, Parents, Root, Text } from "hast"
import { attribute, isElement, replace } from "./Hast.ts"
import type { PageNodes } from "./PageNodes.ts"

/** True if a name needs no escaping in an attribute and in a URL fragment. */
const isName = (name: string): boolean => /^[^\s"'<>&#]{1,100}$/.test(name)

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"])

/** Elements that may start with an anchor. */
const anchorParents = new Set(
  "article aside b blockquote body dd div dt em i li main p section span strong td th".split(" ")
)
/** Elements that are visible content without text. */
const visibleElements = new Set(["hr", "iframe", "img", nodeElement, "pre", "table"])
/** Elements that contain only their own parts, such as rows or items. */
const structuredElements = new Set("details dl figure ol table tbody tfoot thead tr ul".split(" "))

export const markAnchors = (content: Root | Element, nodes: PageNodes): void => {
  const linkedNames = new Set<string>()
  const parents = new Map<Element, Parents>()
  const pendingNodes: Array<Parents> = [content]
  for (let parent = pendingNodes.pop(); parent !== undefined; parent = pendingNodes.pop()) {
    for (const child of parent.children) {
      if (child.type !== "element") continue
      parents.set(child, parent)
      pendingNodes.push(child)
      const href = isElement(child, "a") ? attribute(child, "href")?.trim() : undefined
      if (href?.startsWith("#") === true) linkedNames.add(decodePercent(href.slice(1)))
    }
  }
  const anchorsBefore = new Map<Element, Array<Element>>()
  const insert = (name: string, element: Element) => {
    const anchor = nodes.inline("html", { html: `<a id="${name}"></a>` })
    const structure = anchorParents.has(element.tagName) ? undefined : outermostStructure(element, parents)
    if (structure === undefined) firstIn(element).children.unshift(anchor)
    else anchorsBefore.set(structure, [...(anchorsBefore.get(structure) ?? []), anchor])
  }
  const usedNames = new Set<string>()
  /** Anchors that no visible content has followed yet. */
  let pending: Array<{ readonly name: string; readonly at: Element }> = []
  const insertPending = () => {
    for (const { name, at } of pending) insert(name, at)
    pending = []
  }
  for (const node of inOrder(content)) {
    if (node.type === "text") {
      if (node.value.trim() !== "") insertPending()
      continue
    }
    if (headings.has(node.tagName)) {
      const lastAnchor = pending.at(-1)
      if (lastAnchor !== undefined && attribute(node, "id") === undefined) {
        node.properties = { ...node.properties, id: lastAnchor.name }
        pending.pop()
      }
      insertPending()
      continue
    }
    if (visibleElements.has(node.tagName)) insertPending()
    const name = attribute(node, "id") ?? (isElement(node, "a") ? attribute(node, "name") : undefined)
    if (name === undefined || usedNames.has(name) || !isName(name)) continue
    if (!linkedNames.has(name) && (!isForLinks(node) || isGenerated(name))) continue
    usedNames.add(name)
    const heading = headingOf(node, parents)
    if (heading !== undefined && attribute(heading, "id") === undefined) {
      heading.properties = { ...heading.properties, id: name }
    } else pending.push({ name, at: node })
  }
  insertPending()
  if (anchorsBefore.size > 0)
    replace(content, (element) => {
      const anchors = anchorsBefore.get(element)
      anchorsBefore.delete(element)
      return anchors && [...anchors, element]
    })
}

/** True for names that programs generate, such as Word's bookmark for each heading. */
const isGenerated = (name: string): boolean => name.startsWith("_")

/** Returns the heading that is the parent of an element. */
const headingOf = (element: Element, parents: ReadonlyMap<Element, Parents>): Element | undefined => {
  const parent = parents.get(element)
  return parent?.type === "element" && headings.has(parent.tagName) ? parent : undefined
}

const isForLinks = ({ tagName, children, properties }: Element): boolean =>
  tagName === "a"
    ? properties["href"] === undefined
    : tagName === "span" && children.every((child) => child.type === "text" && child.value.trim() === "")

function* inOrder(content: Root | Element): Generator<Element | Text> {
  const pendingNodes = content.children.toReversed()
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    if (next.type === "text") yield next
    if (next.type !== "element") continue
    yield next
    for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
  }
}

const maxParts = 10

/** Returns the innermost element at the start of another that may start with an anchor. */
const firstIn = (element: Element): Element => {
  let current = element
  for (let i = 0; i < maxParts; i++) {
    const first = current.children.find((child) => child.type !== "text" || child.value.trim() !== "")
    if (first?.type !== "element" || !anchorParents.has(first.tagName)) return current
    current = first
  }
  return current
}

/**
 * Returns the nearest element before which an anchor may stand. Undefined if no such element is within `maxParts`
 * levels.
 */
const outermostStructure = (element: Element, parents: ReadonlyMap<Element, Parents>): Element | undefined => {
  let current = element
  for (let i = 0; i < maxParts; i++) {
    const parent = parents.get(current)
    if (parent?.type !== "element" || !structuredElements.has(parent.tagName))
      return parent === undefined ? undefined : current
    current = parent
  }
  return undefined
}
