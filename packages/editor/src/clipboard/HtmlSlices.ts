/**
 * Converts pasted HTML of any program to content of the editor. The HTML is parsed in a document that runs no scripts
 * and loads nothing. The lists, tasks and styles of other programs first become plain elements (`PastedLists`,
 * `PastedStyles`). Then only elements with a meaning in the vocabulary are read. Styles, classes, handlers and all else
 * are left out. A merged cell of a table becomes one cell with the content, and empty cells.
 */
import type { ContentRef } from "@lectern/document/Document"
import type { BlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { type Attrs, DOMParser as NodeParser, Fragment, type Node, Slice, type TagParseRule } from "prosemirror-model"
import { dataOf } from "../Commands.ts"
import { codeLine, fragmentName, inlineName, markName, schema } from "../EditorSchema.ts"
import { boundedSize, isTitleRow, tableOfCells, type TableCut } from "../table/NewTable.ts"
import { readLists } from "./PastedLists.ts"
import { takePictures } from "./PastedPictures.ts"
import { readTextStyles, unwrap } from "./PastedStyles.ts"

export interface PastedHtml {
  readonly slice: Slice
  /** Pictures that the HTML had as data. */
  readonly files: ReadonlyArray<File>
  /** Set if a table was too large. */
  readonly cut?: TableCut
}

/** `refOf`: returns the reference for a URL. Returns undefined if the HTML has nothing for a document. */
export const parseHtml = (html: string, refOf: (url: string) => ContentRef): PastedHtml | undefined => {
  const { body } = new DOMParser().parseFromString(html, "text/html")
  removeUnread(body)
  readLists(body)
  readTextStyles(body)
  readParagraphs(body)
  readHints(body)
  unwrapLayoutTables(body)
  const files = takePictures(body)
  splitAtBreaks(body)
  const cuts: Array<TableCut> = []
  const parser = nodeParser(refOf, cuts)
  const nodes = parser
    .parse(body)
    .children.filter(
      (node) => node.type.name !== "paragraph" || node.textContent.trim() !== "" || !node.children.every(isText)
    )
  if (nodes.length === 0) return files.length === 0 ? undefined : { slice: Slice.empty, files }
  const isParagraph = (node: Node | undefined) => node?.type.name === "paragraph"
  const slice = new Slice(Fragment.from(nodes), isParagraph(nodes[0]) ? 1 : 0, isParagraph(nodes.at(-1)) ? 1 : 0)
  return { slice, files, ...(cuts[0] !== undefined && { cut: cuts[0] }) }
}

const isText = ({ isText }: Node): boolean => isText

const unread =
  "script, style, template, noscript, iframe, object, embed, svg, math, title, meta, link, base, button, textarea, select, audio, video, canvas, map, head, [hidden], .katex-html, .EOP, .Apple-interchange-newline"

const removeUnread = (root: HTMLElement): void => {
  for (const element of root.querySelectorAll(unread)) element.remove()
  // Names with a colon, such as `o:p`, are of Office.
  for (const element of Array.from(root.getElementsByTagName("*"))) if (element.localName.includes(":")) unwrap(element)
}

const renamed = (element: Element, name: string): void => {
  const next = element.ownerDocument.createElement(name)
  next.append(...element.childNodes)
  element.replaceWith(next)
}

/** Paragraphs that are headings or quotes by their class or role. */
const readParagraphs = (root: HTMLElement): void => {
  for (const element of root.querySelectorAll("[role=heading][aria-level]")) {
    renamed(element, `h${Math.min(6, Number(element.getAttribute("aria-level")) || 1)}`)
  }
  for (const element of root.querySelectorAll("p.MsoTitle")) renamed(element, "h1")
  for (const element of root.querySelectorAll("p.MsoQuote, p.MsoIntenseQuote")) renamed(element, "blockquote")
}

const hints = "[data-panel-type], .confluence-information-macro, aside, .callout"

const hintStyles: ReadonlyArray<readonly [RegExp, string]> = [
  [/error|danger|macro-warning/, "danger"],
  [/warning|macro-note|caution/, "warning"],
  [/success|tip/, "success"]
]

const readHints = (root: HTMLElement): void => {
  for (const element of root.querySelectorAll(hints)) {
    const sign = `${element.getAttribute("data-panel-type") ?? ""} ${element.getAttribute("class") ?? ""}`
    const hint = element.ownerDocument.createElement("div")
    hint.dataset["hint"] = hintStyles.find(([pattern]) => pattern.test(sign))?.[1] ?? "info"
    for (const icon of element.querySelectorAll(".confluence-information-macro-icon, [aria-hidden=true]")) icon.remove()
    hint.append(...element.childNodes)
    element.replaceWith(hint)
  }
}

/** Tables that only arrange a message on its page. */
const unwrapLayoutTables = (root: HTMLElement): void => {
  // From the inside out, so that a table without its inner tables is considered.
  for (const table of Array.from(root.querySelectorAll("table")).reverse()) {
    const isLayout =
      table.getAttribute("role") === "presentation" ||
      table.querySelector("table") !== null ||
      Array.from(table.rows).reduce((sum, { cells }) => sum + cells.length, 0) < 2
    if (!isLayout) continue
    const parts = Array.from(table.rows).flatMap(({ cells }) =>
      Array.from(cells, (cell) => {
        const part = root.ownerDocument.createElement("div")
        part.append(...cell.childNodes)
        return part
      })
    )
    table.replaceWith(...parts)
  }
}

const blockNames =
  "p, div, ul, ol, li, table, tr, td, th, thead, tbody, blockquote, pre, hr, h1, h2, h3, h4, h5, h6, details, section, article, figure"

const isBlank = (node: ChildNode): boolean =>
  node.nodeType === 8 || (node.nodeType === 3 && node.textContent!.trim() === "")

const isBreak = (node: ChildNode | null): boolean => node?.nodeName === "BR"

/** Two breaks in a row separate paragraphs. A break next to a block, or at the end of one, means nothing. */
const splitAtBreaks = (root: HTMLElement): void => {
  const parents = [root, ...root.querySelectorAll<HTMLElement>("p, div, td, th, li, blockquote, section, article")]
  for (const parent of parents) {
    if (!Array.from(parent.childNodes).some(isBreak)) continue
    const runs: Array<Array<ChildNode>> = [[]]
    let breaks: Array<ChildNode> = []
    let isAfterBlock = true
    for (const node of Array.from(parent.childNodes)) {
      if (isBreak(node)) breaks.push(node)
      else if (isBlank(node)) runs.at(-1)!.push(node)
      else {
        const isBlock = node instanceof HTMLElement && node.matches(blockNames)
        if (breaks.length > 1 && !isBlock) runs.push([])
        else if (breaks.length === 1 && !isBlock && !isAfterBlock) runs.at(-1)!.push(...breaks)
        breaks = []
        runs.at(-1)!.push(node)
        isAfterBlock = isBlock
      }
    }
    const wrap = (run: ReadonlyArray<ChildNode>): ReadonlyArray<ChildNode> => {
      if (run.every(isBlank) || run.some((node) => node instanceof HTMLElement && node.matches(blockNames))) return run
      const paragraph = root.ownerDocument.createElement("p")
      paragraph.append(...run)
      return [paragraph]
    }
    const children = runs.length === 1 ? runs[0]! : runs.flatMap(wrap)
    if (parent.localName === "p" && runs.length > 1) parent.replaceWith(...children)
    else parent.replaceChildren(...children)
  }
}

const block = (
  tag: string,
  type: BlockType,
  data: (element: HTMLElement) => Attrs | null = () => dataOf(type)
): TagParseRule => ({
  tag,
  node: type,
  getAttrs: (element) => ({ data: data(element) })
})

const mark = (tag: string, type: MarkType): TagParseRule => ({ tag, mark: markName(type) })

/** Returns the language of code by the class of its element. */
const syntaxOf = (pre: HTMLElement): string | undefined => {
  const code = pre.querySelector("code")
  const sign = `${pre.className} ${code?.className ?? ""} ${pre.getAttribute("data-syntaxhighlighter-params") ?? ""} ${pre.getAttribute("data-language") ?? ""}`
  return /(?:language-|lang-|brush:\s*)([\w+#-]{1,40})/i.exec(sign)?.[1]
}

const codeText = (pre: HTMLElement): string => {
  for (const lineBreak of pre.querySelectorAll("br")) lineBreak.replaceWith("\n")
  return pre.textContent.replaceAll("\r\n", "\n").replace(/\n$/, "")
}

const nodeParser = (refOf: (url: string) => ContentRef, cuts: Array<TableCut>): NodeParser => {
  const tables = new WeakMap<object, Node>()
  const tableOf = (element: HTMLElement): Node => {
    let table = tables.get(element)
    if (table === undefined) {
      table = readTable(element as HTMLTableElement, parser, cuts)
      tables.set(element, table)
    }
    return table
  }
  const rules: ReadonlyArray<TagParseRule> = [
    block("p", "paragraph"),
    block("h1", "heading-1"),
    block("h2", "heading-2"),
    block("h3, h4, h5, h6", "heading-3"),
    block("ul[data-tasks]", "list-tasks"),
    block("ul", "list-unordered"),
    block("ol", "list-ordered", (list) => {
      const start = Number(list.getAttribute("start") ?? 1)
      return Number.isSafeInteger(start) && start > 1 ? { start } : {}
    }),
    block("li", "list-item", ({ dataset, parentElement }) =>
      parentElement?.dataset["tasks"] === undefined ? null : { checked: dataset["checked"] === "true" }
    ),
    block("blockquote", "blockquote"),
    block("hr", "divider"),
    block("div[data-hint]", "hint", ({ dataset }) => ({ style: dataset["hint"] })),
    {
      ...block("pre", "code", (pre) => {
        const syntax = syntaxOf(pre)
        return syntax === undefined ? {} : { syntax }
      }),
      getContent: (pre) =>
        Fragment.from(
          codeText(pre as HTMLElement)
            .split("\n")
            .map(codeLine)
        )
    },
    {
      ...block("details", "expandable"),
      getContent: (details) => {
        const summary = (details as HTMLElement).querySelector("summary")
        const title = summary?.textContent.trim() ?? ""
        summary?.remove()
        const titleNode = schema.nodes[fragmentName("expandable", "expandable-title")]!
        const bodyNode = schema.nodes[fragmentName("expandable", "expandable-body")]!
        const paragraph = schema.node("paragraph", null, title === "" ? [] : [schema.text(title)])
        return Fragment.from([titleNode.create(null, paragraph), parser.parse(details, { topNode: bodyNode.create() })])
      }
    },
    {
      tag: "table",
      node: "table",
      getAttrs: (table) => ({ data: tableOf(table).attrs["data"] }),
      getContent: (table) => tableOf(table as HTMLElement).content
    },
    {
      ...block("img[src]", "images"),
      getContent: (image) => {
        const { alt, src } = image as HTMLImageElement
        const data = { ref: refOf(src), ...(alt !== "" && { alt }) }
        return Fragment.from(schema.nodes["image"]!.create({ data }))
      }
    },
    { tag: "br", node: inlineName("hard-break") },
    {
      tag: "a[href]",
      mark: inlineName("link"),
      getAttrs: (link) => {
        const url = link.getAttribute("href")!.trim()
        return /^(?:https?:\/\/|mailto:|tel:)/i.test(url) ? { data: { ref: refOf(url) } } : false
      }
    },
    mark("strong, b", "bold"),
    mark("em, i", "italic"),
    mark("s, strike, del", "strikethrough"),
    mark("u, ins", "underline"),
    mark("code, samp, tt", "code"),
    mark("kbd", "keyboard"),
    mark("sup", "superscript"),
    mark("sub", "subscript")
  ]
  const parser: NodeParser = new NodeParser(schema, [...NodeParser.fromSchema(schema).rules, ...rules])
  return parser
}

const readTable = (table: HTMLTableElement, parser: NodeParser, cuts: Array<TableCut>): Node => {
  const rows = Array.from(table.rows)
  const allColumns = Math.max(
    1,
    ...rows.map(({ cells }) => Array.from(cells).reduce((sum, { colSpan }) => sum + colSpan, 0))
  )
  const size = boundedSize(rows.length, allColumns)
  if (size.rows < rows.length || size.columns < allColumns) {
    cuts.push({ ...size, allRows: rows.length, allColumns })
  }
  const grid: Array<Array<HTMLTableCellElement | undefined>> = Array.from({ length: size.rows }, () => [])
  const taken = new Set<string>()
  for (const [r, row] of rows.slice(0, size.rows).entries()) {
    let c = 0
    for (const cell of row.cells) {
      while (taken.has(`${r},${c}`)) c++
      if (c >= size.columns) break
      grid[r]![c] = cell
      // Cells that this one covers stay empty.
      for (let y = 0; y < Math.min(cell.rowSpan, size.rows - r); y++)
        for (let x = 0; x < Math.min(cell.colSpan, size.columns - c); x++) if (x + y > 0) taken.add(`${r + y},${c + x}`)
      c += cell.colSpan
    }
  }
  const contentOf = (cell: HTMLTableCellElement | undefined): ReadonlyArray<Node> =>
    cell === undefined ? [] : parser.parse(cell, { topNode: schema.nodes["table_cell"]!.create() }).children
  const first = grid[0] ?? []
  const cells = Array.from({ length: size.columns }, (_, c) => first[c])
  const texts = cells.map((cell) => cell?.textContent.trim().replaceAll(/\s+/g, " ") ?? "")
  const isHead = cells.every((cell) => cell === undefined || cell.localName === "th") || isTitleRow(texts)
  return tableOfCells(
    isHead && rows.length > 1 ? texts : undefined,
    (isHead && rows.length > 1 ? grid.slice(1) : grid).map((line) =>
      Array.from({ length: size.columns }, (_, c) => contentOf(line[c]))
    )
  )
}
