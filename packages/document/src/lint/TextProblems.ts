/**
 * Problems of Markdown that need no other file: tags that stay text, blocks without an end, skipped levels of headings.
 * They are the same as those of `lectern lint`, which has more rules for folders.
 */
import * as FrontMatterBlock from "../markdown/FrontMatterBlock.ts"
import { exceedsLimits } from "../markdown/OversizedText.ts"
import * as Syntax from "../markdown/Syntax.ts"
import * as BlockEndCheck from "./BlockEndCheck.ts"
import { lineAt, lineStarts, type TextFinding } from "./CheckedText.ts"
import * as HeadingCheck from "./HeadingCheck.ts"
import * as TagCheck from "./TagCheck.ts"

/** Returns the problems of a text in the order of their positions. A text that exceeds the limits has none. */
export const textProblems = (source: string): ReadonlyArray<TextFinding> => {
  const text = Syntax.normalizeText(source)
  const { body } = FrontMatterBlock.split(text)
  if (exceedsLimits(Syntax.trim(body))) return []
  const starts = lineStarts(text)
  const checked = {
    text,
    root: Syntax.parse(text, { from: text.length - body.length }),
    positionAt: (offset: number) => {
      const line = lineAt(starts, offset)
      return { line: line + 1, column: offset - starts[line]! + 1 }
    }
  }
  const found: Array<TextFinding> = []
  for (const { check } of [TagCheck, BlockEndCheck, HeadingCheck]) check(checked, (finding) => found.push(finding))
  return found.toSorted((a, b) => a.line - b.line || a.column - b.column)
}
