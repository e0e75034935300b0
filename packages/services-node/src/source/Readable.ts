/**
 * Finds the main part of a page that no element marks, with Readability.
 *
 * Limits: 20,000 elements, since Readability takes time that grows faster than the page. No part is found in a larger
 * page.
 */
import { Readability } from "@mozilla/readability"
import type { Root } from "hast"
import { parseHTML } from "linkedom"
import { elements } from "./Hast.ts"
import * as PageTree from "./PageTree.ts"

const maxElements = 20_000

/** `root`: the tree of the same HTML. */
export const read = (html: string, root: Root): Root | undefined => {
  let count = 0
  for (const _ of elements(root)) if (++count > maxElements) return undefined
  try {
    const { document } = parseHTML(html)
    const article = new Readability(document, { maxElemsToParse: maxElements }).parse()
    return article?.content ? PageTree.parse(article.content) : undefined
  } catch {
    return undefined
  }
}
