/** Finds parts of a document that do not conform to the descriptions of its block, inline and mark types. */
import { Result, Schema } from "effect"
import { ContentRef } from "@lectern/document/ContentRef"
import type { Block, Document, Fragment, Inline, Node } from "@lectern/document/Document"
import type { BlockContent } from "@lectern/document/vocabulary/BlockSpec"
import { type BlockType, blockTypes, flowTypes, isBlockType } from "@lectern/document/vocabulary/BlockTypes"
import type { FieldKind, Fields } from "@lectern/document/vocabulary/Field"
import { inlineTypes, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { isMarkType, markTypes } from "@lectern/document/vocabulary/MarkTypes"

const schemas: { readonly [Kind in FieldKind]: Schema.Codec<unknown, unknown> } = {
  text: Schema.String,
  boolean: Schema.Boolean,
  number: Schema.Finite,
  length: Schema.Union([Schema.Finite, Schema.Struct({ unit: Schema.String, value: Schema.Finite })]),
  list: Schema.Array(Schema.String),
  tags: Schema.Array(Schema.Struct({ kind: Schema.Literal("tag"), tag: Schema.String })),
  ref: ContentRef,
  properties: Schema.Record(Schema.String, Schema.Unknown),
  values: Schema.Array(Schema.Unknown)
}

/** Returns the schema of data with these fields. */
const schemaOf = (fields: Fields) =>
  Schema.Struct(
    Object.fromEntries(
      Object.entries(fields).map(([name, { kind, isRequired }]) => [
        name,
        isRequired === true ? schemas[kind] : Schema.optionalKey(schemas[kind])
      ])
    )
  )

type Of = { readonly type: string; readonly data?: { readonly [name: string]: unknown } | undefined }

const dataProblems = ({ type, data = {} }: Of, fields: Fields): ReadonlyArray<string> => {
  const read = Schema.decodeUnknownResult(schemaOf(fields))(data)
  // `attributes` holds the unknown attributes of a tag.
  const others = Object.keys(data).filter((name) => name !== "attributes" && !Object.hasOwn(fields, name))
  return [
    ...(Result.isFailure(read) ? [`${type}: ${String(read.failure)}`] : []),
    ...others.map((name) => `${type} with ${name}`)
  ]
}

const contentProblems = (
  where: string,
  { blocks, minBlocks }: BlockContent<BlockType>,
  nodes: ReadonlyArray<Block>
): ReadonlyArray<string> => {
  const allowed: ReadonlyArray<string> = blocks === "flow" ? flowTypes : blocks
  return [
    ...nodes.flatMap(({ type }) => (isBlockType(type) && !allowed.includes(type) ? [`${type} in ${where}`] : [])),
    ...(nodes.length < (minBlocks ?? 0) ? [`nothing in ${where}`] : [])
  ]
}

const fragmentProblems = ({ type, fragments = [] }: Block): ReadonlyArray<string> => {
  const spec = isBlockType(type) ? blockTypes[type] : undefined
  if (spec === undefined || spec.contentKind === "table") return []
  const has = (name: string) => fragments.some(({ fragment }) => fragment === name)
  return [
    ...fragments.flatMap(({ fragment = "", nodes }) => {
      const contents = spec.fragments?.[fragment]
      const where = `${fragment} of ${type}`
      return contents === undefined ? [where] : contentProblems(where, contents, nodes)
    }),
    ...Object.entries(spec.fragments ?? {}).flatMap(([name, { minBlocks }]) =>
      minBlocks === undefined || has(name) ? [] : [`${type} without ${name}`]
    )
  ]
}

const blockProblems = (block: Block): ReadonlyArray<string> => {
  const { type, nodes = [], data, isVoid } = block
  if (!isBlockType(type)) return [`unknown ${type}`]
  const spec = blockTypes[type]
  const holdsText = nodes.some(({ object }) => object !== "block")
  const isText = spec.contentKind === "text" || spec.contentKind === "verbatim"
  return [
    ...dataProblems({ type, data }, spec.fields),
    ...(holdsText && !isText ? [`text in ${type}`] : []),
    ...((isVoid === true) === (spec.contentKind === "void" || spec.contentKind === "table")
      ? []
      : [`${type} that is void: ${isVoid}`]),
    ...contentProblems(
      type,
      spec.content ?? { blocks: [] },
      nodes.filter((node) => node.object === "block")
    ),
    ...fragmentProblems(block)
  ]
}

const inlineProblems = ({ type, data, nodes = [], fragments = [], isVoid }: Inline): ReadonlyArray<string> => {
  if (!isInlineType(type)) return [`unknown ${type}`]
  const spec = inlineTypes[type]
  const names: ReadonlyArray<string> = spec.fragments ?? []
  return [
    ...dataProblems({ type, data }, spec.fields),
    ...(nodes.length > 0 && spec.contentKind === "void" ? [`text in ${type}`] : []),
    ...((isVoid === true) === (spec.contentKind === "void") ? [] : [`${type} that is void: ${isVoid}`]),
    ...fragments.flatMap(({ fragment, type: name = fragment ?? "" }) =>
      names.includes(name) ? [] : [`${name} of ${type}`]
    )
  ]
}

export interface Found {
  readonly problems: ReadonlyArray<string>
  /** Types in the document, each as its object (`block`, `inline` or `mark`) and its type. */
  readonly types: ReadonlySet<string>
}

export const check = ({ nodes }: Document): Found => {
  const problems: Array<string> = []
  const types = new Set<string>()
  const open: Array<Node | Fragment> = [...nodes]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object === "text") {
      for (const mark of node.leaves.flatMap(({ marks }) => marks)) {
        types.add(`mark ${mark.type}`)
        const { type } = mark
        problems.push(...(isMarkType(type) ? dataProblems(mark, markTypes[type].fields ?? {}) : [`unknown ${type}`]))
      }
      continue
    }
    open.push(...(node.nodes ?? []))
    if (node.object === "fragment") continue
    open.push(...(node.fragments ?? []))
    types.add(`${node.object} ${node.type}`)
    problems.push(...(node.object === "block" ? blockProblems(node) : inlineProblems(node)))
  }
  return { problems, types }
}
