/**
 * A Markdown file as rules read it: its text, its syntax tree, and the positions of its parts. Components and shortcodes
 * are converted, and positions are those in the file.
 */
import * as Conversion from "@lectern/document/markdown/elements/Conversion"
import * as FrontMatterBlock from "@lectern/document/markdown/FrontMatterBlock"
import { exceedsLimits } from "@lectern/document/markdown/OversizedText"
import * as Syntax from "@lectern/document/markdown/Syntax"
import { type CheckedText, lineAt, lineStarts, type Position } from "@lectern/document/lint/CheckedText"
import * as FolderPath from "@lectern/exchange/import/FolderPath"

export interface MarkdownFile extends CheckedText {
  readonly path: string
  /** Lines of the file. Columns of problems count in these lines. */
  readonly lines: ReadonlyArray<string>
  /** Returns true if a line of the file is in the text without changes, so that a fix can change it. */
  readonly isFixable: (line: number) => boolean
  /** The YAML between the lines `---`. Its first line is line 2 of the file. */
  readonly frontMatter: string | undefined
}

const decoder = new TextDecoder()

export const parse = (path: string, bytes: Uint8Array): MarkdownFile => {
  const source = Syntax.normalizeText(decoder.decode(bytes))
  const conversion = Conversion.convert(source, { isMdx: FolderPath.isMdx(path), resolve: () => undefined })
  const text = conversion?.text ?? source
  const sourceLines = source.split("\n")
  const { body, frontMatter } = FrontMatterBlock.split(text)
  const from = text.length - body.length
  let starts: Array<number> | undefined
  return {
    path,
    text,
    lines: sourceLines,
    isFixable: (line) =>
      conversion === undefined ||
      conversion.lines.some(({ from, text }) => from === line - 1 && text === sourceLines[from]),
    frontMatter,
    // An import does not parse such a text either.
    root: exceedsLimits(Syntax.trim(body))
      ? { type: "root", from, to: text.length, children: [] }
      : Syntax.parse(text, { from }),
    positionAt: (offset) => {
      starts ??= lineStarts(text)
      const line = lineAt(starts, offset)
      const column = offset - starts[line]!
      return conversion === undefined
        ? { line: line + 1, column: column + 1 }
        : sourcePosition(conversion.lines[line], column, sourceLines)
    }
  }
}

/** Returns the position in the file of a column in a converted line. In a changed line, it is the start of its text. */
const sourcePosition = (
  line: Conversion.Conversion["lines"][number] | undefined,
  column: number,
  sourceLines: ReadonlyArray<string>
): Position => {
  if (line === undefined) return { line: sourceLines.length, column: 1 }
  const source = sourceLines[line.from] ?? ""
  const text = line.text.trimStart()
  const indent = line.text.length - text.length
  const index = source.indexOf(text)
  const start = source.length - source.trimStart().length
  return { line: line.from + 1, column: 1 + (index === -1 ? start : index + Math.max(0, column - indent)) }
}
