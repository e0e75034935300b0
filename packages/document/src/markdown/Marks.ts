/**
 * Set of marks that Markdown can express, as bits in nesting order, outermost first. `bold`, `italic` and
 * `strikethrough` have their own syntax, the next ones are HTML elements, and code is a leaf. The bits above these
 * store text and background colors.
 */
import type { Mark } from "../Document.ts"
import { type MarkType, markTypes } from "../vocabulary/MarkTypes.ts"
import * as Colors from "../vocabulary/Colors.ts"

/** Marks with an HTML element. */
const elementMarks = (Object.keys(markTypes) as Array<MarkType>).flatMap((type) => {
  const { element, syntax } = markTypes[type]
  return element === undefined ? [] : [{ type, element, syntax }]
})

export const markNames: ReadonlyArray<MarkType> = elementMarks.map(({ type }) => type)

const bitByName = new Map<string, number>(markNames.map((name, i) => [name, 1 << i]))

const bitOf = (type: MarkType): number => bitByName.get(type)!

export const bold = bitOf("bold")
export const italic = bitOf("italic")
export const strikethrough = bitOf("strikethrough")
export const code = bitOf("code")

/** Marks that are written as runs of `*`, `_` or `~`. */
export const emphasisBits = elementMarks.reduce(
  (set, { type, syntax }) => (syntax === "run" ? set | bitOf(type) : set),
  0
)

export const elementBits: ReadonlyArray<readonly [bit: number, tag: string]> = elementMarks.map(({ type, element }) => [
  bitOf(type),
  element
])

/** Bits by element name, including older names of some elements. */
export const bitByElement: ReadonlyMap<string, number> = new Map([
  ...elementBits.map(([bit, name]) => [name, bit] as const),
  ["b", bold],
  ["i", italic],
  ["s", strikethrough]
])

const colors: ReadonlyArray<string> = Colors.colors
const textShift = markNames.length
const backgroundShift = textShift + 4

/** Mask of the color bits. The value 0 stands for the page's default colors. */
export const colorMask = (15 << textShift) | (15 << backgroundShift)

export const isColor = (name: unknown): name is string => typeof name === "string" && colors.includes(name)

const colorTag = /^<mark style="\s*(?:color:\s*([$a-z]+)\s*;?)?\s*(?:background-color:\s*([$a-z]+)\s*;?)?\s*">$/

/** Returns the colors of an opening tag `<mark style="…">`; 0 for other tags and unknown colors. */
export const parseColorTag = (html: string): number => {
  const match = colorTag.exec(html)
  if (match === null) return 0
  const text = colors.indexOf(match[1] ?? "default")
  const background = colors.indexOf(match[2] ?? "default")
  return text < 0 || background < 0 ? 0 : (text << textShift) | (background << backgroundShift)
}

/** True if HTML is an opening or closing `<mark>` tag, with any attributes. */
export const isMarkTag = (html: string): boolean => /^<\/?mark[\s>]/.test(html)

export const printColorTag = (set: number): string => {
  const text = (set >> textShift) & 15
  const background = (set >> backgroundShift) & 15
  const styles = [
    ...(text === 0 ? [] : [`color:${colors[text]};`]),
    ...(background === 0 ? [] : [`background-color:${colors[background]};`])
  ]
  return `<mark style="${styles.join("")}">`
}

/** Returns the marks that both sets contain. */
export const sharedBits = (a: number, b: number): number =>
  (a & b & ~colorMask) | ((a & colorMask) === (b & colorMask) ? a & colorMask : 0)

const marksByBits = new Map<number, ReadonlyArray<Mark>>()

/** Returns the marks of a set. Returns the same list for equal sets. */
export const fromBits = (set: number): ReadonlyArray<Mark> => {
  let list = marksByBits.get(set)
  if (list === undefined) {
    const marks: Array<Mark> = markNames
      .filter((_, i) => (set & (1 << i)) !== 0)
      .map((type) => ({ object: "mark" as const, type }))
    if ((set & colorMask) !== 0) {
      const text = colors[(set >> textShift) & 15]
      const background = colors[(set >> backgroundShift) & 15]
      marks.push({ object: "mark", type: "color", data: { text, background } })
    }
    marksByBits.set(set, (list = marks))
  }
  return list
}

/** Returns the set of a leaf's marks. Marks that Markdown cannot express are omitted. */
export const toBits = (marks: ReadonlyArray<Mark>): number => {
  let set = 0
  for (const mark of marks) {
    if (mark.type !== "color") set |= bitByName.get(mark.type) ?? 0
    else {
      const text = colors.indexOf(String(mark.data?.text))
      const background = colors.indexOf(String(mark.data?.background))
      set |= (Math.max(text, 0) << textShift) | (Math.max(background, 0) << backgroundShift)
    }
  }
  return set
}
