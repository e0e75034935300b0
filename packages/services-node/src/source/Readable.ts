/**
 * Finds the main content of a page with Readability, if no element marks it.
 *
 * Limits: 20,000 elements, since the time of Readability grows faster than the page, and fewer than 100 nested ones,
 * since its parser has no limit. The result is undefined for a larger or deeper page.
 */
import { Readability } from "@mozilla/readability"
import type { Element, Nodes, Root } from "hast"
import { parseHTML } from "linkedom"
import { isElement } from "./Hast.ts"
import * as PageTree from "./PageTree.ts"

const maxElements = 20_000

const isSmall = (root: Root): boolean => {
  let count = 0
  let level: ReadonlyArray<Root | Element> = [root]
  for (let depth = 0; level.length > 0; depth++) {
    const childNodes: ReadonlyArray<Nodes> = level.flatMap(({ children }) => children)
    level = childNodes.filter((node) => isElement(node))
    count += level.length
    if (count > maxElements || depth >= PageTree.maxDepth) return false
  }
  return true
}

/**
 * Returns the main content. `root` is the tree of the same HTML. Undefined if the page is too large or Readability
 * finds no content.
 */
export const read = (html: string, root: Root): Root | undefined => {
  if (!isSmall(root)) return undefined
  try {
    const { document } = parseHTML(html)
    const article = new Readability(document, { maxElemsToParse: maxElements }).parse()
    return article?.content ? PageTree.parse(article.content) : undefined
  } catch {
    return undefined
  }
}
