/**
 * Converts inlines to phrases for serialization. Leaves with marks become nested emphasis. A run of leaves with a
 * shared mark is one emphasis, and the longest run is outermost. A link has the marks that all of its text has. An
 * image or break does not end a run, unless the image or break would be parsed differently within the emphasis.
 *
 * Limits: only the marks of the first 1,000 leaves of a text are written.
 */
import type { Data, Inline, Node } from "../Document.ts"
import * as DocumentText from "../DocumentText.ts"
import * as HtmlReferences from "../html/HtmlReferences.ts"
import * as Emoji from "./Emoji.ts"
import * as InlineElements from "./InlineElements.ts"
import { isLineBreak } from "./InlineList.ts"
import { titleOf } from "./LinkTitle.ts"
import * as Marks from "./Marks.ts"
import type { Image, ImageReference, Phrase } from "./print/Phrase.ts"
import type { Text } from "./print/Text.ts"
import * as InlineMath from "./syntax/InlineMath.ts"
import type { Writer } from "./Writer.ts"
import { type InlineType, isInlineType } from "../vocabulary/InlineTypes.ts"

const maxMarkedLeaves = 1000

const adoptableMarks = Marks.emphasisBits | Marks.colorMask

interface Atom {
  /** Set of marks; undefined until derived from the neighbors. */
  marks: number | undefined
  /** Marks that may be derived from the neighbors. Default: emphasis and colors. */
  readonly adoptableMarks?: number
  /** True if the text ends in a letter or digit, after which `:name:` is not an emoji. */
  readonly endsWord?: boolean
  readonly write: (open: number) => Phrase | ReadonlyArray<Phrase>
}

export const write = (nodes: ReadonlyArray<Node>, writer: Writer): ReadonlyArray<Phrase> => {
  const atoms = toAtoms(nodes, writer, couldContainFormula(nodes))
  adoptMarks(atoms)
  return nestMarks(atoms, 0, atoms.length, 0)
}

/** True if a formula could be parsed unintentionally: the text contains a `$` that another `$` could close. */
const couldContainFormula = (nodes: ReadonlyArray<Node>): boolean => {
  const hasDollar = (node: Node): boolean =>
    node.object === "text"
      ? node.leaves.some((leaf) => leaf.text.includes("$"))
      : node.object === "inline" && (node.nodes ?? []).some(hasDollar)
  return nodes.some(hasDollar) && InlineMath.couldContainFormula(nodes.map(formulaSource).join(gap))
}

const { gap } = InlineMath

const formulaSource = (node: Node): string => {
  if (node.object === "text") return node.leaves.map((leaf) => leaf.text).join(gap)
  const data = JSON.stringify(node.data ?? "")
  const innerSource = (node.nodes ?? []).map(formulaSource).join(gap)
  return data.includes("$") ? `${innerSource}${gap}${data.replaceAll("$", `${gap}$${gap}`)}` : innerSource
}

const toAtoms = (nodes: ReadonlyArray<Node>, writer: Writer, hasFormula: boolean): Array<Atom> => {
  const atoms: Array<Atom> = []
  let markedCount = 0
  for (const node of nodes) {
    if (node.object === "text") {
      for (const { text, marks } of node.leaves) {
        if (text === "") continue
        const markSet = Marks.toBits(marks)
        const printedMarks = markSet === 0 || ++markedCount <= maxMarkedLeaves ? markSet : markSet & Marks.code
        const isCode = (printedMarks & Marks.code) !== 0
        atoms.push({
          marks: printedMarks & ~Marks.code,
          endsWord: (printedMarks & ~adoptableMarks) === 0 && /[a-zA-Z0-9]$/.test(text),
          write: () => (isCode ? { type: "code", value: text } : textNode(text, hasFormula))
        })
      }
    } else if (node.object === "inline") {
      const atom = inlineAtom(node, writer, hasFormula)
      const isInWord = node.type === "emoji" && atoms.at(-1)?.endsWord === true
      atoms.push(isInWord ? { ...atom, adoptableMarks: 0 } : atom)
    }
  }
  return atoms
}

