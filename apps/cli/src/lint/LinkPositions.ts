/** Finds all positions of the destinations in a Markdown file: of links, pictures, definitions, tags and elements. */
import { decodeReferences } from "@lectern/document/markdown/HtmlTree"
import * as TagLine from "@lectern/document/markdown/TagLine"
import * as LinkPosition from "@lectern/exchange/import/LinkPosition"
import type { Position } from "@lectern/document/lint/CheckedText"
import { visit } from "@lectern/document/lint/SyntaxVisit"
import type { MarkdownFile } from "./MarkdownFile.ts"

export type LinkPositions = ReadonlyMap<string, ReadonlyArray<Position>>

const cache = new WeakMap<MarkdownFile, LinkPositions>()

const attribute = /\s(?:href|src|srcset|data-src|data-object-url|poster)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi
const comment = /<!--[^]*?(?:-->|$)/g

/** Returns the positions of each destination. The positions of an unchanged file are cached. */
const positionsIn = (file: MarkdownFile): LinkPositions => {
  const cached = cache.get(file)
  if (cached !== undefined) return cached
  const { positionAt, root, text } = file
  const positions = new Map<string, Array<Position>>()
  const add = (url: string, offset: number) => {
    const list = positions.get(url)
    if (list === undefined) positions.set(url, [positionAt(offset)])
    else list.push(positionAt(offset))
  }
  /** Adds a destination in a range, at its last occurrence. If it has escapes, it is at the start of the range. */
  const addIn = (url: string, from: number, to: number) => {
    if (url === "") return
    const index = text.slice(from, to).lastIndexOf(url)
    add(url, index === -1 ? from : from + index)
  }
  const addHtml = (from: number, to: number) => {
    const source = text.slice(from, to).replace(comment, (one) => " ".repeat(one.length))
    for (const match of source.matchAll(attribute)) {
      const value = match[1] ?? match[2] ?? match[3]!
      add(decodeReferences(value), from + match.index + match[0].lastIndexOf(value))
    }
  }
  visit(root, {
    block: (block) => {
      if (block.type === "html") addHtml(block.from, block.to)
      else if (block.type === "definition") addIn(block.url, block.from, block.to)
      else if (block.type === "tag") {
        const line = TagLine.parse(block.value)
        if (line?.argument !== undefined) addIn(line.argument, block.from, block.to)
        for (const [, value] of line?.attributes ?? []) addIn(value, block.from, block.to)
      }
    },
    inlines: (inlines) => {
      for (const inline of inlines) {
        if (inline.type === "html") addHtml(inline.from, inline.to)
        else if (inline.type === "link") addIn(inline.url, inline.children.at(-1)?.to ?? inline.from, inline.to)
        else if (inline.type === "image") addIn(inline.url, inline.from, inline.to)
      }
    }
  })
  cache.set(file, positions)
  return positions
}

/** Returns the positions of a destination. Without any, for example for a cover, returns its position in the text. */
export const positionsOf = (file: MarkdownFile, url: string): ReadonlyArray<Partial<Position>> => {
  const positions = positionsIn(file).get(url)
  return positions ?? [LinkPosition.find(file.text, url) ?? {}]
}
