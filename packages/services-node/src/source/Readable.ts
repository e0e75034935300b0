/** The main part of a page that no element marks, as Readability finds it. */
import { Readability } from "@mozilla/readability"
import type { Root } from "hast"
import { fromHtml } from "hast-util-from-html"
import { parseHTML } from "linkedom"

/** It takes time that grows with more than the size. */
const maxElements = 20_000

export const read = (html: string): Root | undefined => {
  const { document } = parseHTML(html)
  try {
    const article = new Readability(document, { maxElemsToParse: maxElements }).parse()
    return article?.content ? fromHtml(article.content, { fragment: true }) : undefined
  } catch {
    return undefined
  }
}
