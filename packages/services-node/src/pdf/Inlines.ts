/** Converts the inline content of a paragraph, heading or cell to spans. */
import type { ContentRef, Data, Inline, Leaf, Node } from "@lectern/document/Document"
import { joinLines } from "@lectern/document/EastAsian"
import { isRef } from "@lectern/document/DocumentRefs"
import * as DocumentText from "@lectern/document/DocumentText"
import { formulaInset } from "./Formulas.ts"
import { colors, backgrounds, inks, smallSize } from "./PageStyle.ts"
import { nameOf, outward, type Sheet, targetOf } from "./Sheet.ts"
import { pictureSpan, type Span, type Style, type Target } from "./Span.ts"
import { type InlineType, isInlineType } from "@lectern/document/vocabulary/InlineTypes"
import { isMarkType, type MarkType } from "@lectern/document/vocabulary/MarkTypes"

const text = (value: unknown): string => (typeof value === "string" ? value : "")

export const inlines = (nodes: ReadonlyArray<Node>, style: Style, sheet: Sheet): Array<Span> =>
  nodes.flatMap((node, index) =>
    node.object === "text"
      ? node.leaves.map((leaf, i) =>
          leafSpan(
            leaf,
            style,
            node.leaves[i - 1]?.text ?? adjacentText(leaf.text.startsWith("\n"), nodes[index - 1]),
            node.leaves[i + 1]?.text ?? adjacentText(leaf.text.endsWith("\n"), nodes[index + 1])
          )
        )
      : node.object === "inline"
        ? inline(node, style, sheet)
        : []
  )

/** Returns the text of a neighboring node if a line of the leaf ends at that node. */
const adjacentText = (isLineEnd: boolean, node: Node | undefined): string | undefined =>
  isLineEnd && node !== undefined ? DocumentText.inlinesText([node]) : undefined

/** Converts a leaf to a span. A line feed becomes a space, or nothing between Chinese or Japanese characters. */
const leafSpan = (
  { text: leafText, marks }: Leaf,
  style: Style,
  precedingText?: string,
  followingText?: string
): Span => ({
  text: joinLines(leafText, precedingText, followingText).replace(/[\n\r\t]+/g, " "),
  style: marks.reduce(marked, style)
})

const marked = (style: Style, { type, data }: Leaf["marks"][number]): Style =>
  isMarkType(type) ? { ...style, ...markStyles[type](style, data) } : style

/** Style changes that each mark makes. */
const markStyles: { readonly [_ in MarkType]: (style: Style, data: Data | undefined) => Partial<Style> } = {
  bold: () => ({ bold: true }),
  italic: () => ({ italic: true }),
  strikethrough: () => ({ strike: true }),
  underline: () => ({ underline: true }),
  code: ({ size }) => ({ mono: true, size: size * 0.9, background: colors.panel }),
  keyboard: ({ size }) => ({ mono: true, size: size * 0.85, background: colors.faint }),
  superscript: ({ size }) => ({ size: size * 0.7, baselineShift: 0.5 }),
  subscript: ({ size }) => ({ size: size * 0.7, baselineShift: -0.25 }),
  color: ({ color }, data) => {
    const background = backgrounds[text(data?.background)]
    return { color: inks[text(data?.text)] ?? color, ...(background !== undefined && { background }) }
  }
}

export const linked = (style: Style, link: Target | undefined): Style =>
  link === undefined ? style : { ...style, link, color: colors.link }

export const refOf = (data: Data | undefined): ContentRef | undefined => (isRef(data?.ref) ? data.ref : undefined)

type Spans = (node: Inline, style: Style, sheet: Sheet) => Array<Span>

const inline: Spans = (node, style, sheet) =>
  (isInlineType(node.type) ? setters[node.type] : unknown)(node, style, sheet)

const unknown: Spans = (node, style, sheet) => [...inlines(node.nodes ?? [], style, sheet), ...annotations(node, style)]

