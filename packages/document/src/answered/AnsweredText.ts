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
import * as Written from "./Written.ts"

type AnsweredLeaf = Leaf & { readonly written?: Written.WrittenLeaf }
type AnsweredText = Text & { readonly written?: Written.Written }
type Fields = Written.Data

/** Returns true if the lines of a block's text are lines of code. */
export const isCode = ({ type }: { readonly type?: unknown }): boolean => type === "code-line"

const superscript: Mark = { object: "mark", type: "superscript" }

/** Returns the children of a block or an inline in the form of responses. `block` converts blocks among them. */
export const write = (
  nodes: ReadonlyArray<Node>,
  asCode: boolean,
  block: (block: Block) => Block
): ReadonlyArray<Node> => {
  let changed = false
  const out: Array<Node> = []
  /** True if the last text continues after a line break. */
  let isOpen = false
  for (const [i, node] of nodes.entries()) {
    if (node.object === "inline" && isBreak(node)) {
      const last = out.at(-1)
      if (last?.object === "text" && isPlainText(last))
        out[out.length - 1] = { ...last, leaves: [...last.leaves, lineFeed] }
      else out.push({ object: "text", leaves: [lineFeed] })
      changed = isOpen = true
      continue
    }
    const written =
      node.object === "text" ? writeText(node, asCode, nodes[i - 1], nodes[i + 1]) : writeNode(node, block)
    changed ||= written !== node
    const last = out.at(-1)
    if (
      isOpen &&
      last?.object === "text" &&
      written.object === "text" &&
      isPlainText(written) &&
      written.key === undefined
    ) {
      out[out.length - 1] = { ...last, leaves: continued(last.leaves, written.leaves) }
    } else out.push(written)
    isOpen = false
  }
  return changed ? out : nodes
}

const lineFeed: Leaf = { object: "leaf", text: "\n", marks: [] }

const isBreak = ({ type, key, data, isVoid, nodes, fragments }: Inline): boolean =>
  inlineSpec(type).nearest === "break" &&
  isVoid === true &&
  [key, data, nodes, fragments].every((part) => part === undefined)

const isPlainText = (text: AnsweredText): boolean => text.written === undefined

/** Joins a line break and the leaves around it to one leaf, if their marks are equal. */
const continued = (before: ReadonlyArray<AnsweredLeaf>, after: ReadonlyArray<AnsweredLeaf>): ReadonlyArray<Leaf> => {
  const [first, ...rest] = after
  const leaf = before.at(-2)
  if (before.at(-1) !== lineFeed || leaf === undefined || first === undefined || !isJoined(leaf, first)) {
    return [...before, ...after]
  }
  const offset = leaf.text.length + 1
  const placesOf = (name: "softBreaks" | "joinedLines") => {
    const places = [...(leaf.written?.[name] ?? []), ...(first.written?.[name] ?? []).map((at) => at + offset)]
    return places.length === 0 ? undefined : places
  }
  const joined = { object: "leaf", text: `${leaf.text}\n${first.text}`, marks: leaf.marks } as const
  const written = Written.of({ softBreaks: placesOf("softBreaks"), joinedLines: placesOf("joinedLines") })
  const all: AnsweredLeaf = { ...joined, ...written }
  return [...before.slice(0, -2), all, ...rest]
}

const isJoined = (one: AnsweredLeaf, other: AnsweredLeaf): boolean =>
  one.text !== "" &&
  other.text !== "" &&
  one.written?.marks === undefined &&
  other.written?.marks === undefined &&
  !one.marks.some(({ type }) => type === "code") &&
  JSON.stringify(one.marks) === JSON.stringify(other.marks)

const writeText = (node: Text, asCode: boolean, before: Node | undefined, after: Node | undefined): Text => {
  const { leaves } = node
  const isOneLine = asCode || !leaves.some(({ text }) => text.includes("\n"))
  const textOf = (beside: Node | undefined) => (beside === undefined ? "" : DocumentText.ofInlines([beside]))
  const written = leaves.map((leaf, i) =>
    writeLeaf(
      leaf,
      isOneLine,
      isOneLine ? "" : (leaves[i - 1]?.text ?? textOf(before)),
      isOneLine ? "" : (leaves[i + 1]?.text ?? textOf(after))
    )
  )
  return written.every((leaf, i) => leaf === leaves[i]) ? node : { ...node, leaves: written }
}

