/**
 * The syntax of formulas as an extension of micromark: a block between two lines `$$`, and within
 * text `$$a$$` or `$a$`. A single `$` opens a formula where no letter or digit stands before it and
 * no space after it, and closes one the other way round, so prices and variables are text.
 */
import type { Extension as FromMarkdownExtension } from "mdast-util-from-markdown"
import {
  asciiAlphanumeric,
  markdownLineEnding,
  markdownLineEndingOrSpace,
  markdownSpace
} from "micromark-util-character"
import type { Code, Construct, Extension, State } from "micromark-util-types"
import { nextLine } from "./NextLine.ts"
import { whileScansSucceed } from "./SyntaxLimits.ts"

/** A formula on lines of its own. */
export interface MathNode {
  type: "math"
  value: string
}
export interface InlineMathNode {
  type: "inlineMath"
  value: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    inlineMath: InlineMathNode
  }
  interface RootContentMap {
    math: MathNode
    inlineMath: InlineMathNode
  }
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    math: "math"
    mathFence: "mathFence"
    mathLine: "mathLine"
    inlineMath: "inlineMath"
    inlineMathText: "inlineMathText"
  }
}

const dollar = 36
const backslash = 92

const inlineMath: Construct = {
  name: "inlineMath",
  tokenize(effects, ok, nok) {
    const before = this.previous
    let isDouble = false
    let isEmpty = true
    let last: Code = null

    const start: State = (code) => {
      if (before === dollar) return nok(code)
      effects.enter("inlineMath")
      effects.enter("inlineMathText")
      effects.consume(code)
      return afterFirst
    }
    const afterFirst: State = (code) => {
      if (code !== dollar) {
        if (asciiAlphanumeric(before) || markdownLineEndingOrSpace(code)) return nok(code)
        return inside(code)
      }
      isDouble = true
      effects.consume(code)
      return (next) => (next === dollar ? nok(next) : inside(next))
    }
    const inside: State = (code) => {
      if (code === null) return nok(code)
      if (markdownLineEnding(code)) {
        if (!isDouble) return nok(code)
        effects.exit("inlineMathText")
        return lineEnding(code)
      }
      effects.consume(code)
      if (code === dollar) {
        if (isEmpty) return nok
        if (isDouble) return afterClosing
        return markdownLineEndingOrSpace(last) ? nok : atEnd
      }
      if (!markdownSpace(code)) isEmpty = false
      last = code
      return code === backslash ? escaped : inside
    }
    // A line may be empty of anything but its end only where a paragraph ends, so it has text.
    const lineEnding: State = (code) => {
      effects.enter("lineEnding")
      effects.consume(code)
      effects.exit("lineEnding")
      return (next) => {
        if (next === null || markdownLineEnding(next)) return nok(next)
        effects.enter("inlineMathText")
        return inside(next)
      }
    }
    const escaped: State = (code) => {
      if (code === null || markdownLineEnding(code)) return inside(code)
      last = code
      effects.consume(code)
      return inside
    }
    const afterClosing: State = (code) => {
      if (code !== dollar) return nok(code)
      effects.consume(code)
      return (next) => (next === dollar ? nok(next) : done(next))
    }
    const atEnd: State = (code) => (code === dollar || asciiAlphanumeric(code) ? nok(code) : done(code))
    const done: State = (code) => {
      effects.exit("inlineMathText")
      effects.exit("inlineMath")
      return ok(code)
    }
    return start
  }
}

/** A line `$$`: the end of a block. */
const fence: Construct = {
  partial: true,
  tokenize(effects, ok, nok) {
    let dollars = 0
    const start: State = (code) => {
      effects.enter("mathFence")
      return inside(code)
    }
    const inside: State = (code) => {
      if (code === null || markdownLineEnding(code)) {
        if (dollars !== 2) return nok(code)
        effects.exit("mathFence")
        return ok(code)
      }
      if (code === dollar) dollars++
      else if (!markdownSpace(code)) return nok(code)
      else if (dollars === 1) return nok(code)
      effects.consume(code)
      return inside
    }
    return start
  }
}