const textNode = (value: string, hasFormula: boolean): Text =>
  hasFormula ? { type: "text", value, hasFormula } : { type: "text", value }

const inlineAtom = (inline: Inline, writer: Writer, hasFormula: boolean): Atom =>
  isInlineType(inline.type)
    ? converters[inline.type](inline, writer, hasFormula)
    : plainTextAtom(inline, writer, hasFormula)

type AtomConverter = (inline: Inline, writer: Writer, hasFormula: boolean) => Atom

/** Returns an atom whose marks are derived from its neighbors. */
const adoptingAtom = (write: Atom["write"]): Atom => ({ marks: undefined, write })

/**
 * Returns a writer that uses an element if the Markdown syntax of an inline cannot express its data, and otherwise
 * calls `fallback`.
 */
const element =
  (fallback: AtomConverter): AtomConverter =>
  (inline, writer, hasFormula) => {
    const element = InlineElements.write(inline, writer.urlOfData, false)
    return element === undefined
      ? fallback(inline, writer, hasFormula)
      : adoptingAtom(() => elementPhrases(element, hasFormula))
  }

const plainTextAtom: AtomConverter = ({ nodes }) =>
  adoptingAtom(() => ({ type: "text", value: DocumentText.inlinesText(nodes ?? []) }))

const annotation: AtomConverter = (inline, writer, hasFormula) => {
  const { atoms, marks } = linkContent(inline, writer, hasFormula)
  const body = inline.fragments?.find(({ type, fragment }) => (type ?? fragment) === "annotation-body")?.nodes ?? []
  return {
    marks,
    write: (open) => {
      const label = writer.annotate(inline.data?.label, body)
      const children = nestMarks(atoms, 0, atoms.length, open)
      return [
        { type: "link", url: `#user-content-fn-${label}`, title: undefined, children },
        { type: "footnoteReference", label }
      ]
    }
  }
}

/** Writers by inline type. */
const converters: { readonly [_ in InlineType]: AtomConverter } = {
  link: (inline, writer, hasFormula) => {
    const { atoms, marks } = linkContent(inline, writer, hasFormula)
    return { marks, write: (open) => link(inline.data, nestMarks(atoms, 0, atoms.length, open), writer) }
  },
  mention: ({ data }, writer, hasFormula) => {
    const url = writer.urlOfData(data)
    const children = [textNode(text(data?.text) || url, hasFormula)]
    return adoptingAtom(() => ({ type: "link", url, title: "mention", children }))
  },
  annotation,
  emoji: ({ data }) => adoptingAtom(() => ({ type: "emoji", value: text(data?.code) })),
  icon: element(plainTextAtom),
  "inline-image": element(({ data }, writer) => adoptingAtom(() => image(data, writer))),
  "inline-math": ({ data }) => adoptingAtom(() => ({ type: "formula", value: text(data?.formula) })),
  expression: element(plainTextAtom),
  button: element(plainTextAtom),
  "hard-break": ({ data }, { isInCell }) => {
    const html = isInCell ? "<br>" : text(data?.html)
    return adoptingAtom(() => (isLineBreak(html) ? { type: "verbatim", value: html } : { type: "break" }))
  },
  "footnote-reference": ({ data }) => adoptingAtom(() => ({ type: "footnoteReference", label: text(data?.label) })),
  html: ({ data }, writer) => {
    const value = HtmlReferences.printHtml(data, writer.urlOfRef)
    // A `<mark>` tag that colors nothing would end the color around it, so it does not adopt the color.
    const ownAdoptableMarks = /<\/?mark[\s>]/.test(value) ? Marks.emphasisBits : adoptableMarks
    return { ...adoptingAtom(() => ({ type: "verbatim", value })), adoptableMarks: ownAdoptableMarks }
  }
}

