/**
 * Retains anchors of a page other than headings. These are elements that the page's links lead to, empty `span`
 * elements with an id, and `a` elements without `href`. An anchor inside of a heading without an id, or directly before
 * one, becomes the heading's id. Other anchors become inline HTML at the start of their element.
 */
import { decoded } from "@lectern/document/PercentEncoding"
import { nodeElement } from "@lectern/document/html/HtmlStream"
import type { Element, Parents, Root, Text } from "hast"
import { attribute, isElement, replace } from "./Hast.ts"
import type { PageNodes } from "./PageNodes.ts"

/** True if a name needs no escaping in an attribute and in a URL fragment. */
const isName = (name: string): boolean => /^[^\s"'<>&#]{1,100}$/.test(name)

const headings = new Set(["h1", "h2", "h3", "h4", "h5", "h6"])

/** Elements that may start with an anchor. */
const holds = new Set("article aside b blockquote body dd div dt em i li main p section span strong td th".split(" "))
/** Elements that are visible content without text. */
const seen = new Set(["hr", "iframe", "img", nodeElement, "pre", "table"])
/** Elements that contain only their own parts, such as rows or items. */
const parted = new Set("details dl figure ol table tbody tfoot thead tr ul".split(" "))

export const mark = (content: Root | Element, nodes: PageNodes): void => {
  const wanted = new Set<string>()
  const parents = new Map<Element, Parents>()
  const open: Array<Parents> = [content]
  for (let parent = open.pop(); parent !== undefined; parent = open.pop()) {
    for (const child of parent.children) {
      if (child.type !== "element") continue
      parents.set(child, parent)
      open.push(child)
      const href = isElement(child, "a") ? attribute(child, "href")?.trim() : undefined
      if (href?.startsWith("#") === true) wanted.add(decoded(href.slice(1)))
    }
  }
  const before = new Map<Element, Array<Element>>()
  const insert = (name: string, at: Element) => {
    const place = nodes.inline("html", { html: `<a id="${name}"></a>` })
    const one = holds.has(at.tagName) ? undefined : outOfParts(at, parents)
    if (one === undefined) firstIn(at).children.unshift(place)
    else before.set(one, [...(before.get(one) ?? []), place])
  }
  const named = new Set<string>()
  /** Anchors that no visible content has followed yet. */
  let ahead: Array<{ readonly name: string; readonly at: Element }> = []
  const settle = () => {
    for (const { name, at } of ahead) insert(name, at)
    ahead = []
  }
  for (const node of inOrder(content)) {
    if (node.type === "text") {
      if (node.value.trim() !== "") settle()
      continue
    }
    if (headings.has(node.tagName)) {
      const last = ahead.at(-1)
      if (last !== undefined && attribute(node, "id") === undefined) {
        node.properties = { ...node.properties, id: last.name }
        ahead.pop()
      }
      settle()
      continue
    }
    if (seen.has(node.tagName)) settle()
    const name = attribute(node, "id") ?? (isElement(node, "a") ? attribute(node, "name") : undefined)
    if (name === undefined || named.has(name) || !isName(name)) continue
    if (!wanted.has(name) && (!isForLinks(node) || isOfProgram(name))) continue
    named.add(name)
    const heading = headingOf(node, parents)
    if (heading !== undefined && attribute(heading, "id") === undefined) {
      heading.properties = { ...heading.properties, id: name }
    } else ahead.push({ name, at: node })
  }
  settle()
  if (before.size > 0)
    replace(content, (element) => {
      const places = before.get(element)
      before.delete(element)
      return places && [...places, element]
    })
}

/** True for names that programs generate, such as Word's bookmark for each heading. */
const isOfProgram = (name: string): boolean => name.startsWith("_")

/** Returns the heading that is the parent of an element. */
const headingOf = (at: Element, parents: ReadonlyMap<Element, Parents>): Element | undefined => {
  const parent = parents.get(at)
  return parent?.type === "element" && headings.has(parent.tagName) ? parent : undefined
}

const isForLinks = ({ tagName, children, properties }: Element): boolean =>
  tagName === "a"
    ? properties["href"] === undefined
    : tagName === "span" && children.every((child) => child.type === "text" && child.value.trim() === "")

function* inOrder(content: Root | Element): Generator<Element | Text> {
  const open = content.children.toReversed()
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (next.type === "text") yield next
    if (next.type !== "element") continue
    yield next
    for (let i = next.children.length - 1; i >= 0; i--) open.push(next.children[i]!)
  }
}

const maxParts = 10

/** Returns the innermost element at the start of another that may start with an anchor. */
const firstIn = (at: Element): Element => {
  let one = at
  for (let i = 0; i < maxParts; i++) {
    const first = one.children.find((child) => child.type !== "text" || child.value.trim() !== "")
    if (first?.type !== "element" || !holds.has(first.tagName)) return one
    one = first
  }
  return one
}

/**
 * Returns the nearest element before which an anchor may stand. Undefined if no such element is within `maxParts`
 * levels.
 */
const outOfParts = (at: Element, parents: ReadonlyMap<Element, Parents>): Element | undefined => {
  let one = at
  for (let i = 0; i < maxParts; i++) {
    const parent = parents.get(one)
    if (parent?.type !== "element" || !parted.has(parent.tagName)) return parent === undefined ? undefined : one
    one = parent
  }
  return undefined
}
