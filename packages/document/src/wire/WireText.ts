/**
 * Converts the text of a block to and from the form in responses. A hard line break becomes a line feed in a leaf. A
 * line end of the source becomes a space, or nothing between Chinese and Japanese characters. Inlines that the
 * vocabulary lacks become text, and the field `written` holds the original inline.
 */
import type { Block, Inline, Leaf, Mark, Node, Text } from "../Document.ts"
import { mapList, withNodes } from "../DocumentMapping.ts"
import { maxNodes } from "../DocumentSize.ts"
import * as DocumentText from "../DocumentText.ts"
import { unspacedLineEnds } from "../EastAsian.ts"
import { inlineSpec, isInlineType } from "../vocabulary/InlineTypes.ts"
import { markSpec } from "../vocabulary/MarkTypes.ts"
import * as WrittenField from "./WrittenField.ts"

type WireLeaf = Leaf & { readonly written?: WrittenField.WrittenLeafField }
type WireText = Text & { readonly written?: WrittenField.WrittenField }
type Fields = WrittenField.Data

/** Returns true if the lines of a block's text are lines of code. */
export const isCode = ({ type }: { readonly type?: unknown }): boolean => type === "code-line"

const superscript: Mark = { object: "mark", type: "superscript" }

/** Returns the children of a block or an inline in the form of responses. `block` converts blocks among them. */
export const encodeInlines = (
  nodes: ReadonlyArray<Node>,
  asCode: boolean,
  encodeBlock: (block: Block) => Block
): ReadonlyArray<Node> => {
  let hasChanges = false
  const result: Array<Node> = []
  /** True if the last text continues after a line break. */
  let endsInBreak = false
  for (const [i, node] of nodes.entries()) {
    if (node.object === "inline" && isBreak(node)) {
      const lastNode = result.at(-1)
      if (lastNode?.object === "text" && isPlainText(lastNode))
        result[result.length - 1] = { ...lastNode, leaves: [...lastNode.leaves, lineFeed] }
      else result.push({ object: "text", leaves: [lineFeed] })
      hasChanges = endsInBreak = true
      continue
    }
    const encodedNode =
      node.object === "text" ? encodeText(node, asCode, nodes[i - 1], nodes[i + 1]) : encodeNode(node, encodeBlock)
    hasChanges ||= encodedNode !== node
    const last = result.at(-1)
    if (
      endsInBreak &&
      last?.object === "text" &&
      encodedNode.object === "text" &&
      isPlainText(encodedNode) &&
      encodedNode.key === undefined
    ) {
      result[result.length - 1] = { ...last, leaves: joinAtBreak(last.leaves, encodedNode.leaves) }
    } else result.push(encodedNode)
    endsInBreak = false
  }
  return hasChanges ? result : nodes
}

const lineFeed: Leaf = { object: "leaf", text: "\n", marks: [] }

const isBreak = ({ type, key, data, isVoid, nodes, fragments }: Inline): boolean =>
  inlineSpec(type).wireText === "break" &&
  isVoid === true &&
  [key, data, nodes, fragments].every((part) => part === undefined)

const isPlainText = (text: WireText): boolean => text.written === undefined

/** Joins a line break and the leaves around it to one leaf, if their marks are equal. */
const joinAtBreak = (
  previousLeaves: ReadonlyArray<WireLeaf>,
  nextLeaves: ReadonlyArray<WireLeaf>
): ReadonlyArray<Leaf> => {
  const [first, ...rest] = nextLeaves
  const leaf = previousLeaves.at(-2)
  if (previousLeaves.at(-1) !== lineFeed || leaf === undefined || first === undefined || !canJoin(leaf, first)) {
    return [...previousLeaves, ...nextLeaves]
  }
  const offset = leaf.text.length + 1
  const offsetsOf = (name: "softBreaks" | "joinedLines") => {
    const offsets = [...(leaf.written?.[name] ?? []), ...(first.written?.[name] ?? []).map((at) => at + offset)]
    return offsets.length === 0 ? undefined : offsets
  }
  const base = { object: "leaf", text: `${leaf.text}\n${first.text}`, marks: leaf.marks } as const
  const writtenField = WrittenField.writtenField({
    softBreaks: offsetsOf("softBreaks"),
    joinedLines: offsetsOf("joinedLines")
  })
  const joinedLeaf: WireLeaf = { ...base, ...writtenField }
  return [...previousLeaves.slice(0, -2), joinedLeaf, ...rest]
}

