/**
 * GitHub: emoji by their names, formulas within a line, and alerts, which are blockquotes that start with `[!NOTE]`. The
 * `caution` of GitHub is more severe than the `caution` of other programs.
 */
import * as Emoji from "../Emoji.ts"
import { isAlphanumeric } from "../syntax/Characters.ts"
import { formulaContent, InlineMath } from "../syntax/InlineMath.ts"
import type { Dialect, InlineSyntax } from "./Dialect.ts"
import { stylesByName } from "./HintStyles.ts"

const emojiPattern = /:([a-z0-9_+-]{1,64}):/y

const emoji: InlineSyntax = {
  starts: ":",
  createReader: (text, rangeOf) => (at) => {
    if (at > 0 && isAlphanumeric(text.charCodeAt(at - 1))) return undefined
    emojiPattern.lastIndex = at
    const name = emojiPattern.exec(text)?.[1]
    const value = name === undefined ? undefined : Emoji.codeOfName(name)
    if (name === undefined || value === undefined) return undefined
    const end = at + name.length + 2
    return { inline: { type: "emoji", ...rangeOf(at, end), value, name }, end }
  }
}

const formula: InlineSyntax = {
  starts: "$",
  createReader: (text, rangeOf) => {
    const math = new InlineMath(text)
    return (at) => {
      const end = math.formulaEnd(at)
      if (end === -1) return undefined
      return { inline: { type: "inlineMath", ...rangeOf(at, end), value: formulaContent(text.slice(at, end)) }, end }
    }
  }
}

export const gitHub: Dialect = {
  names: ["github"],
  inlines: [emoji, formula],
  quoteStyles: stylesByName({ info: "note important", success: "tip", warning: "warning", danger: "caution" })
}