const button: Spans = ({ data }, style, sheet) => {
  const ref = refOf(data)
  const link = ref === undefined ? undefined : targetOf(ref, sheet)
  const isPrimary = data?.kind !== "secondary"
  const buttonStyle = isPrimary ? { color: "#ffffff", background: colors.link } : { background: colors.faint }
  // The spaces belong to the button, so that adjacent words keep their distance.
  const label = `\u00a0${text(data?.label)}\u00a0`
  return [{ text: label, style: { ...linked(style, link), ...buttonStyle, bold: true, size: style.size * 0.9 } }]
}

/** Conversion function of each inline type. */
const setters: { readonly [_ in InlineType]: Spans } = {
  link: ({ data, nodes = [] }, style, sheet) => {
    const ref = refOf(data)
    return inlines(nodes, linked(style, ref && targetOf(ref, sheet)), sheet)
  },
  mention: ({ data }, style, sheet) => {
    const ref = refOf(data)
    return ref === undefined ? [] : [{ text: nameOf(ref, sheet), style: linked(style, targetOf(ref, sheet)) }]
  },
  annotation: unknown,
  emoji: ({ data }, style) => [{ text: emojiOf(text(data?.code)), style }],
  icon: () => [],
  "inline-image": ({ data }, style, sheet) => [picture(refOf(data), data, style, sheet)],
  "inline-math": ({ data }, style, sheet) => [formulaSpan(text(data?.formula), false, style, sheet)],
  expression: ({ data }, style) => [
    { text: text(data?.expression), style: { ...style, mono: true, size: style.size * 0.9 } }
  ],
  button,
  "hard-break": (_, style) => [{ text: "\n", style }],
  "footnote-reference": ({ data }, style) => [
    { text: `[${text(data?.label)}]`, style: { ...style, size: style.size * 0.75, baselineShift: 0.4 } }
  ],
  // Raw HTML is parsed to other inlines before this step (see `HtmlNodes`).
  html: () => []
}

/** Returns the annotations of a text, in parentheses after the text. */
const annotations = ({ fragments = [] }: Inline, style: Style): Array<Span> =>
  fragments.map(({ nodes }) => ({
    text: ` (${nodes.map(DocumentText.plainText).join(" ").replace(/\s+/g, " ")})`,
    style: { ...style, size: Math.min(style.size, smallSize), color: colors.muted }
  }))

/** Returns a rendered formula, or its source if it is not valid TeX. */
export const formulaSpan = (tex: string, display: boolean, style: Style, { formulas, typesetter }: Sheet): Span => {
  const formula = formulas.get(tex, display)
  return formula === undefined
    ? { text: tex, style: { ...style, mono: true, size: style.size * 0.9 } }
    : { inset: formulaInset(tex, formula, style, typesetter), style }
}

/** Returns an image, or a note if the image cannot be displayed. */
const picture = (ref: ContentRef | undefined, data: Data | undefined, style: Style, sheet: Sheet): Span => {
  const file = ref?.kind === "file" ? sheet.files.get(ref.file) : undefined
  const alt = text(data?.alt)
  if (file?.image !== undefined) return pictureSpan(file.image, alt || file.name, style, 240, data?.size === "line")
  const name = file?.name ?? (ref === undefined ? "" : nameOf(ref, sheet))
  const link = ref?.kind === "url" ? outward(ref.url) : undefined
  const imageText = imageNote(alt, name, sheet, file?.problem)
  return { text: imageText, style: { ...linked(style, link), italic: true } }
}

export const imageNote = (alt: string, name: string, { words }: Pick<Sheet, "words">, problem?: string): string => {
  const description = [alt, name].filter((part) => part !== "").join(", ")
  return `[${words.paper.picture(problem === undefined ? description : `${description}: ${problem}`)}]`
}

/** Converts a GitBook emoji code, its code points in hexadecimal, to text. */
const emojiOf = (code: string): string =>
  /^[0-9a-f]{2,6}(?:-[0-9a-f]{2,6}){0,15}$/i.test(code)
    ? code
        .split("-")
        .map((part) => parseInt(part, 16))
        .map((codePoint) => (codePoint <= 0x10ffff ? String.fromCodePoint(codePoint) : ""))
        .join("")
    : `:${code}:`