const canJoin = (one: WireLeaf, other: WireLeaf): boolean =>
  one.text !== "" &&
  other.text !== "" &&
  one.written?.marks === undefined &&
  other.written?.marks === undefined &&
  !one.marks.some(({ type }) => type === "code") &&
  JSON.stringify(one.marks) === JSON.stringify(other.marks)

const encodeText = (node: Text, asCode: boolean, before: Node | undefined, after: Node | undefined): Text => {
  const { leaves } = node
  const isOneLine = asCode || !leaves.some(({ text }) => text.includes("\n"))
  const textOf = (neighbor: Node | undefined) => (neighbor === undefined ? "" : DocumentText.inlinesText([neighbor]))
  const encodedLeaves = leaves.map((leaf, i) =>
    encodeLeaf(
      leaf,
      isOneLine,
      isOneLine ? "" : (leaves[i - 1]?.text ?? textOf(before)),
      isOneLine ? "" : (leaves[i + 1]?.text ?? textOf(after))
    )
  )
  return encodedLeaves.every((leaf, i) => leaf === leaves[i]) ? node : { ...node, leaves: encodedLeaves }
}

const encodeNode = (node: Block | Inline, encodeBlock: (block: Block) => Block): Node => {
  if (node.object === "block") return encodeBlock(node)
  const { type, key, data, isVoid, nodes: children, fragments: fragmentsIn } = node
  const spec = inlineSpec(type)
  const nodes = children && (encodeInlines(children, false, encodeBlock) as Inline["nodes"])
  const fragments = fragmentsIn && mapList(fragmentsIn, (part) => withNodes(part, mapList(part.nodes, encodeBlock)))
  if (spec.wireText !== undefined || !isInlineType(type)) {
    const text = nearestLeaf(node)
    return {
      object: "text",
      ...(key !== undefined && { key }),
      leaves: [text],
      ...WrittenField.writtenField({ type, isVoid, data, nodes, fragments })
    } as WireText
  }
  const { data: supportedData, unsupported: unsupportedData } = WrittenField.splitData(data, spec.fields)
  if (supportedData === data && nodes === children && fragments === fragmentsIn) return node
  return {
    ...node,
    ...(supportedData && { data: supportedData }),
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
    ...WrittenField.writtenField({ data: unsupportedData })
  }
}

/** Returns the text that replaces an inline in responses. */
const nearestLeaf = (inline: Inline): Leaf => {
  const leaf = (text: string, ...marks: ReadonlyArray<Mark>): Leaf => ({ object: "leaf", text, marks })
  switch (inlineSpec(inline.type).wireText) {
    case "break":
      return leaf("\n")
    case "label":
      return leaf(typeof inline.data?.label === "string" ? inline.data.label : "", superscript)
    case "nothing":
      return leaf("")
    default:
      return leaf(DocumentText.inlinesText([inline]))
  }
}

const encodeLeaf = (leaf: Leaf, isOneLine: boolean, before: string, after: string): WireLeaf => {
  const hasUnsupportedMarks = leaf.marks.some(({ type }) => markSpec(type).isOmittedOnWire === true)
  const lines = isOneLine ? { text: leaf.text } : encodeLines(leaf.text, before, after)
  if (!hasUnsupportedMarks && lines.text === leaf.text) return leaf
  const { text, ...breaks } = lines
  return {
    object: "leaf",
    text,
    marks: hasUnsupportedMarks ? leaf.marks.filter(({ type }) => markSpec(type).isOmittedOnWire !== true) : leaf.marks,
    ...WrittenField.writtenField({ ...breaks, marks: hasUnsupportedMarks ? leaf.marks : undefined })
  }
}

