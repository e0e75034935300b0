/**
 * Leaves with marks as nested emphasis: a run of text that shares a mark is one emphasis, the
 * longest run outermost. A link takes part with the marks that all of its text has; an image or a
 * break within a run does not end it.
 *
 * Limits: the marks of the first 1,000 leaves of a text are written, those of the rest are not.
 */
import type { Definition, PhrasingContent } from "mdast"
import type { Data, Inline, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as Marks from "./Marks.ts"
import type { Writer } from "./BlocksToMarkdown.ts"
import * as InlineElements from "./InlineElements.ts"
import * as InlineMath from "./syntax/InlineMath.ts"

const maxMarked = 1000

interface Atom {
  /** Undefined while it follows from the neighbours. */
  marks: number | undefined
  readonly write: (open: number) => PhrasingContent | Array<PhrasingContent>
}

/** Text, and whether a `$` in it could be read as a formula. */
export interface EscapedText {
  readonly type: "text"
  readonly value: string
  readonly hasFormula?: boolean
}

export const write = (nodes: ReadonlyArray<Node>, writer: Writer): Array<PhrasingContent> => {
  const atoms = atomsOf(nodes, writer, couldHoldFormula(nodes))
  adoptMarks(atoms)
  return nest(atoms, 0, atoms.length, 0)
}

/** Whether a formula could be read where there is none: a `$` of the text, and another one. */
const couldHoldFormula = (nodes: ReadonlyArray<Node>): boolean => {
  const hasDollar = (node: Node): boolean =>
    node.object === "text"
      ? node.leaves.some((leaf) => leaf.text.includes("$"))
      : node.object === "inline" && (node.nodes ?? []).some(hasDollar)
  return nodes.some(hasDollar) && InlineMath.isLikely(nodes.map(sourceOf).join(gap))
}

const { gap } = InlineMath

const sourceOf = (node: Node): string => {
  if (node.object === "text") return node.leaves.map((leaf) => leaf.text).join(gap)
  const data = JSON.stringify(node.data ?? "")
  const inside = (node.nodes ?? []).map(sourceOf).join(gap)
  return data.includes("$") ? `${inside}${gap}${data.replaceAll("$", `${gap}$${gap}`)}` : inside
}

const atomsOf = (nodes: ReadonlyArray<Node>, writer: Writer, hasFormula: boolean): Array<Atom> => {
  const atoms: Array<Atom> = []
  let marked = 0
  for (const node of nodes) {
    if (node.object === "text") {
      for (const { text, marks } of node.leaves) {
        if (text === "") continue
        const set = Marks.toBits(marks)
        const kept = set === 0 || ++marked <= maxMarked ? set : set & Marks.code
        const isCode = (kept & Marks.code) !== 0
        atoms.push({
          marks: kept & ~Marks.code,
          write: () => (isCode ? { type: "inlineCode", value: text } : textNode(text, hasFormula))
        })
      }
    } else if (node.object === "inline") atoms.push(inlineAtom(node, writer, hasFormula))
  }
  return atoms
}

const textNode = (value: string, hasFormula: boolean): EscapedText =>
  hasFormula ? { type: "text", value, hasFormula } : { type: "text", value }

const inlineAtom = (inline: Inline, writer: Writer, hasFormula: boolean): Atom => {
  const element = InlineElements.write(inline, writer.urlOf, false)
  if (element !== undefined) return { marks: undefined, write: () => elementNodes(element, hasFormula) }
  switch (inline.type) {
    case "link": {
      const { atoms, marks } = inside(inline, writer, hasFormula)
      return { marks, write: (open) => link(inline.data, nest(atoms, 0, atoms.length, open), writer) }
    }
    case "mention": {
      const url = writer.urlOf(inline.data)
      const children = [textNode(text(inline.data?.text) || url, hasFormula)]
      return { marks: undefined, write: () => ({ type: "link", url, title: "mention", children }) }
    }
    case "annotation": {
      const { atoms, marks } = inside(inline, writer, hasFormula)
      const body = inline.fragments?.find(({ type, fragment }) => (type ?? fragment) === "annotation-body")?.nodes ?? []
      return {
        marks,
        write: (open) => {
          const label = writer.annotate(inline.data?.label, body)
          const children = nest(atoms, 0, atoms.length, open) as Array<never>
          return [
            { type: "link", url: `#user-content-fn-${label}`, children },
            { type: "footnoteReference", identifier: label, label }
          ]
        }
      }
    }
    case "emoji":
      return { marks: undefined, write: () => ({ type: "emoji", value: text(inline.data?.code) }) }
    case "inline-math":
      return { marks: undefined, write: () => ({ type: "inlineMath", value: text(inline.data?.formula) }) }
    case "inline-image":
      return { marks: undefined, write: () => image(inline.data, writer) }
    case "hard-break":
      return { marks: undefined, write: () => (writer.inCell ? { type: "html", value: "<br>" } : { type: "break" }) }
    case "html":
      return { marks: undefined, write: () => ({ type: "html", value: text(inline.data?.html) }) }
    case "footnote-reference": {
      const label = text(inline.data?.label)
      return { marks: undefined, write: () => ({ type: "footnoteReference", identifier: label, label }) }
    }
    default:
      return { marks: undefined, write: () => ({ type: "text", value: DocumentText.ofInlines(inline.nodes ?? []) }) }
  }
}

/** What stands in a link, and the marks that all of it has. */
const inside = (inline: Inline, writer: Writer, hasFormula: boolean) => {
  const atoms = atomsOf(inline.nodes ?? [], writer, hasFormula)
  const shared = atoms.reduce<number | undefined>(
    (all, { marks }) => (marks === undefined ? all : all === undefined ? marks : Marks.shared(all, marks)),
    undefined
  )
  adoptMarks(atoms)
  return { atoms, marks: shared === undefined ? undefined : shared & (Marks.attention | Marks.color) }
}

const isName = /^:[a-z0-9-]+:$/

const elementNodes = ({ open, text: content, close }: InlineElements.Written, hasFormula: boolean) => {
  const nodes: Array<PhrasingContent> = [{ type: "html", value: open }]
  // The name of an icon is written as that of an emoji is, whether it is one or not.
  if (isName.test(content ?? "")) nodes.push({ type: "html", value: content! })
  else if (content !== undefined && content !== "") nodes.push(textNode(content, hasFormula))
  if (close !== undefined) nodes.push({ type: "html", value: close })
  return nodes
}

const adoptMarks = (atoms: Array<Atom>): void => {
  let before = 0
  for (let i = 0; i < atoms.length; i++) {
    if (atoms[i]!.marks !== undefined) {
      before = atoms[i]!.marks!
      continue
    }
    let next = i
    while (next < atoms.length && atoms[next]!.marks === undefined) next++
    const marks = Marks.shared(before, atoms[next]?.marks ?? 0) & (Marks.attention | Marks.color)
    for (; i < next; i++) atoms[i]!.marks = marks
    i--
  }
}

/** Recurses once for each mark at most: what is open is never opened again. */
const nest = (atoms: ReadonlyArray<Atom>, from: number, to: number, open: number): Array<PhrasingContent> => {
  const out: Array<PhrasingContent> = []
  for (let i = from; i < to;) {
    const marks = remaining(atoms[i]!.marks!, open)
    if (marks === 0) {
      const written = atoms[i]!.write(open)
      if (Array.isArray(written)) out.push(...written)
      else out.push(written)
      i++
      continue
    }
    const [mark, end] = outermost(atoms, i, to, marks)
    if ((mark & Marks.color) !== 0) {
      const children = nest(atoms, i, end, (open & ~Marks.color) | mark)
      out.push({ type: "html", value: Marks.tagOfColor(mark) }, ...children, { type: "html", value: "</mark>" })
      i = end
      continue
    }
    const children = nest(atoms, i, end, open | mark)
    if (mark === Marks.bold) out.push({ type: "strong", children })
    else if (mark === Marks.italic) out.push({ type: "emphasis", children })
    else if (mark === Marks.strikethrough) out.push({ type: "delete", children })
    else {
      const tag = Marks.elements.find(([element]) => element === mark)![1]
      out.push({ type: "html", value: `<${tag}>` }, ...children, { type: "html", value: `</${tag}>` })
    }
    i = end
  }
  settleReferences(out)
  return out
}

/** A shortcut `[label]` before what would be read as a part of it is written `[label][]`. */
const settleReferences = (nodes: Array<PhrasingContent>): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node.type === "footnoteReference") settleFootnote(nodes, i)
    if (node.type !== "linkReference" && node.type !== "imageReference") continue
    const next = nodes[i + 1]
    if (next === undefined || (next.type === "text" ? !/^[[(:]/.test(next.value) : !bracketed.has(next.type))) continue
    node.referenceType = "collapsed"
  }
}

