/** The syntax of an emoji in text, `:rocket:`, as an extension of micromark: of names that are known. */
import type { Extension as FromMarkdownExtension } from "mdast-util-from-markdown"
import { asciiAlphanumeric } from "micromark-util-character"
import type { Construct, Extension, State } from "micromark-util-types"
import * as Emoji from "./Emoji.ts"

export interface EmojiNode {
  type: "emoji"
  /** The code of it, as `Emoji` has it. */
  value: string
  /** The name by which it was written. */
  name?: string
}

declare module "mdast" {
  interface PhrasingContentMap {
    emoji: EmojiNode
  }
  interface RootContentMap {
    emoji: EmojiNode
  }
}

declare module "micromark-util-types" {
  interface TokenTypeMap {
    emoji: "emoji"
  }
}

const colon = 58
const plus = 43
const hyphen = 45
const underscore = 95
const maxLength = 64

const emoji: Construct = {
  name: "emoji",
  previous: (code) => !asciiAlphanumeric(code),
  tokenize(effects, ok, nok) {
    let name = ""
    const previous = this.previous
    const start: State = (code) => {
      if (asciiAlphanumeric(previous)) return nok(code)
      effects.enter("emoji")
      effects.consume(code)
      return inside
    }
    const inside: State = (code) => {
      if (code === colon) {
        if (Emoji.codeOfName(name) === undefined) return nok(code)
        effects.consume(code)
        effects.exit("emoji")
        return ok
      }
      const isName = asciiAlphanumeric(code) || code === underscore || code === plus || code === hyphen
      if (code === null || !isName || name.length >= maxLength) return nok(code)
      name += String.fromCharCode(code)
      effects.consume(code)
      return inside
    }
    return start
  }
}

export const syntax: Extension = { text: { [colon]: emoji } }

export const fromMarkdown: FromMarkdownExtension = {
  enter: {
    emoji(token) {
      const name = this.sliceSerialize(token).slice(1, -1)
      const node: EmojiNode = { type: "emoji", value: Emoji.codeOfName(name)!, name }
      this.enter(node, token)
    }
  },
  exit: {
    emoji(token) {
      this.exit(token)
    }
  }
}