/** Without its end it goes on to that of what it stands in, as fenced code does. */
const math: Construct = {
  name: "math",
  concrete: true,
  tokenize(effects, ok, nok) {
    const isInterrupting = this.interrupt === true
    const done: State = (code) => {
      effects.exit("math")
      return ok(code)
    }
    const lineEnd: State = (code) => (code === null ? done(code) : effects.attempt(nextLine, lineStart, done)(code))
    const lineStart: State = (code) => (code === null ? done(code) : effects.attempt(fence, done, line)(code))
    const line: State = (code) => {
      if (markdownLineEnding(code)) return lineEnd(code)
      effects.enter("mathLine")
      return inside(code)
    }
    const inside: State = (code) => {
      if (code !== null && !markdownLineEnding(code)) {
        effects.consume(code)
        return inside
      }
      effects.exit("mathLine")
      return lineEnd(code)
    }
    return (code) => {
      if (isInterrupting) return nok(code)
      effects.enter("math")
      return effects.attempt(fence, lineEnd, nok)(code)
    }
  }
}

const inlineSyntax = whileScansSucceed(inlineMath)

/** `text` as it is parsed: its lines end with a line feed alone. */
export const syntaxOf = (text: string): Extension => {
  if (!text.includes("$")) return {}
  const lines = openingLines(text)
  const inline: Extension = { text: { [dollar]: inlineSyntax } }
  if (lines.size === 0) return inline
  const flow: Construct = {
    ...math,
    tokenize(effects, ok, nok) {
      return lines.has(this.now().line) ? math.tokenize.call(this, effects, ok, nok) : nok
    }
  }
  return { ...inline, flow: { [dollar]: flow } }
}

/**
 * The lines, counted from 1, that a block could begin on: of those that end with `$$` all but the
 * last, which has no end. So a `$$` that stands alone takes nothing of what follows.
 */
const openingLines = (text: string): ReadonlySet<number> => {
  const lines: Array<number> = []
  if (!text.includes("$$")) return new Set()
  for (let start = 0, line = 1; start <= text.length; line++) {
    const next = text.indexOf("\n", start)
    const end = next === -1 ? text.length : next
    if (isFence(text, start, end)) lines.push(line)
    start = end + 1
  }
  return new Set(lines.slice(0, -1))
}

const isFence = (text: string, start: number, end: number): boolean => {
  let last = end - 1
  while (last >= start && (text.charCodeAt(last) === 32 || text.charCodeAt(last) === 9)) last--
  return last > start && text.charCodeAt(last) === dollar && text.charCodeAt(last - 1) === dollar
}

const blank = /^[ \t]+$/gm

export const fromMarkdown: FromMarkdownExtension = {
  enter: {
    math(token) {
      const lines = this.sliceSerialize(token).replace(blank, "").split("\n")
      const isClosed = lines.length > 1 && lines.at(-1)!.trim() === "$$"
      const node: MathNode = { type: "math", value: lines.slice(1, isClosed ? -1 : undefined).join("\n") }
      this.enter(node, token)
    },
    inlineMath(token) {
      const source = this.sliceSerialize(token)
      const size = source.startsWith("$$") ? 2 : 1
      const node: InlineMathNode = {
        type: "inlineMath",
        value: source
          .slice(size, -size)
          .replace(/(?:(?<![ \t])[ \t]+)?\n[ \t]*/g, " ")
          .replace(/^\s+|(?:(?<![\s\\])|(?<=\\\s))\s+$/g, "")
      }
      this.enter(node, token)
    }
  },
  exit: {
    math(token) {
      this.exit(token)
    },
    inlineMath(token) {
      this.exit(token)
    }
  }
}

/** Stands in for what is between two parts of a text. */
export const gap = "\uE000"

/** Whether text could hold a formula; its parts are joined by `gap`. */
export const isLikely = (text: string): boolean => {
  if (/\$\uE000*\$/.test(text)) return true
  const first = text.search(/(?<![a-zA-Z0-9$])\$(?![\s$])/)
  if (first === -1) return false
  closing.lastIndex = first + 1
  return closing.test(text)
}

const closing = /(?<![\s$])\$(?![a-zA-Z0-9])/g
