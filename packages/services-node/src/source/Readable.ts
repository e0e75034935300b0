/**
 * Finds the main part of a page that no element marks, with Readability.
 *
 * Limits: 20,000 elements, since Readability takes time that grows faster than the page, and less than 100 nested ones,
 * since its parser has no limit. No part is found in a larger or deeper page.
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
    const below: ReadonlyArray<Nodes> = level.flatMap(({ children }) => children)
    level = below.filter((node) => isElement(node))
    count += level.length
    if (count > maxElements || depth >= PageTree.maxDepth) return false
  }
  return true
}

/** `root`: the tree of the same HTML. */
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