interface EncodedLines {
  readonly text: string
  readonly softBreaks?: ReadonlyArray<number> | undefined
  readonly joinedLines?: ReadonlyArray<number> | undefined
}

const encodeLines = (text: string, before: string, after: string): EncodedLines => {
  // A leaf that would become empty keeps its space.
  const lineEndOffsets = text === "\n" ? [] : unspacedLineEnds(text, before, after)
  const unspacedOffsets = new Set(lineEndOffsets)
  const softBreaks: Array<number> = []
  const joinedLines: Array<number> = []
  const encodedText = text.replace(/\n/g, (_, at: number) => {
    const offset = at - joinedLines.length
    const isOmitted = unspacedOffsets.has(at)
    ;(isOmitted ? joinedLines : softBreaks).push(offset)
    return isOmitted ? "" : " "
  })
  const nonEmpty = (offsets: ReadonlyArray<number>) => (offsets.length === 0 ? undefined : offsets)
  return { text: encodedText, softBreaks: nonEmpty(softBreaks), joinedLines: nonEmpty(joinedLines) }
}

const hardBreak: Inline = { object: "inline", type: "hard-break", isVoid: true }

/**
 * Returns the original inlines and blocks. The input may come from any client. Returns the same list if nothing
 * changes.
 */
export const decodeInlines = (nodes: ReadonlyArray<unknown>, asCode: boolean): ReadonlyArray<unknown> => {
  let changed = false
  const result: Array<unknown> = []
  for (const node of nodes) {
    const decodedNodes = WrittenField.isData(node) ? decodeNode(node, asCode) : undefined
    if (decodedNodes === undefined) result.push(node)
    else {
      changed = true
      for (const one of decodedNodes) result.push(one)
    }
    // Stops early if the list already exceeds the limit of a document.
    if (result.length > maxNodes) break
  }
  return changed ? result : nodes
}

/** Returns the original nodes. Undefined if the node stays unchanged. */
const decodeNode = (node: Fields, asCode: boolean): ReadonlyArray<unknown> | undefined => {
  const { written, ...own } = node
  if (node.object === "inline") {
    if (!WrittenField.isData(written) || typeof node.type !== "string") return undefined
    const data = WrittenField.joinData(node.data, written, inlineSpec(node.type).fields)
    return [{ ...own, ...(data && { data }) }]
  }
  if (node.object !== "text") return undefined
  return (WrittenField.isData(written) ? decodeInline(own, written) : undefined) ?? decodeText(own, asCode)
}

const decodeInline = (own: Fields, written: Fields): ReadonlyArray<unknown> | undefined => {
  const { type, isVoid, data, nodes, fragments } = written
  if (typeof type !== "string" || (isInlineType(type) && inlineSpec(type).wireText === undefined)) return undefined
  const base = { object: "inline", type, ...(own.key !== undefined && { key: own.key }) }
  const originalNode = {
    ...base,
    ...(data !== undefined && { data }),
    ...(isVoid !== undefined && { isVoid }),
    ...(nodes !== undefined && { nodes }),
    ...(fragments !== undefined && { fragments })
  }
  // If a client changed the text, the changed text counts.
  const [leaf, ...otherLeaves] = WrittenField.arrayOrEmpty(own.leaves)
  if (otherLeaves.length > 0 || !WrittenField.isData(leaf)) return undefined
  if (isInlineType(type))
    return leaf.text === nearestLeaf(originalNode as unknown as Inline).text ? [originalNode] : undefined
  return [originalNode]
}

