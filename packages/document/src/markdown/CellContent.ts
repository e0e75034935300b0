/** Content parsed from a table cell, and its conversion to blocks. */
import * as CodeLine from "../CodeLine.ts"
import type { Block, Data, Inline, Text } from "../Document.ts"
import type { Reader } from "./BlocksFromMarkdown.ts"
import * as HighlightedCode from "./HighlightedCode.ts"

export type CellContent =
  | { readonly type: string; readonly data?: Data; readonly nodes: ReadonlyArray<Inline | Text> }
  | { readonly type: "list-ordered" | "list-unordered"; readonly start: number; readonly items: ListItems }
  | ({ readonly type: "code" } & HighlightedCode.Code)

type ListItems = ReadonlyArray<ReadonlyArray<CellContent>>

/** Returns a paragraph without white space at its edges; undefined if it contains only white space. */
export const paragraph = (nodes: ReadonlyArray<Inline | Text>): CellContent | undefined => {
  const trimmedNodes = trim(nodes)
  return trimmedNodes.length === 0 ? undefined : { type: "paragraph", nodes: trimmedNodes }
}

/** Removes white space at the edges of inlines, except from text with marks. */
export const trim = (nodes: ReadonlyArray<Inline | Text>): ReadonlyArray<Inline | Text> =>
  trimEdge(trimEdge(nodes, 0, /^[ \t\n]+/), -1, /(?<![ \t\n])[ \t\n]+$/)

const trimEdge = (nodes: ReadonlyArray<Inline | Text>, edge: 0 | -1, pattern: RegExp): ReadonlyArray<Inline | Text> => {
  const node = nodes.at(edge)
  const leaf = node?.object === "text" ? node.leaves.at(edge) : undefined
  if (node?.object !== "text" || leaf === undefined || leaf.marks.length > 0) return nodes
  const text = leaf.text.replace(pattern, "")
  if (text === leaf.text) return nodes
  const leaves = text === "" ? [] : [{ ...leaf, text }]
  const others = edge === 0 ? [...leaves, ...node.leaves.slice(1)] : [...node.leaves.slice(0, -1), ...leaves]
  const trimmed = others.length === 0 ? [] : [{ ...node, leaves: others }]
  return edge === 0 ? [...trimmed, ...nodes.slice(1)] : [...nodes.slice(0, -1), ...trimmed]
}

export const block = (content: CellContent, reader: Reader): Block => {
  const key = reader.nextKey()
  if ("nodes" in content) {
    const { type, data, nodes } = content
    return { object: "block", type, key, ...(data && { data }), nodes }
  }
  if ("lines" in content) {
    const { data, lines } = content
    return {
      object: "block",
      type: "code",
      key,
      data,
      nodes: lines.map(({ text, highlighted }) => CodeLine.codeLine(text, reader.nextKey(), highlighted))
    }
  }
  const { type, start, items } = content
  return {
    object: "block",
    type,
    key,
    ...(type === "list-ordered" && { data: { start } }),
    nodes: items.map((item) => ({
      object: "block",
      type: "list-item",
      key: reader.nextKey(),
      nodes: item.map((one) => block(one, reader))
    }))
  }
}