/** A footnote's mark and a colon at the start of a line would define it. */
const settleFootnote = (nodes: Array<PhrasingContent>, i: number): void => {
  const before = nodes[i - 1]
  const next = nodes[i + 1]
  if (next?.type !== "text" || !next.value.startsWith(":")) return
  if (before === undefined || before.type === "break" || (before.type === "text" && before.value.endsWith("\n"))) {
    nodes.splice(i + 1, 1, { type: "html", value: "\\:" }, { type: "text", value: next.value.slice(1) })
  }
}

const bracketed = new Set(["link", "linkReference", "footnoteReference"])

/** The marks of a set that are not yet open. */
const remaining = (set: number, open: number): number => {
  const marks = set & ~open & ~Marks.color
  return (set & Marks.color) === (open & Marks.color) ? marks : marks | (set & Marks.color)
}

/** The mark that goes around the others, and where it ends. */
const outermost = (atoms: ReadonlyArray<Atom>, from: number, to: number, marks: number): [number, number] => {
  const color = marks & Marks.color
  // Elements hold mere text, so emphasis and colours go around them.
  const around = marks & Marks.attention
  const candidates = around === 0 && color === 0 ? marks : around
  let best: [number, number] = [0, from]
  if (color !== 0) {
    let end = from
    while (end < to && (atoms[end]!.marks! & Marks.color) === color) end++
    best = [color, end]
  }
  for (let bit = 1; bit <= candidates; bit <<= 1) {
    if ((candidates & bit) === 0) continue
    let end = from
    while (end < to && (atoms[end]!.marks! & bit) !== 0) end++
    if (end > best[1]) best = [bit, end]
  }
  return best
}

