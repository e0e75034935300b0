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

const maxMarked = 1000

interface Atom {
  /** Undefined while it follows from the neighbours. */
  marks: number | undefined
  readonly write: (open: number) => PhrasingContent
}

export const write = (nodes: ReadonlyArray<Node>, writer: Writer): Array<PhrasingContent> => {
  const atoms = atomsOf(nodes, writer)
  adoptMarks(atoms)
  return nest(atoms, 0, atoms.length, 0)
}

const atomsOf = (nodes: ReadonlyArray<Node>, writer: Writer): Array<Atom> => {
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
          write: () => (isCode ? { type: "inlineCode", value: text } : { type: "text", value: text })
        })
      }
    } else if (node.object === "inline") atoms.push(inlineAtom(node, writer))
  }
  return atoms
}

const inlineAtom = (inline: Inline, writer: Writer): Atom => {
  switch (inline.type) {
    case "link": {
      const atoms = atomsOf(inline.nodes ?? [], writer)
      const shared = atoms.reduce<number | undefined>(
        (all, { marks }) => (marks === undefined ? all : all === undefined ? marks : all & marks),
        undefined
      )
      adoptMarks(atoms)
      return {
        marks: shared === undefined ? undefined : shared & Marks.attention,
        write: (open) => link(inline.data, nest(atoms, 0, atoms.length, open), writer)
      }
    }
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

const adoptMarks = (atoms: Array<Atom>): void => {
  let before = 0
  for (let i = 0; i < atoms.length; i++) {
    if (atoms[i]!.marks !== undefined) {
      before = atoms[i]!.marks!
      continue
    }
    let next = i
    while (next < atoms.length && atoms[next]!.marks === undefined) next++
    const marks = before & (atoms[next]?.marks ?? 0) & Marks.attention
    for (; i < next; i++) atoms[i]!.marks = marks
    i--
  }
}

/** Recurses once for each mark at most: what is open is never opened again. */
const nest = (atoms: ReadonlyArray<Atom>, from: number, to: number, open: number): Array<PhrasingContent> => {
  const out: Array<PhrasingContent> = []
  for (let i = from; i < to;) {
    const marks = atoms[i]!.marks! & ~open
    if (marks === 0) {
      out.push(atoms[i]!.write(open))
      i++
      continue
    }
    const [bit, end] = outermost(atoms, i, to, marks)
    const children = nest(atoms, i, end, open | bit)
    if (bit === Marks.bold) out.push({ type: "strong", children })
    else if (bit === Marks.italic) out.push({ type: "emphasis", children })
    else if (bit === Marks.strikethrough) out.push({ type: "delete", children })
    else {
      const tag = Marks.elements.find(([element]) => element === bit)![1]
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

const outermost = (atoms: ReadonlyArray<Atom>, from: number, to: number, marks: number): [number, number] => {
  // Elements hold mere text, so emphasis goes around them.
  const candidates = (marks & Marks.attention) === 0 ? marks : marks & Marks.attention
  let best: [number, number] = [0, from]
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
