/**
 * The syntax of a line that is a `{% … %}` tag, as an extension of micromark. It is a construct of
 * the flow, so lists and quotes may hold it, it ends a paragraph, and code keeps it as text. A value
 * in double quotes goes on over the ends of lines, unless the tag would end a
 * paragraph, or a list or quote begins there.
 */
import type { Extension as FromMarkdownExtension } from "mdast-util-from-markdown"
import { markdownLineEnding, markdownSpace } from "micromark-util-character"
import type { Construct, Extension, State } from "micromark-util-types"
import { nextLine } from "./NextLine.ts"
import { whileScansSucceed } from "./SyntaxLimits.ts"
import { maxLength } from "./TagLine.ts"

/** A tag line as it is written. */
export interface TagNode {
  type: "tag"
  value: string
}

declare module "mdast" {
  interface RootContentMap {
    tag: TagNode
  }
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    tagLine: "tagLine"
    tagLineText: "tagLineText"
  }
}

const backslash = 92
const equals = 61
const braceOpen = 123
const braceClose = 125
const percent = 37
const quoteDouble = 34
const quoteSingle = 39

const tagLine: Construct = {
  name: "tagLine",
  tokenize(effects, ok, nok) {
    const mayContinue = () => this.interrupt !== true
    let length = 0
    let quote: number | undefined
    let isValue = false

    const open: State = (code) => {
      effects.enter("tagLine")
      effects.enter("tagLineText")
      effects.consume(code)
      return openPercent
    }
    const openPercent: State = (code) => {
      if (code !== percent) return nok(code)
      effects.consume(code)
      return inside
    }
    const inside: State = (code) => {
      if (code === null || ++length > maxLength) return nok(code)
      if (markdownLineEnding(code)) {
        if (quote !== quoteDouble || !isValue || !mayContinue()) return nok(code)
        effects.exit("tagLineText")
        return effects.attempt(nextLine, lineStart, nok)(code)
      }
      effects.consume(code)
      if (quote !== undefined) {
        if (code === backslash) return escaped
        if (code === quote) quote = undefined
        return inside
      }
      if (code === quoteDouble || code === quoteSingle) quote = code
      else if (!markdownSpace(code)) isValue = code === equals
      return code === percent ? afterPercent : inside
    }
    // An empty line gives no text, and a token may not be empty.
    const lineStart: State = (code) => {
      if (code === null || ++length > maxLength) return nok(code)
      if (markdownLineEnding(code)) return effects.attempt(nextLine, lineStart, nok)(code)
      effects.enter("tagLineText")
      return inside(code)
    }
    const escaped: State = (code) => {
      if (code === null || markdownLineEnding(code)) return inside(code)
      effects.consume(code)
      return inside
    }
    const afterPercent: State = (code) => {
      if (code !== braceClose) return inside(code)
      effects.consume(code)
      return after
    }
    const after: State = (code) => {
      if (code === null || markdownLineEnding(code)) {
        effects.exit("tagLineText")
        effects.exit("tagLine")
        return ok(code)
      }
      if (!markdownSpace(code)) return nok(code)
      effects.consume(code)
      return after
    }
    return open
  }
}

export const syntax: Extension = { flow: { [braceOpen]: whileScansSucceed(tagLine) } }

export const fromMarkdown: FromMarkdownExtension = {
  enter: {
    tagLine(token) {
      const node: TagNode = { type: "tag", value: this.sliceSerialize(token).trimEnd() }
      this.enter(node, token)
    }
  },
  exit: {
    tagLine(token) {
      this.exit(token)
    }
  }
}