const decodeText = (own: Fields, asCode: boolean): ReadonlyArray<unknown> | undefined => {
  const leaves = WrittenField.arrayOrEmpty(own.leaves)
  if (!leaves.some((leaf) => WrittenField.isData(leaf) && needsDecoding(leaf, asCode))) return undefined
  const result: Array<unknown> = []
  let text: Array<unknown> = []
  let key = own.key
  const closeText = () => {
    if (text.length > 0) result.push({ object: "text", ...(key !== undefined && { key }), leaves: text })
    if (text.length > 0) key = undefined
    text = []
  }
  for (const leaf of leaves) {
    if (!WrittenField.isData(leaf) || !needsDecoding(leaf, asCode)) {
      text.push(leaf)
      continue
    }
    const { written, ...rest } = leaf
    const normalizedLeaf = typeof rest.text === "string" ? { ...rest, text: rest.text.replace(lineEnds, "\n") } : rest
    const marks = decodeMarks(normalizedLeaf.marks, written)
    const lines =
      typeof normalizedLeaf.text === "string" && !asCode
        ? decodeLines(normalizedLeaf.text, written)
        : [normalizedLeaf.text]
    for (const [i, line] of lines.entries()) {
      if (i > 0) {
        closeText()
        result.push(hardBreak)
      }
      if (line !== "" || lines.length === 1)
        text.push({ ...normalizedLeaf, text: line, ...(marks !== undefined && { marks }) })
    }
    if (result.length > maxNodes) break
  }
  closeText()
  return result
}

const needsDecoding = (leaf: Fields, asCode: boolean): boolean =>
  leaf.written !== undefined ||
  (typeof leaf.text === "string" && (leaf.text.includes("\r") || (!asCode && leaf.text.includes("\n"))))

/** Markdown has only one kind of line end, so other kinds are converted. */
const lineEnds = /\r\n?/g

/** Returns the lines of a text, with the line ends of the source in them. */
const decodeLines = (text: string, written: unknown): ReadonlyArray<string> => {
  const own = WrittenField.isData(written) ? written : {}
  const softBreaks = new Set(WrittenField.arrayOrEmpty(own.softBreaks))
  const joinedLines = new Set(WrittenField.arrayOrEmpty(own.joinedLines))
  const lines = text.split("\n", maxNodes + 1)
  if (softBreaks.size === 0 && joinedLines.size === 0) return lines
  let from = 0
  return lines.map((line) => {
    const start = from
    from += line.length + 1
    // A line end between Chinese or Japanese characters is no space, so a space there is not a line end of the source.
    const isSoft = (at: number) => softBreaks.has(start + at) && !isUnspaced(line.slice(0, at), line.slice(at + 1))
    if (joinedLines.size === 0) return line.replace(/ /g, (space, at: number) => (isSoft(at) ? "\n" : space))
    let decoded = ""
    for (let at = 0; at <= line.length; at++) {
      if (joinedLines.has(start + at) && allowsUnspacedLineEnd(line, at)) decoded += "\n"
      decoded += line[at] === " " && isSoft(at) ? "\n" : (line[at] ?? "")
    }
    return decoded
  })
}

/** Returns true if a line end between two texts stands for no space. */
const isUnspaced = (before: string, after: string): boolean => unspacedLineEnds("\n", before, after).length > 0

/** Returns true if the source can have a line end at an offset of a text that has no space at the offset. */
const allowsUnspacedLineEnd = (text: string, at: number): boolean =>
  // At either end of the text, `\u3000` stands for the unknown neighboring character.
  text !== "" && isUnspaced(text.slice(0, at) || "\u3000", text.slice(at) || "\u3000")

/** Returns all marks, in their original order if the client did not change the marks of the vocabulary. */
const decodeMarks = (marks: unknown, written: unknown): unknown => {
  if (!WrittenField.isData(written) || !Array.isArray(written.marks)) return marks
  const isUnsupported = (mark: unknown) =>
    WrittenField.isData(mark) && typeof mark.type === "string" && markSpec(mark.type).isOmittedOnWire === true
  const supported = written.marks.filter((mark) => !isUnsupported(mark))
  return JSON.stringify(supported) === JSON.stringify(marks)
    ? written.marks
    : [...WrittenField.arrayOrEmpty(marks), ...written.marks.filter(isUnsupported)]
}
