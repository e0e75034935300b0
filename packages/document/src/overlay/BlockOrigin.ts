/**
 * From blocks as they are answered to what is stored. A block of code or an embed that was answered as
 * the block of an integration (see `BlockOverlay`) says in `data.origin` what it is; a document that is
 * sent back is stored with that again, and what was changed of its properties with it. `origin` itself
 * is never stored.
 *
 * Also writes as code what its integration wants to be written so: a block with a text as its body, and
 * other properties that the line of a fence can say.
 */
import type { Block, Data, Document } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { maxNodes } from "../DocumentSize.ts"
import * as FenceMeta from "../markdown/FenceMeta.ts"

/** Stored form of an answered block. */
export type Origin =
  | {
      readonly type: "code"
      readonly isVoid?: boolean
      /** The property that is the text of the code. */
      readonly body: string
      readonly data: Data
      /** Its lines, where they are more than the text says. */
      readonly nodes?: Block["nodes"]
    }
  | {
      readonly type: "embed"
      readonly data: Data
      /** Those that it was answered with: with others it is a block of its own. */
      readonly props: Data
    }
  | {
      /** A block of another integration, with the properties that it has now. */
      readonly type: "integration"
      readonly data: Data
    }

/** A block of an integration that is written as code in this language. */
export interface FencedBlock {
  readonly integration: string
  readonly block: string
  readonly fence: { readonly language: string; readonly body: string }
}

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** A block that a caller sent, nothing of it checked yet, as it is stored. */
export const stored = (block: Fields): Fields => {
  if (block.type !== "integration" || !isFields(block.data) || !Object.hasOwn(block.data, "origin")) return block
  const { origin, action: _, ...data } = block.data
  if (!isFields(origin) || !isFields(origin.data)) return { ...block, data }
  const others = { ...block, data }
  if (origin.type === "embed") {
    if (isSame(data.props, origin.props)) {
      return { ...block, type: "embed", data: withFields(origin.data, { fullWidth: data.fullWidth }), isVoid: true }
    }
    // Markdown says the URL once, where it is one of the properties.
    const { url, ...rest } = data
    return isFields(data.props) && data.props.url === url ? { ...block, data: rest } : others
  }
  if (origin.type === "integration" && isFields(data.props)) {
    return { ...block, data: withFields(origin.data, { props: data.props, fullWidth: data.fullWidth }) }
  }
  return (origin.type === "code" && fromOrigin(block, data, origin)) || others
}

/** With these fields in their places, without those that are undefined. */
const withFields = (data: Fields, fields: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...data, ...fields }).filter(([, value]) => value !== undefined))

const fromOrigin = (block: Fields, data: Fields, origin: Fields): Fields | undefined => {
  if (typeof origin.body !== "string" || !isFields(data.props) || !isFields(origin.data)) return undefined
  const { [origin.body]: text, ...others } = data.props
  if (typeof text !== "string") return undefined
  const meta = metaOf(others, origin.data.meta, origin.body)
  const nodes = origin.nodes !== undefined && textOf(origin.nodes) === text ? origin.nodes : linesOf(text)
  if (meta === false || nodes === undefined) return undefined
  const fields = withFields(origin.data, { meta, fullWidth: data.fullWidth })
  return { ...block, type: "code", data: fields, isVoid: origin.isVoid, nodes }
}

/** Text behind the language, as it was where it says the same; false where nothing can say it. */
const metaOf = (props: Fields, before: unknown, body: string): unknown => {
  const { [body]: _, ...known } = (typeof before === "string" && FenceMeta.read(before)) || {}
  if (isSame(props, known)) return before
  return Object.keys(props).length === 0 ? undefined : (FenceMeta.write(props) ?? false)
}

/** The text of code without marks or anything else in it; undefined where it is more, or no code. */
export const textOf = (nodes: unknown): string | undefined => {
  if (!Array.isArray(nodes)) return undefined
  const lines: Array<string> = []
  for (const line of nodes as ReadonlyArray<unknown>) {
    if (!isFields(line) || line.type !== "code-line" || line.fragments !== undefined) return undefined
    let text = ""
    for (const node of listOf(line.nodes)) {
      if (!isFields(node) || node.object !== "text") return undefined
      for (const leaf of listOf(node.leaves)) {
        if (!isFields(leaf) || typeof leaf.text !== "string" || listOf(leaf.marks).length > 0) return undefined
        text += leaf.text
      }
    }
    if (text.includes("\n")) return undefined
    lines.push(text)
  }
  return lines.join("\n")
}

const listOf = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/** The lines of code, without keys; undefined where they are more than a document may hold. */
export const linesOf = (text: string): ReadonlyArray<Fields> | undefined => {
  let count = 1
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) if (++count > maxNodes) return undefined
  return text.split("\n").map((line) => ({
    object: "block",
    type: "code-line",
    data: {},
    nodes: line === "" ? [] : [{ object: "text", leaves: [{ object: "leaf", text: line, marks: [] }] }]
  }))
}

const maxDepth = 16

/** Tells whether two values are the same JSON; nothing is where they nest deeper than properties usually do. */
const isSame = (a: unknown, b: unknown, depth = 0): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth > maxDepth) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [names, others] = [Object.keys(a), Object.keys(b)]
  return (
    names.length === others.length &&
    names.every((name) => Object.hasOwn(b, name) && isSame((a as Fields)[name], (b as Fields)[name], depth + 1))
  )
}

/** A document with what its integrations want to be written as code as that. */
export const fenced = (document: Document, blocks: ReadonlyArray<FencedBlock>, nextKey: () => string): Document => {
  if (blocks.length === 0) return document
  // Documents nest 100 deep at most, so recursion is bounded.
  const within = (block: Block): Block => {
    const declared = block.type === "integration" ? fenceOf(block.data, blocks) : undefined
    if (declared !== undefined) return codeOf(block, declared, nextKey) ?? block
    return withParts(block, {
      nodes: block.nodes && mapList(block.nodes, (node) => (node.object === "block" ? within(node) : node)),
      fragments:
        block.fragments && mapList(block.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, within)))
    })
  }
  return withNodes(document, mapList(document.nodes, within))
}

const fenceOf = (data: Data | undefined, blocks: ReadonlyArray<FencedBlock>) =>
  blocks.find(
    ({ integration, block }) =>
      data?.block === block &&
      typeof data.integration === "string" &&
      data.integration.toLowerCase() === integration.toLowerCase()
  )?.fence

const codeOf = (block: Block, { language, body }: FencedBlock["fence"], nextKey: () => string): Block | undefined => {
  const { integration: _, block: __, url, ...data } = block.data ?? {}
  if (url !== undefined) return undefined
  const written = fromOrigin({}, data, { type: "code", body, data: { syntax: language } })
  if (written === undefined) return undefined
  const lines = (written.nodes as ReadonlyArray<Omit<Block, "key">>).map((line) => ({ ...line, key: nextKey() }))
  return { object: "block", type: "code", key: block.key, data: written.data as Data, nodes: lines }
}
