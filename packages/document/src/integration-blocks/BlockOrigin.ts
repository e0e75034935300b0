/**
 * Converts blocks of responses to their stored form. A block of code or an embed can be a block of an integration in
 * responses (see `IntegrationBlocks`), with the stored form in `data.origin`. If a client sends such a block back, it is
 * stored in that form again, with changes of its properties. `origin` itself is never stored.
 *
 * Also converts blocks of an integration to code if the integration declares this with `fence`. The block must have a
 * text as its body, and its other properties must fit in the info string of a fence.
 */
import type { Block, Data, Document } from "../Document.ts"
import { mapList, withNodes, withParts } from "../DocumentMapping.ts"
import { maxNodes } from "../DocumentSize.ts"
import * as FenceMeta from "../markdown/FenceMeta.ts"

/** Stored form of a block that is a block of an integration in responses. */
export type Origin =
  | {
      readonly type: "code"
      readonly isVoid?: boolean
      /** Name of the property that holds the text of the code. */
      readonly body: string
      readonly data: Data
      /** Lines of the code. Absent if the text determines them. */
      readonly nodes?: Block["nodes"]
    }
  | {
      readonly type: "embed"
      readonly data: Data
      /**
       * Properties of the block in the response. If a client changed them, the block is stored as a block of the
       * integration.
       */
      readonly props: Data
    }
  | {
      /** A block of another integration, stored with its current properties. */
      readonly type: "integration"
      readonly data: Data
    }

/** A block of an integration that is stored as code in a certain language. */
export interface FencedBlock {
  readonly integration: string
  readonly block: string
  readonly fence: { readonly language: string; readonly body: string }
}

type Fields = { readonly [name: string]: unknown }

const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** Returns the stored form of a block that a client sent. The input is not validated. */
export const restoreOrigin = (block: Fields): Fields => {
  if (block.type !== "integration" || !isFields(block.data) || !Object.hasOwn(block.data, "origin")) return block
  const { origin, action: _, ...data } = block.data
  if (!isFields(origin) || !isFields(origin.data)) return { ...block, data }
  const integrationBlock = { ...block, data }
  if (origin.type === "embed") {
    if (isEqualJson(data.props, origin.props)) {
      return { ...block, type: "embed", data: withFields(origin.data, { fullWidth: data.fullWidth }), isVoid: true }
    }
    // If the URL equals a property, Markdown contains it once.
    const { url, ...rest } = data
    return isFields(data.props) && data.props.url === url ? { ...block, data: rest } : integrationBlock
  }
  if (origin.type === "integration" && isFields(data.props)) {
    return { ...block, data: withFields(origin.data, { props: data.props, fullWidth: data.fullWidth }) }
  }
  return (origin.type === "code" && codeFromOrigin(block, data, origin)) || integrationBlock
}

/** Returns the data with replaced fields, without fields that are undefined. Existing fields keep their order. */
const withFields = (data: Fields, fields: Fields): Fields =>
  Object.fromEntries(Object.entries({ ...data, ...fields }).filter(([, value]) => value !== undefined))

const codeFromOrigin = (block: Fields, data: Fields, origin: Fields): Fields | undefined => {
  if (typeof origin.body !== "string" || !isFields(data.props) || !isFields(origin.data)) return undefined
  const { [origin.body]: text, ...otherProps } = data.props
  if (typeof text !== "string") return undefined
  const meta = serializeMeta(otherProps, origin.data.meta, origin.body)
  const nodes = origin.nodes !== undefined && codeText(origin.nodes) === text ? origin.nodes : codeLinesOf(text)
  if (meta === false || nodes === undefined) return undefined
  const fields = withFields(origin.data, { meta, fullWidth: data.fullWidth })
  return { ...block, type: "code", data: fields, isVoid: origin.isVoid, nodes }
}

/**
 * Returns the text after the language in the info string. Equal properties keep their original text. False if the
 * properties can't be serialized.
 */
