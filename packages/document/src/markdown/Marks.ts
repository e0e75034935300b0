/**
 * Set of marks that Markdown can express, as bits in nesting order, outermost first. `bold`, `italic` and
 * `strikethrough` have their own syntax, the next ones are HTML elements, and code is a leaf. The bits above these
 * store text and background colors.
 */
import type { Mark } from "../Document.ts"
import { type MarkType, markTypes } from "../vocabulary/MarkTypes.ts"
import * as Colors from "../vocabulary/Colors.ts"

/** Marks with an HTML element. */
const named = (Object.keys(markTypes) as Array<MarkType>).flatMap((type) => {
  const { element, syntax } = markTypes[type]
  return element === undefined ? [] : [{ type, element, syntax }]
})

export const names: ReadonlyArray<MarkType> = named.map(({ type }) => type)

const bits = new Map<string, number>(names.map((name, i) => [name, 1 << i]))

const bitOf = (type: MarkType): number => bits.get(type)!

export const bold = bitOf("bold")
export const italic = bitOf("italic")
export const strikethrough = bitOf("strikethrough")
export const code = bitOf("code")

/** Marks that are written as runs of `*`, `_` or `~`. */
export const attention = named.reduce((set, { type, syntax }) => (syntax === "run" ? set | bitOf(type) : set), 0)

export const elements: ReadonlyArray<readonly [bit: number, tag: string]> = named.map(({ type, element }) => [
  bitOf(type),
  element
])

/** Bits by element name, including older names of some elements. */
export const bitOfElement: ReadonlyMap<string, number> = new Map([
  ...elements.map(([bit, name]) => [name, bit] as const),
  ["b", bold],
  ["i", italic],
  ["s", strikethrough]
])

const colors: ReadonlyArray<string> = Colors.colors
const textShift = names.length
const backgroundShift = textShift + 4

/** Mask of the color bits. The value 0 stands for the page's default colors. */
export const color = (15 << textShift) | (15 << backgroundShift)

export const isColor = (name: unknown): name is string => typeof name === "string" && colors.includes(name)

const markOf = /^<mark style="\s*(?:color:\s*([$a-z]+)\s*;?)?\s*(?:background-color:\s*([$a-z]+)\s*;?)?\s*">$/

/** Returns the colors of an opening tag `<mark style="…">`; 0 for other tags and unknown colors. */
export const colorOfTag = (html: string): number => {
  const found = markOf.exec(html)
  if (found === null) return 0
  const text = colors.indexOf(found[1] ?? "default")
  const background = colors.indexOf(found[2] ?? "default")
  return text < 0 || background < 0 ? 0 : (text << textShift) | (background << backgroundShift)
}

/** True if HTML is an opening or closing `<mark>` tag, with any attributes. */
export const isTagOfMark = (html: string): boolean => /^<\/?mark[\s>]/.test(html)

export const tagOfColor = (set: number): string => {
  const text = (set >> textShift) & 15
  const background = (set >> backgroundShift) & 15
  const styles = [
    ...(text === 0 ? [] : [`color:${colors[text]};`]),
    ...(background === 0 ? [] : [`background-color:${colors[background]};`])
  ]
  return `<mark style="${styles.join("")}">`
}

/** Returns the marks that both sets contain. */
export const shared = (a: number, b: number): number => (a & b & ~color) | ((a & color) === (b & color) ? a & color : 0)

const lists = new Map<number, ReadonlyArray<Mark>>()

/** Returns the marks of a set. Returns the same list for equal sets. */
export const ofBits = (set: number): ReadonlyArray<Mark> => {
  let list = lists.get(set)
  if (list === undefined) {
    const marks: Array<Mark> = names
      .filter((_, i) => (set & (1 << i)) !== 0)
      .map((type) => ({ object: "mark" as const, type }))
    if ((set & color) !== 0) {
      const text = colors[(set >> textShift) & 15]
      const background = colors[(set >> backgroundShift) & 15]
      marks.push({ object: "mark", type: "color", data: { text, background } })
    }
    lists.set(set, (list = marks))
  }
  return list
}

/** Returns the set of a leaf's marks. Marks that Markdown cannot express are omitted. */
export const toBits = (marks: ReadonlyArray<Mark>): number => {
  let set = 0
  for (const mark of marks) {
    if (mark.type !== "color") set |= bits.get(mark.type) ?? 0
    else {
      const text = colors.indexOf(String(mark.data?.text))
      const background = colors.indexOf(String(mark.data?.background))
      set |= (Math.max(text, 0) << textShift) | (Math.max(background, 0) << backgroundShift)
    }
  }
  return set
}
