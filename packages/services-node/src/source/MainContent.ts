/**
 * Finds the main content of an HTML page by the elements, ids and classes that documentation tools use. Otherwise falls
 * back to Readability.
 */
import type { Element, Nodes, Root } from "hast"
import { attribute, classes, elements, find, isElement, text } from "./Hast.ts"

const isMain = (element: Element) => isElement(element, "main") || attribute(element, "role") === "main"

const names = new Set([
  "markdown-body",
  "markdown-section",
  "rst-content",
  "theme-doc-markdown",
  "md-content",
  "vp-doc",
  "page-content",
  "main-content",
  "maincontent",
  "entry-content",
  "post-content",
  "article-content",
  "mw-parser-output",
  "wiki-content",
  "content",
  "main"
])

const isNamed = (element: Element) =>
  names.has(attribute(element, "id")?.toLowerCase() ?? "") ||
  classes(element).some((name) => names.has(name.toLowerCase()))

/** Minimum number of characters of a main content. */
const minTextLength = 40

const hasText = (element: Element) => text(element).trim().length >= minTextLength

/** Returns the text lengths of all nodes below a root. Time is linear, however deep elements nest. */
const lengthsIn = (root: Root): ReadonlyMap<Nodes, number> => {
  const lengths = new Map<Nodes, number>()
  const pendingNodes: Array<Nodes> = [root]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    if (!("children" in node)) {
      lengths.set(node, node.type === "text" ? node.value.length : 0)
      continue
    }
    // On its second visit, after its descendants, a node gets the sum of its children's lengths.
    if (lengths.has(node)) {
      let length = 0
      for (const child of node.children) length += lengths.get(child) ?? 0
      lengths.set(node, length)
      continue
    }
    lengths.set(node, 0)
    pendingNodes.push(node)
    for (const child of node.children) pendingNodes.push(child)
  }
  return lengths
}

/**
 * Returns the main content of a page. `readable` is the fallback for pages with navigation. The result is the whole
 * page if no main content is found.
 */
export const mainContentOf = (root: Root, readable: () => Root | undefined): Root | Element => {
  const lengths = lengthsIn(root)
  const main = largest(root, lengths, isMain)
  const articles = [...elements(main ?? root)].filter((element) => isElement(element, "article"))
  // One `article` is the main content. More than one is a list of other pages.
  if (articles.length === 1 && hasText(articles[0]!)) return articles[0]!
  if (main !== undefined && text(main).trim() !== "") return main
  const namedElement = largest(root, lengths, isNamed)
  if (namedElement !== undefined && hasText(namedElement)) return namedElement
  const isFramed = find(root, (element) => isElement(element, "nav", "header", "footer", "aside")) !== undefined
  return isFramed ? (readable() ?? root) : root
}

const largest = (
  root: Root,
  lengths: ReadonlyMap<Nodes, number>,
  is: (element: Element) => boolean
): Element | undefined => {
  let largestElement: Element | undefined
  let length = -1
  for (const element of elements(root)) {
    if (!is(element)) continue
    const ownContent = lengths.get(element) ?? 0
    if (ownContent > length) [largestElement, length] = [element, ownContent]
  }
  return largestElement
}