/** Returns the content of a link, and the marks that all of it has. */
const linkContent = (inline: Inline, writer: Writer, hasFormula: boolean) => {
  const atoms = toAtoms(inline.nodes ?? [], writer, hasFormula)
  const sharedMarks = atoms.reduce<number | undefined>(
    (commonMarks, { marks }) =>
      marks === undefined ? commonMarks : commonMarks === undefined ? marks : Marks.sharedBits(commonMarks, marks),
    undefined
  )
  adoptMarks(atoms)
  return { atoms, marks: sharedMarks === undefined ? undefined : sharedMarks & adoptableMarks }
}

const iconName = /^:[a-z0-9-]+:$/

const elementPhrases = ({ open, text: content, close }: InlineElements.ElementSource, hasFormula: boolean) => {
  const nodes: Array<Phrase> = [{ type: "verbatim", value: open }]
  // The name of an icon is not escaped, even if it is also the name of an emoji.
  if (iconName.test(content ?? "")) nodes.push({ type: "verbatim", value: content! })
  else if (content !== undefined && content !== "") nodes.push(textNode(content, hasFormula))
  if (close !== undefined) nodes.push({ type: "verbatim", value: close })
  return nodes
}

const adoptMarks = (atoms: Array<Atom>): void => {
  let previousMarks = 0
  for (let i = 0; i < atoms.length; i++) {
    if (atoms[i]!.marks !== undefined) {
      previousMarks = atoms[i]!.marks!
      continue
    }
    let next = i
    let adoptedMarks = adoptableMarks
    for (; next < atoms.length && atoms[next]!.marks === undefined; next++)
      adoptedMarks &= atoms[next]!.adoptableMarks ?? adoptableMarks
    const marks = Marks.sharedBits(previousMarks, atoms[next]?.marks ?? 0) & adoptedMarks
    for (; i < next; i++) atoms[i]!.marks = marks
    i--
  }
}

/** Each call opens a further mark, so the number of marks limits the depth of recursion. */
const nestMarks = (atoms: ReadonlyArray<Atom>, from: number, to: number, openMarks: number): ReadonlyArray<Phrase> => {
  const result: Array<Phrase> = []
  for (let i = from; i < to;) {
    const marks = unopenedMarks(atoms[i]!.marks!, openMarks)
    if (marks === 0) {
      const output = atoms[i]!.write(openMarks)
      if ("type" in output) result.push(output)
      else for (const phrase of output) result.push(phrase)
      i++
      continue
    }
    const [mark, end] = outermostMark(atoms, i, to, marks)
    if ((mark & Marks.colorMask) !== 0) {
      pushBetween(
        result,
        Marks.printColorTag(mark),
        nestMarks(atoms, i, end, (openMarks & ~Marks.colorMask) | mark),
        "</mark>"
      )
      i = end
      continue
    }
    const children = nestMarks(atoms, i, end, openMarks | mark)
    if (mark === Marks.bold) result.push({ type: "strong", children })
    else if (mark === Marks.italic) result.push({ type: "emphasis", children })
    else if (mark === Marks.strikethrough) result.push({ type: "delete", children })
    else {
      const tag = Marks.elementBits.find(([element]) => element === mark)![1]
      pushBetween(result, `<${tag}>`, children, `</${tag}>`)
    }
    i = end
  }
  return disambiguateReferences(result)
}

const pushBetween = (
  result: Array<Phrase>,
  openTag: string,
  phrases: ReadonlyArray<Phrase>,
  closeTag: string
): void => {
  result.push({ type: "verbatim", value: openTag })
  for (const phrase of phrases) result.push(phrase)
  result.push({ type: "verbatim", value: closeTag })
}

/**
 * Adapts phrases to the next one. A reference `[label]` before text that would be parsed as part of it becomes
 * `[label][]`. A colon after a footnote reference is escaped if it would start a definition.
 */