const writeNode = (node: Block | Inline, block: (block: Block) => Block): Node => {
  if (node.object === "block") return block(node)
  const { type, key, data, isVoid, nodes: inside, fragments: parts } = node
  const spec = inlineSpec(type)
  const nodes = inside && (write(inside, false, block) as Inline["nodes"])
  const fragments = parts && mapList(parts, (part) => withNodes(part, mapList(part.nodes, block)))
  if (spec.nearest !== undefined || !isInlineType(type)) {
    const text = nearestOf(node)
    return {
      object: "text",
      ...(key !== undefined && { key }),
      leaves: [text],
      ...Written.of({ type, isVoid, data, nodes, fragments })
    } as AnsweredText
  }
  const { data: own, beside } = Written.split(data, spec.fields)
  if (own === data && nodes === inside && fragments === parts) return node
  return {
    ...node,
    ...(own && { data: own }),
    ...(nodes && { nodes }),
    ...(fragments && { fragments }),
    ...Written.of({ data: beside })
  }
}

/** Returns the text that replaces an inline in responses. */
const nearestOf = (inline: Inline): Leaf => {
  const leaf = (text: string, ...marks: ReadonlyArray<Mark>): Leaf => ({ object: "leaf", text, marks })
  switch (inlineSpec(inline.type).nearest) {
    case "break":
      return leaf("\n")
    case "label":
      return leaf(typeof inline.data?.label === "string" ? inline.data.label : "", superscript)
    case "nothing":
      return leaf("")
    default:
      return leaf(DocumentText.ofInlines([inline]))
  }
}

const writeLeaf = (leaf: Leaf, isOneLine: boolean, before: string, after: string): AnsweredLeaf => {
  const hasOthers = leaf.marks.some(({ type }) => markSpec(type).isBeside === true)
  const lines = isOneLine ? { text: leaf.text } : writeLines(leaf.text, before, after)
  if (!hasOthers && lines.text === leaf.text) return leaf
  const { text, ...breaks } = lines
  return {
    object: "leaf",
    text,
    marks: hasOthers ? leaf.marks.filter(({ type }) => markSpec(type).isBeside !== true) : leaf.marks,
    ...Written.of({ ...breaks, marks: hasOthers ? leaf.marks : undefined })
  }
}

interface Lines {
  readonly text: string
  readonly softBreaks?: ReadonlyArray<number> | undefined
  readonly joinedLines?: ReadonlyArray<number> | undefined
}

const writeLines = (text: string, before: string, after: string): Lines => {
  // A leaf that would become empty keeps its space.
  const joined = text === "\n" ? [] : unspacedLineEnds(text, before, after)
  const isJoined = new Set(joined)
  const softBreaks: Array<number> = []
  const joinedLines: Array<number> = []
  const written = text.replace(/\n/g, (_, at: number) => {
    const place = at - joinedLines.length
    const isNone = isJoined.has(at)
    ;(isNone ? joinedLines : softBreaks).push(place)
    return isNone ? "" : " "
  })
  const listOf = (places: ReadonlyArray<number>) => (places.length === 0 ? undefined : places)
  return { text: written, softBreaks: listOf(softBreaks), joinedLines: listOf(joinedLines) }
}

const hardBreak: Inline = { object: "inline", type: "hard-break", isVoid: true }

/**
 * Returns the original inlines and blocks. The input may come from any client. Returns the same list if nothing
 * changes.
 */
export const read = (nodes: ReadonlyArray<unknown>, asCode: boolean): ReadonlyArray<unknown> => {
  let changed = false
  const out: Array<unknown> = []
  for (const node of nodes) {
    const found = Written.isData(node) ? readNode(node, asCode) : undefined
    if (found === undefined) out.push(node)
    else {
      changed = true
      for (const one of found) out.push(one)
    }
    // Stops early if the list already exceeds the limit of a document.
    if (out.length > maxNodes) break
  }
  return changed ? out : nodes
}

/** Returns the original nodes. Undefined if the node stays unchanged. */
const readNode = (node: Fields, asCode: boolean): ReadonlyArray<unknown> | undefined => {
  const { written, ...own } = node
  if (node.object === "inline") {
    if (!Written.isData(written) || typeof node.type !== "string") return undefined
    const data = Written.joined(node.data, written, inlineSpec(node.type).fields)
    return [{ ...own, ...(data && { data }) }]
  }
  if (node.object !== "text") return undefined
  return (Written.isData(written) ? readInline(own, written) : undefined) ?? readText(own, asCode)
}