const link = (data: Data | undefined, children: Array<PhrasingContent>, writer: Writer): PhrasingContent => {
  const url = writer.urlOf(data)
  const label = referenceTo(data, url, writer)
  return label === undefined
    ? { type: "link", url, title: title(data), children: children as Array<never> }
    : { type: "linkReference", referenceType: "shortcut", ...label, children: children as Array<never> }
}

export const image = (data: Data | undefined, writer: Writer): PhrasingContent => {
  const url = writer.urlOf(data)
  const label = referenceTo(data, url, writer)
  const alt = text(data?.alt)
  return label === undefined
    ? { type: "image", url, title: title(data), alt }
    : { type: "imageReference", referenceType: "shortcut", ...label, alt }
}

/** The label of a reference-style link, as long as a definition gives it the same target. */
const referenceTo = (data: Data | undefined, url: string, writer: Writer) => {
  if (typeof data?.reference !== "string") return undefined
  const definition: Definition | undefined = writer.definition(data.reference)
  return definition !== undefined &&
    (url === "" || (definition.url === url && (definition.title ?? null) === title(data)))
    ? { identifier: data.reference, label: data.reference }
    : undefined
}

const title = (data: Data | undefined): string | null =>
  typeof data?.title === "string" && data.title !== "" ? data.title : null

const text = (value: unknown): string => (typeof value === "string" ? value : "")
