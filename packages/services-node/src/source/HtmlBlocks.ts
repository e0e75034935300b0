/**
 * Converts the clean tree of a page to a document, and prints the document as Markdown: code with its language,
 * callouts as hints, formulas, footnotes. `HtmlFlow` reads everything else.
 *
 * Limits: 20 levels of nested lists, quotes, callouts and tables. Deeper ones are replaced by their content. The
 * Markdown may have as many characters as a page may have bytes; longer Markdown fails with `SourceUnreadable`.
 */
import { maxMarkdownBytes } from "@lectern/exchange/import/Folder"
import { SourceUnreadable } from "@lectern/exchange/import/SourceReader"
import { type Block, schemaVersion } from "@lectern/document/Document"
import type { HtmlContext, Loss } from "@lectern/document/html/HtmlContext"
import * as HtmlFlow from "@lectern/document/html/HtmlFlow"
import * as Markdown from "@lectern/document/markdown/Markdown"
import type { Element, Root } from "hast"
import * as Callouts from "./Callouts.ts"
import { codeOf, languageOf } from "./CodeText.ts"
import type { PageNodes } from "./PageNodes.ts"
import * as WordFootnotes from "./WordFootnotes.ts"

const maxNesting = 20
const nests = new Set("aside blockquote details ol table ul".split(" "))

/** Number of enclosing elements whose classes may state the language of code. */
const nearbyDepth = 3

export interface PrintedHtml {
  readonly markdown: string
  readonly problems: ReadonlyArray<string>
}

export const print = (content: Root | Element, { all }: PageNodes): PrintedHtml => {
  const losses = new Map<Loss, number>()
  const context: HtmlContext = {
    nextKey: () => "",
    resolveRef: (url) => ({ kind: "url", url }),
    nodes: all,
    isStored: true,
    onLoss: (lossKind) => void losses.set(lossKind, (losses.get(lossKind) ?? 0) + 1)
  }
  const notes = WordFootnotes.takeFootnotes(content)
  prepare(content)
  const nodes: Array<Block> = HtmlFlow.readBlocks(content.children as Element["children"], context)
  for (const note of notes) {
    prepare(note)
    const body = HtmlFlow.readBlocks(note.children, context)
    const data = { label: WordFootnotes.labelIn(note) }
    nodes.push({ object: "block", type: "footnote-definition", key: "", data, nodes: body })
  }
  const markdown = Markdown.print({ object: "document", data: { schemaVersion }, nodes })
  if (markdown.length > maxMarkdownBytes) {
    throw new SourceUnreadable({ message: `It has more than ${maxMarkdownBytes / 1024 ** 2} MiB as Markdown` })
  }
  return { markdown, problems: Array.from(losses, ([lossKind, count]) => `${lossMessages[lossKind]}: ${count}`) }
}

const lossMessages: { readonly [_ in Loss]: string } = {
  table: "Tables in cells of other tables became paragraphs",
  header: "Header rows with merged cells became the first row of their table",
  columns: "Tables have more than 100 columns, and the cells of the others follow after the table"
}

/** Converts code and callouts to the elements that `HtmlFlow` reads, and limits nesting. */
const prepare = (content: Root | Element): void => {
  const pendingNodes: Array<{
    readonly node: Root | Element
    readonly enclosing: ReadonlyArray<Element>
    readonly depth: number
  }> = [{ node: content, enclosing: [], depth: 0 }]
  for (let next = pendingNodes.pop(); next !== undefined; next = pendingNodes.pop()) {
    const { node, depth } = next
    const enclosing = node.type === "element" ? [...next.enclosing, node].slice(-nearbyDepth) : next.enclosing
    for (const child of node.children) {
      if (child.type !== "element") continue
      if (child.tagName === "pre") {
        const language = languageOf(child, enclosing)
        child.properties = language === undefined ? {} : { lang: language }
        child.children = [{ type: "text", value: `\n${codeOf(child)}` }]
        continue
      }
      box(child)
      const isNesting = nests.has(child.tagName)
      if (isNesting && depth >= maxNesting) child.tagName = "div"
      pendingNodes.push({ node: child, enclosing, depth: isNesting ? depth + 1 : depth })
    }
  }
}

const box = (element: Element): void => {
  const style = Callouts.hintStyleOf(element)
  if (style === undefined) return
  element.children = Callouts.contentOf(element) as Element["children"]
  element.tagName = "aside"
  element.properties = { "data-style": style }
}