const disambiguateReferences = (phrases: ReadonlyArray<Phrase>): ReadonlyArray<Phrase> => {
  if (!phrases.some(isReference)) return phrases
  const result: Array<Phrase> = []
  for (const [i, phrase] of phrases.entries()) {
    const before = phrases[i - 1]
    const next = phrases[i + 1]
    if (phrase.type === "linkReference" || phrase.type === "imageReference") {
      const wouldContinue =
        next?.type === "text" ? /^[[(:]/.test(next.value) : next !== undefined && continuingTypes.has(next.type)
      result.push(wouldContinue ? { ...phrase, isCollapsed: true } : phrase)
    } else if (before?.type !== "footnoteReference" || !isDefinition(phrases, i)) result.push(phrase)
    else if (phrase.type === "text") {
      result.push({ type: "verbatim", value: "\\:" }, { type: "text", value: phrase.value.slice(1) })
    } else if (phrase.type === "emoji") result.push({ type: "verbatim", value: Emoji.emojiElement(phrase.value) })
  }
  return result
}

const isReference = ({ type }: Phrase): boolean =>
  type === "linkReference" || type === "imageReference" || type === "footnoteReference"

/** True if the phrase starts with a colon that would turn the footnote reference before it into a definition. */
const isDefinition = (phrases: ReadonlyArray<Phrase>, i: number): boolean => {
  const phrase = phrases[i]!
  if (phrase.type !== "emoji" && (phrase.type !== "text" || !phrase.value.startsWith(":"))) return false
  const before = phrases[i - 2]
  return before === undefined || before.type === "break" || (before.type === "text" && before.value.endsWith("\n"))
}

const continuingTypes = new Set<string>(["link", "linkReference", "footnoteReference", "emoji"])

/** Returns the marks of a set that are not open yet. */
const unopenedMarks = (markSet: number, openMarks: number): number => {
  const marks = markSet & ~openMarks & ~Marks.colorMask
  return (markSet & Marks.colorMask) === (openMarks & Marks.colorMask) ? marks : marks | (markSet & Marks.colorMask)
}

/** Returns the outermost mark, and the index at which it ends. */
const outermostMark = (atoms: ReadonlyArray<Atom>, from: number, to: number, marks: number): [number, number] => {
  const color = marks & Marks.colorMask
  // Emphasis and colors enclose elements, which contain only text.
  const emphasisMarks = marks & Marks.emphasisBits
  const candidates = emphasisMarks === 0 && color === 0 ? marks : emphasisMarks
  let best: [number, number] = [0, from]
  if (color !== 0) {
    let end = from
    while (end < to && (atoms[end]!.marks! & Marks.colorMask) === color) end++
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

const link = (data: Data | undefined, children: ReadonlyArray<Phrase>, writer: Writer): Phrase => {
  const url = writer.urlOfData(data)
  const label = referenceLabel(data, writer)
  return label === undefined
    ? { type: "link", url, title: titleOf(data), children }
    : { type: "linkReference", label, children }
}

export const image = (data: Data | undefined, writer: Writer): Image | ImageReference => {
  const url = writer.urlOfData(data)
  const label = referenceLabel(data, writer)
  const alt = text(data?.alt)
  return label === undefined
    ? { type: "image", url, title: titleOf(data), alt }
    : { type: "imageReference", label, alt }
}

/** Returns the label of a reference-style link if a definition still has the same target. */
export const referenceLabel = (data: Data | undefined, writer: Writer): string | undefined => {
  if (typeof data?.reference !== "string") return undefined
  const url = writer.urlOfData(data)
  const definition = writer.definition(data.reference)
  return definition !== undefined && (url === "" || (definition.url === url && definition.title === titleOf(data)))
    ? data.reference
    : undefined
}

const text = (value: unknown): string => (typeof value === "string" ? value : "")
