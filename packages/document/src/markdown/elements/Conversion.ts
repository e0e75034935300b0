/**
 * Converts the text of a file with the elements of other programs to Lectern's Markdown, with a line for each line that
 * comes from the file: components and expressions of MDX, shortcodes, and links in double brackets. No code is run.
 *
 * A conversion, and not the parser, reads these elements: they have rules of their own for indentation and for
 * braces, which no other Markdown has.
 *
 * Statements, expressions and unknown tags become comments (see `HiddenSource`). The time depends only on the length
 * of the text.
 */
import type { ContentRef } from "../../Document.ts"
import * as FrontMatterBlock from "../FrontMatterBlock.ts"
import { exceedsLimits } from "../OversizedText.ts"
import * as Syntax from "../Syntax.ts"
import type { ConvertedLine } from "./ConvertedLines.ts"
import { ElementOutput } from "./ElementOutput.ts"
import { ElementScanner } from "./ElementScanner.ts"
import * as ElementTree from "./ElementTree.ts"
import { Indentation } from "./Indentation.ts"

export interface Conversion {
  readonly text: string
  readonly lines: ReadonlyArray<ConvertedLine>
}

export interface ConvertOptions {
  /** True for MDX. */
  readonly isMdx: boolean
  /** Returns the reference for a URL; undefined if it has no target in the folder. */
  readonly resolve: (url: string) => ContentRef | undefined
}

/** Returns the conversion of a text without elements. */
export const unconverted = (file: string): Conversion => {
  const text = Syntax.normalizeText(file)
  const lines = text.split("\n")
  if (text.endsWith("\n")) lines.pop()
  return { text, lines: lines.map((line, from) => ({ text: line, from, to: from + 1 })) }
}

/** Matches every text of Markdown with an element, and few others. */
const candidate = /^[ \t>\-*+\d.)]*(?:<[A-Z]|:{3,}[ \t]*[a-z]+-)|\{\{[<%]|\[\[|^import[ \t]/m

/** Returns the converted text; undefined if it equals the text, or if it is too large for a page. */
export const convert = (file: string, { isMdx, resolve }: ConvertOptions): Conversion | undefined => {
  if (!isMdx && !candidate.test(file)) return undefined
  const text = Syntax.normalizeText(file)
  if (exceedsLimits(text)) return undefined
  const { body } = FrontMatterBlock.split(text)
  const bodyStart = text.length - body.length
  const sourceLines = text.split("\n")
  const head = text.slice(0, bodyStart).split("\n").slice(0, -1)
  const scanner = new ElementScanner(text, bodyStart, head.length, {
    isMdx,
    resolves: (url) => resolve(url) !== undefined
  })
  const nodes = ElementTree.build(scanner.scan())
  const output = new ElementOutput({
    sourceLines,
    includeOf: (name) => {
      const path = scanner.imports.get(name)?.replace(/^@site\//, "/")
      const isMarkdown = path !== undefined && /^\.{0,2}\/.*\.mdx?$/.test(path)
      return isMarkdown && resolve(path)?.kind === "reusable-content" ? path : undefined
    }
  })
  for (const [line, lineText] of head.entries()) output.push(lineText, { from: line, to: line + 1 })
  output.write(nodes, new Indentation("", 0, !isMdx))
  const end = text.endsWith("\n") ? "\n" : ""
  const converted = output.lines.map((line) => line.text).join("\n") + end
  return converted === text ? undefined : { text: converted, lines: output.lines }
}