const serializeMeta = (props: Fields, previousMeta: unknown, body: string): unknown => {
  const { [body]: _, ...previousProps } = (typeof previousMeta === "string" && FenceMeta.read(previousMeta)) || {}
  if (isEqualJson(props, previousProps)) return previousMeta
  return Object.keys(props).length === 0 ? undefined : (FenceMeta.write(props) ?? false)
}

/** Returns the text of lines of code. Undefined if the lines contain marks or inlines, or are no lines of code. */
export const codeText = (nodes: unknown): string | undefined => {
  if (!Array.isArray(nodes)) return undefined
  const lines: Array<string> = []
  for (const line of nodes as ReadonlyArray<unknown>) {
    if (!isFields(line) || line.type !== "code-line" || line.fragments !== undefined) return undefined
    let text = ""
    for (const node of arrayOrEmpty(line.nodes)) {
      if (!isFields(node) || node.object !== "text") return undefined
      for (const leaf of arrayOrEmpty(node.leaves)) {
        if (!isFields(leaf) || typeof leaf.text !== "string" || arrayOrEmpty(leaf.marks).length > 0) return undefined
        text += leaf.text
      }
    }
    if (text.includes("\n")) return undefined
    lines.push(text)
  }
  return lines.join("\n")
}

const arrayOrEmpty = (value: unknown): ReadonlyArray<unknown> => (Array.isArray(value) ? value : [])

/**
 * Returns a text as lines of code without keys. Undefined if the lines exceed the maximum number of nodes of a
 * document.
 */
export const codeLinesOf = (text: string): ReadonlyArray<Fields> | undefined => {
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

/** Returns true if two values are equal JSON. False if they are nested deeper than 16 levels. */
const isEqualJson = (a: unknown, b: unknown, depth = 0): boolean => {
  if (a === b) return true
  if (typeof a !== "object" || typeof b !== "object" || a === null || b === null || depth > maxDepth) return false
  if (Array.isArray(a) !== Array.isArray(b)) return false
  const [names, otherNames] = [Object.keys(a), Object.keys(b)]
  return (
    names.length === otherNames.length &&
    names.every((name) => Object.hasOwn(b, name) && isEqualJson((a as Fields)[name], (b as Fields)[name], depth + 1))
  )
}

/** Returns the document with blocks of integrations converted to code, if the integration declares this. */
export const withFences = (document: Document, blocks: ReadonlyArray<FencedBlock>, nextKey: () => string): Document => {
  if (blocks.length === 0) return document
  // Documents are at most 100 levels deep, so the call stack cannot overflow.
  const mapBlock = (block: Block): Block => {
    const fence = block.type === "integration" ? findFence(block.data, blocks) : undefined
    if (fence !== undefined) return toCodeBlock(block, fence, nextKey) ?? block
    return withParts(block, {
      nodes: block.nodes && mapList(block.nodes, (node) => (node.object === "block" ? mapBlock(node) : node)),
      fragments:
        block.fragments &&
        mapList(block.fragments, (fragment) => withNodes(fragment, mapList(fragment.nodes, mapBlock)))
    })
  }
  return withNodes(document, mapList(document.nodes, mapBlock))
}

const findFence = (data: Data | undefined, blocks: ReadonlyArray<FencedBlock>) =>
  blocks.find(
    ({ integration, block }) =>
      data?.block === block &&
      typeof data.integration === "string" &&
      data.integration.toLowerCase() === integration.toLowerCase()
  )?.fence

const toCodeBlock = (
  block: Block,
  { language, body }: FencedBlock["fence"],
  nextKey: () => string
): Block | undefined => {
  const { integration: _, block: __, url, ...data } = block.data ?? {}
  if (url !== undefined) return undefined
  const code = codeFromOrigin({}, data, { type: "code", body, data: { syntax: language } })
  if (code === undefined) return undefined
  const lines = (code.nodes as ReadonlyArray<Omit<Block, "key">>).map((line) => ({ ...line, key: nextKey() }))
  return { object: "block", type: "code", key: block.key, data: code.data as Data, nodes: lines }
}
