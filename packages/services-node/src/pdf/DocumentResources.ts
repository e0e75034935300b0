/** Lists the requirements of a document's layout: characters, font faces, files, formulas. */
import type { Block, Document, Node } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as TableContent from "@lectern/document/table/TableContent"
import { cellSymbols, isFileType } from "./Cells.ts"
import type { Face } from "./Fonts.ts"

/** Faces of headings and of most text. */
export const usualFaces: ReadonlyArray<Face> = [{}, { bold: true }]

/** Characters of inserted texts: notes for images, numbers of steps, conditions. */
const impliedCharacters = "[Image: ]0123456789i!, OtherwiseIf"

/** Returns the distinct characters of all texts in a document, which determine the fonts to load. */
export const textIn = (document: Document): string => {
  const characters = new Set<string>(impliedCharacters)
  const pendingValues: Array<unknown> = [document.nodes]
  while (pendingValues.length > 0) {
    const value = pendingValues.pop()
    if (typeof value === "string") for (const character of value) characters.add(character)
    else if (typeof value === "object" && value !== null) {
      // Cell values that are not text are displayed by symbols, so the fonts must contain them.
      if ("records" in value) for (const sign of cellSymbols) characters.add(sign)
      for (const [name, field] of Object.entries(value)) {
        if (name === "code" && typeof field === "string") for (const part of field.split("-")) addCode(characters, part)
        pendingValues.push(field)
      }
    }
  }
  return [...characters].join("")
}

const addCode = (characters: Set<string>, part: string) => {
  const codePoint = parseInt(part, 16)
  if (codePoint > 0x20 && codePoint <= 0x10ffff && !(codePoint >= 0xd800 && codePoint <= 0xdfff)) {
    characters.add(String.fromCodePoint(codePoint))
  }
}

export const facesOf = (document: Document): ReadonlyArray<Face> => {
  const text = JSON.stringify(document)
  const italic = text.includes('"italic"') || text.includes("math") || text.includes("image")
  const code =
    text.includes("math") ||
    text.includes('"integration"') ||
    text.includes('"openapi-') ||
    text.includes('"code') ||
    text.includes('"keyboard"') ||
    text.includes("verbatim") ||
    text.includes("expression")
  return [
    ...usualFaces,
    ...(italic ? [{ italic: true }, { italic: true, bold: true }] : []),
    ...(code ? [{ mono: true }, { mono: true, bold: true }] : [])
  ]
}

/** Returns ids of the files that a document refers to, in references and in table cells. */
export const fileIds = (document: Document): ReadonlySet<string> => {
  const ids = new Set<string>()
  for (const ref of DocumentRefs.refs(document)) {
    if (ref.kind === "file" && ref.space === undefined) ids.add(ref.file)
  }
  for (const node of nodesIn(document)) {
    const table = node.object === "block" ? TableContent.readTable(node) : undefined
    for (const { id, definition } of table?.columns ?? []) {
      if (!isFileType(definition["type"])) continue
      for (const { values } of table!.rows) {
        for (const value of [values[id]].flat()) if (typeof value === "string") ids.add(value)
      }
    }
  }
  return ids
}

export interface WrittenFormula {
  readonly tex: string
  /** True for a formula on lines of its own. */
  readonly display: boolean
}

export function* formulasIn(document: Document): Generator<WrittenFormula> {
  for (const node of nodesIn(document)) {
    if (node.object === "text" || (node.type !== "math" && node.type !== "inline-math")) continue
    const tex = node.data?.["formula"]
    if (typeof tex === "string") yield { tex, display: node.type === "math" }
  }
}

/** Yields every node, including those in fragments. */
function* nodesIn({ nodes }: Pick<Document, "nodes">): Generator<Node> {
  const pendingNodes: Array<Node> = [...nodes]
  for (let node = pendingNodes.pop(); node !== undefined; node = pendingNodes.pop()) {
    yield node
    if (node.object === "text") continue
    for (const child of (node as Block).nodes ?? []) pendingNodes.push(child)
    for (const { nodes: inner } of node.fragments ?? []) for (const child of inner) pendingNodes.push(child)
  }
}
