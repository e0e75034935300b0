/**
 * Functions that search and change HTML trees. They use no recursion, since the author of a page determines how deep
 * its tree is.
 */
import { collapseWhiteSpace } from "@lectern/document/markdown/OneLine"
import type { Element, Nodes, Parents, Root } from "hast"

export const isElement = (node: Nodes | undefined, ...names: ReadonlyArray<string>): node is Element =>
  node?.type === "element" && (names.length === 0 || names.includes(node.tagName))

/** Yields the elements below a node, in document order. */
export function* elements(node: Parents): Generator<Element> {
  const pendingNodes: Array<Nodes> = node.children.toReversed()
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    if (next.type !== "element") continue
    yield next
    for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
  }
}

export const find = (node: Parents, is: (element: Element) => boolean): Element | undefined => {
  for (const element of elements(node)) if (is(element)) return element
  return undefined
}

/** Returns the text in a node, or at least its first `minLength` characters. Default: the complete text. */
export const text = (node: Nodes, minLength = Infinity): string => {
  let content = ""
  const pendingNodes: Array<Nodes> = [node]
  for (let next = pendingNodes.pop(); next !== undefined && content.length < minLength; next = pendingNodes.pop()) {
    if (next.type === "text") content += next.value
    if (!("children" in next)) continue
    for (let i = next.children.length - 1; i >= 0; i--) pendingNodes.push(next.children[i]!)
  }
  return content
}

/** Returns the text in a node on one line. */
export const line = (node: Nodes): string => collapseWhiteSpace(text(node))

/** Returns the value of an attribute by its name in HTML. Undefined if the element lacks the attribute. */
export const attribute = ({ properties }: Element, name: string): string | undefined => {
  const value = Object.hasOwn(properties, name) ? properties[name] : undefined
  return typeof value === "string" ? value : undefined
}

export const classes = (element: Element): ReadonlyArray<string> =>
  attribute(element, "class")?.split(/\s+/).filter(Boolean) ?? []

/**
 * Replaces elements, parents first. `f` returns the nodes that replace an element, or undefined to keep it.
 * Replacements are visited too.
 */
export const replace = (root: Root | Element, f: (element: Element) => Array<Element | Nodes> | undefined): void => {
  const pendingNodes: Array<Parents> = [root]
  for (let parent = pendingNodes.pop(); parent !== undefined; parent = pendingNodes.pop()) {
    const children: Array<Nodes> = []
    for (const child of parent.children as Array<Nodes>) {
      const replacements = child.type === "element" ? f(child) : undefined
      for (const newChild of replacements ?? [child]) {
        children.push(newChild)
        if (newChild.type === "element") pendingNodes.push(newChild)
      }
    }
    parent.children = children as typeof parent.children
  }
}
