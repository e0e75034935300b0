/**
 * Parses versions of one document so that they share equal blocks: a top-level block with the same JSON as in an
 * earlier version becomes the same object. Versions differ little, so most blocks are not parsed, numbered or compared
 * again.
 */
import * as WireDocument from "@lectern/document/wire/WireDocument"
import type { Block, Document } from "@lectern/document/Document"
import { isSmall, parseDocument, type StoredDocument } from "./StoredDocument.ts"

export const parseShared = <A extends ReadonlyArray<StoredDocument | undefined>>(
  versions: A
): { readonly [I in keyof A]: A[I] extends StoredDocument ? Document : Document | undefined } => {
  const blocksByJson = new Map<string, Block>()
  return versions.map((version) => {
    if (version === undefined) return version
    if (isSmall(version)) return parseDocument(version)
    const parts = splitBlocks(version.json)
    // The first version is opened as a whole, since it has nothing to share.
    const fullDocument: Document | undefined =
      parts === undefined || blocksByJson.size === 0 ? parseDocument(version) : undefined
    if (parts === undefined) return fullDocument
    const nodes = parts.blocks.map((json, i) => {
      let block = blocksByJson.get(json)
      if (block === undefined)
        blocksByJson.set(
          json,
          (block = fullDocument?.nodes[i] ?? WireDocument.decodeBlock(JSON.parse(json) as WireDocument.WireBlock))
        )
      return block
    })
    return { ...((fullDocument ?? JSON.parse(parts.rest)) as Document), nodes }
  }) as never
}

interface SplitDocument {
  /** JSON of the document with an empty `nodes` array. */
  readonly rest: string
  readonly blocks: ReadonlyArray<string>
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket] = Array.from('"\\{}[]', (character) =>
  character.charCodeAt(0)
)
const nodesStart = '"nodes":['

/**
 * Splits the compact JSON of a document (without spaces) into its blocks and the rest. Undefined if the document has no
 * `nodes`.
 */
const splitBlocks = (json: string): SplitDocument | undefined => {
  const blocks: Array<string> = []
  /** Start offsets of the outermost `nodes` and of the current block. */
  let nodes = -1
  let block = -1
  for (let i = 0, depth = 0; i < json.length; i++) {
    switch (json.charCodeAt(i)) {
      case quote: {
        const start = i
        for (i++; json.charCodeAt(i) !== quote; i++) if (json.charCodeAt(i) === backslash) i++
        if (depth !== 1 || nodes !== -1 || !json.startsWith(nodesStart, start)) break
        i = start + nodesStart.length - 1
        nodes = i + 1
        depth++
        break
      }
      case openBrace:
      case openBracket:
        if (nodes !== -1 && depth === 2) block = i
        depth++
        break
      case closeBrace:
      case closeBracket:
        depth--
        if (nodes === -1 || depth > 2) break
        if (depth === 2) blocks.push(json.slice(block, i + 1))
        else return { rest: json.slice(0, nodes) + json.slice(i), blocks }
    }
  }
  return undefined
}
