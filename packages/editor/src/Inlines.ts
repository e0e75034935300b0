/**
 * Converts the text and inlines of a block to nodes of the editor and back.
 *
 * Both forms are equal up to two details that have no meaning: neighboring leaves with equal marks become one, and texts
 * and inlines have no keys. An inline that the editor can't express becomes an `opaque-inline` node.
 */
import type { Inline, Leaf, Mark, Text } from "@lectern/document/Document"
import { inlineSpec, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { isMarkType } from "@lectern/document/vocabulary/MarkTypes"
import { requiredInlineParts } from "@lectern/document/vocabulary/RequiredParts"
import { Fragment, type Mark as EditorMark, type Node } from "prosemirror-model"
import { equals, isVoidAttribute, isVoidOf } from "./Equality.ts"
import { inlineName, markName, schema } from "./EditorSchema.ts"

type Inlines = ReadonlyArray<Inline | Text>

/** Returns the nodes of the text of a block. Undefined if the editor can't express its marks. */
export const inlineNodes = (inlines: Inlines): ReadonlyArray<Node> | undefined => {
  const found = nodesOf(inlines, [])
  // Joins texts with equal marks.
  const nodes = found && Fragment.fromArray(found).content
  return nodes !== undefined && equals(inlinesOf(nodes), canonical(inlines)) ? nodes : undefined
}

const nodesOf = (inlines: Inlines, marks: ReadonlyArray<EditorMark>): ReadonlyArray<Node> | undefined => {
  const nodes: Array<Node> = []
  let previous: { readonly inline: Inline; readonly run: number } | undefined
  for (const inline of inlines) {
    if (inline.object === "text") {
      previous = undefined
      for (const { text, marks: leafMarks } of inline.leaves) {
        if (text === "") continue
        const own = leafMarks.map(editorMark)
        if (own.includes(undefined)) return undefined
        nodes.push(schema.text(text, sorted([...marks, ...(own as Array<EditorMark>)])))
      }
      continue
    }
    const run = previous !== undefined && isRepeated(previous.inline, inline) ? 1 - previous.run : 0
    nodes.push(...nodesOfInline(inline, marks, run))
    previous = { inline, run }
  }
  return nodes
}

const nodesOfInline = (inline: Inline, marks: ReadonlyArray<EditorMark>, run: number): ReadonlyArray<Node> => {
  const { type, data = null, fragments = null } = inline
  const opaque = () => [schema.node("opaque-inline", { inline }, undefined, sorted(marks))]
  if (!isInlineType(type)) return opaque()
  const name = inlineName(type)
  const isVoid = isVoidAttribute(inline.isVoid, requiredInlineParts(type).isVoid)
  if (inlineSpec(type).contentKind === "void") {
    const node = schema.node(name, { data, isVoid }, undefined, sorted(marks))
    return isExact([node], inline, marks) ? [node] : opaque()
  }
  if (marks.some((mark) => mark.type.name === name)) return opaque()
  const inner = nodesOf(inline.nodes ?? [], [...marks, schema.mark(name, { data, isVoid, fragments, run })])
  return inner !== undefined && isExact(inner, inline, marks) ? inner : opaque()
}

/** True if the nodes represent the inline within its marks, and nothing else. */
const isExact = (nodes: ReadonlyArray<Node>, inline: Inline, marks: ReadonlyArray<EditorMark>): boolean =>
  equals(inlinesAt(Fragment.fromArray(nodes).content, countInlineMarks(marks)), canonical([inline]))

const countInlineMarks = (marks: ReadonlyArray<EditorMark>): number => marks.filter(isInlineMark).length

const isRepeated = (a: Inline, b: Inline): boolean =>
  a.type === b.type && equals(a.data, b.data) && equals(a.fragments, b.fragments)

const sorted = (marks: ReadonlyArray<EditorMark>): ReadonlyArray<EditorMark> =>
  marks.reduce<ReadonlyArray<EditorMark>>((set, mark) => mark.addToSet(set), [])

const editorMark = (mark: Mark): EditorMark | undefined =>
  isMarkType(mark.type) ? schema.mark(markName(mark.type), { data: mark.data ?? null }) : undefined

/** Returns the text and inlines that nodes of the editor represent. */
export const inlinesOf = (nodes: ReadonlyArray<Node>): Inlines => inlinesAt(nodes, 0)

const isInlineMark = ({ type }: EditorMark): boolean => type.name.startsWith(inlineName(""))

/** `depth`: number of inlines with text around the nodes that are open already. */
const inlinesAt = (nodes: ReadonlyArray<Node>, depth: number): Inlines => {
  const result: Array<Inline | Text> = []
  let leaves: Array<Leaf> | undefined
  for (let i = 0; i < nodes.length;) {
    const node = nodes[i]!
    const mark = node.marks.filter(isInlineMark)[depth]
    if (mark !== undefined) {
      let end = i + 1
      while (end < nodes.length && nodes[end]!.marks.filter(isInlineMark)[depth]?.eq(mark) === true) end++
      result.push(inlineOfMark(mark, inlinesAt(nodes.slice(i, end), depth + 1)))
      leaves = undefined
      i = end
      continue
    }
    i++
    if (!node.isText) {
      result.push(inlineOfNode(node))
      leaves = undefined
      continue
    }
    if (leaves === undefined) result.push({ object: "text", leaves: (leaves = []) })
    leaves.push({
      object: "leaf",
      text: node.text!,
      marks: node.marks.filter((each) => !isInlineMark(each)).map(markOf)
    })
  }
  return result
}

const markOf = ({ type, attrs }: EditorMark): Mark => ({
  object: "mark",
  type: type.name.slice(markName("").length),
  ...(attrs["data"] !== null && { data: attrs["data"] })
})

const inlineOfMark = ({ type: { name }, attrs }: EditorMark, nodes: Inlines): Inline => {
  const type = name.slice(inlineName("").length)
  return {
    object: "inline",
    type,
    ...(attrs["data"] !== null && { data: attrs["data"] }),
    ...isVoidOf(attrs["isVoid"], requiredInlineParts(type).isVoid),
    nodes,
    ...(attrs["fragments"] !== null && { fragments: attrs["fragments"] })
  }
}

const inlineOfNode = ({ type: { name }, attrs }: Node): Inline => {
  if (name === "opaque-inline") return attrs["inline"]
  const type = name.slice(inlineName("").length)
  return {
    object: "inline",
    type,
    ...(attrs["data"] !== null && { data: attrs["data"] }),
    ...isVoidOf(attrs["isVoid"], requiredInlineParts(type).isVoid)
  }
}

/** Returns text and inlines without keys, empty leaves and leaves that repeat the marks of the one before. */
export const canonical = (inlines: Inlines): Inlines => {
  const result: Array<Inline | Text> = []
  for (const inline of inlines) {
    if (inline.object === "inline") {
      const { key: _, nodes, ...rest } = inline
      result.push({ ...rest, ...(nodes !== undefined && { nodes: canonical(nodes) }) })
      continue
    }
    const last = result.at(-1)
    const leaves = last?.object === "text" ? [...last.leaves] : []
    for (const leaf of inline.leaves) {
      const before = leaves.at(-1)
      if (leaf.text === "") continue
      if (before !== undefined && equals(before.marks, leaf.marks)) {
        leaves[leaves.length - 1] = { ...before, text: before.text + leaf.text }
      } else leaves.push(leaf)
    }
    if (leaves.length === 0) continue
    if (last?.object === "text") result[result.length - 1] = { object: "text", leaves }
    else result.push({ object: "text", leaves })
  }
  return result
}