const readInline = (own: Fields, written: Fields): ReadonlyArray<unknown> | undefined => {
  const { type, isVoid, data, nodes, fragments } = written
  if (typeof type !== "string" || (isInlineType(type) && inlineSpec(type).nearest === undefined)) return undefined
  const inline = { object: "inline", type, ...(own.key !== undefined && { key: own.key }) }
  const whole = {
    ...inline,
    ...(data !== undefined && { data }),
    ...(isVoid !== undefined && { isVoid }),
    ...(nodes !== undefined && { nodes }),
    ...(fragments !== undefined && { fragments })
  }
  // If a client changed the text, the changed text counts.
  const [leaf, ...others] = Written.listOf(own.leaves)
  if (others.length > 0 || !Written.isData(leaf)) return undefined
  if (isInlineType(type)) return leaf.text === nearestOf(whole as unknown as Inline).text ? [whole] : undefined
  return [whole]
}

const readText = (own: Fields, asCode: boolean): ReadonlyArray<unknown> | undefined => {
  const leaves = Written.listOf(own.leaves)
  if (!leaves.some((leaf) => Written.isData(leaf) && isOtherwise(leaf, asCode))) return undefined
  const out: Array<unknown> = []
  let text: Array<unknown> = []
  let key = own.key
  const end = () => {
    if (text.length > 0) out.push({ object: "text", ...(key !== undefined && { key }), leaves: text })
    if (text.length > 0) key = undefined
    text = []
  }
  for (const leaf of leaves) {
    if (!Written.isData(leaf) || !isOtherwise(leaf, asCode)) {
      text.push(leaf)
      continue
    }
    const { written, ...rest } = leaf
    const plain = typeof rest.text === "string" ? { ...rest, text: rest.text.replace(lineEnds, "\n") } : rest
    const marks = marksOf(plain.marks, written)
    const lines = typeof plain.text === "string" && !asCode ? linesOf(plain.text, written) : [plain.text]
    for (const [i, line] of lines.entries()) {
      if (i > 0) {
        end()
        out.push(hardBreak)
      }
      if (line !== "" || lines.length === 1) text.push({ ...plain, text: line, ...(marks !== undefined && { marks }) })
    }
    if (out.length > maxNodes) break
  }
  end()
  return out
}

const isOtherwise = (leaf: Fields, asCode: boolean): boolean =>
  leaf.written !== undefined ||
  (typeof leaf.text === "string" && (leaf.text.includes("\r") || (!asCode && leaf.text.includes("\n"))))

/** Markdown has only one kind of line end, so other kinds are converted. */
const lineEnds = /\r\n?/g

/** Returns the lines of a text, with the line ends of the source in them. */
const linesOf = (text: string, written: unknown): ReadonlyArray<string> => {
  const own = Written.isData(written) ? written : {}
  const soft = new Set(Written.listOf(own.softBreaks))
  const joined = new Set(Written.listOf(own.joinedLines))
  const lines = text.split("\n", maxNodes + 1)
  if (soft.size === 0 && joined.size === 0) return lines
  let from = 0
  return lines.map((line) => {
    const start = from
    from += line.length + 1
    // A line end between Chinese or Japanese characters is no space, so a space there is not a line end of the source.
    const isSoft = (at: number) => soft.has(start + at) && !isUnspaced(line.slice(0, at), line.slice(at + 1))
    if (joined.size === 0) return line.replace(/ /g, (space, at: number) => (isSoft(at) ? "\n" : space))
    let broken = ""
    for (let at = 0; at <= line.length; at++) {
      if (joined.has(start + at) && isJoint(line, at)) broken += "\n"
      broken += line[at] === " " && isSoft(at) ? "\n" : (line[at] ?? "")
    }
    return broken
  })
}

/** Returns true if a line end between two texts stands for no space. */
const isUnspaced = (before: string, after: string): boolean => unspacedLineEnds("\n", before, after).length > 0

/** Returns true if the source can have a line end at an offset of a text that has no space at the offset. */
const isJoint = (text: string, at: number): boolean =>
  // At either end of the text, `\u3000` stands for the unknown neighboring character.
  text !== "" && isUnspaced(text.slice(0, at) || "\u3000", text.slice(at) || "\u3000")

/** Returns all marks, in their original order if the client did not change the marks of the vocabulary. */
const marksOf = (marks: unknown, written: unknown): unknown => {
  if (!Written.isData(written) || !Array.isArray(written.marks)) return marks
  const isBeside = (mark: unknown) =>
    Written.isData(mark) && typeof mark.type === "string" && markSpec(mark.type).isBeside === true
  const others = written.marks.filter((mark) => !isBeside(mark))
  return JSON.stringify(others) === JSON.stringify(marks)
    ? written.marks
    : [...Written.listOf(marks), ...written.marks.filter(isBeside)]
}
