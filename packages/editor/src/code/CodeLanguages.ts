/**
 * Tokens of code for highlighting. Loaded late, and each language when a block first has it. Languages have the names
 * and aliases of CodeMirror, such as `typescript`, `ts` and `shell`.
 */
import { LanguageDescription } from "@codemirror/language"
import { languages } from "@codemirror/language-data"
import { classHighlighter, highlightTree } from "@lezer/highlight"

/** A token of a text. `classes`: classes of its kind, such as `tok-keyword`. */
export interface CodeToken {
  readonly from: number
  readonly to: number
  readonly classes: string
}

/** Returns the tokens of a text; undefined if its language is unknown. */
export const tokensOf = async (text: string, syntax: string): Promise<ReadonlyArray<CodeToken> | undefined> => {
  const { language } = (await LanguageDescription.matchLanguageName(languages, syntax)?.load()) ?? {}
  if (language === undefined) return undefined
  const tokens: Array<CodeToken> = []
  highlightTree(language.parser.parse(text), classHighlighter, (from, to, classes) =>
    tokens.push({ from, to, classes })
  )
  return tokens
}
