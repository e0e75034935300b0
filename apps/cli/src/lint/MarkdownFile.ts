/**
 * A Markdown file as rules read it: its text, its syntax tree, and the positions of its parts. Components and shortcodes
 * are converted, and positions are those in the file.
 */
import * as Conversion from "@lectern/document/markdown/elements/Conversion"
import * as FrontMatterBlock from "@lectern/document/markdown/FrontMatterBlock"
import { exceedsLimits } from "@lectern/document/markdown/OversizedText"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Block, Inline, Root } from "@lectern/document/markdown/syntax/SyntaxTree"
import * as FolderPath from "@lectern/exchange/import/FolderPath"

/** Line and column, from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface MarkdownFile {
  readonly path: string
  /** Text with line feeds, which the syntax tree refers to. */
  readonly text: string
  /** Lines of the file. Columns of problems count in these lines. */
  readonly lines: ReadonlyArray<string>
  /** Returns true if a line of the file is in the text without changes, so that a fix can change it. */
  readonly isFixable: (line: number) => boolean
  /** The YAML between the lines `---`. Its first line is line 2 of the file. */
  readonly frontMatter: string | undefined
  readonly root: Root
  readonly positionAt: (offset: number) => Position
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

const lineStarts = (text: string): Array<number> => {
  const starts = [0]
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) starts.push(at + 1)
  return starts
}

/** Returns the index of the last start that is not after the offset. */
const lineAt = (starts: ReadonlyArray<number>, offset: number): number => {
  let low = 0
  let high = starts.length - 1
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (starts[middle]! <= offset) low = middle
    else high = middle - 1
  }
  return low
}

interface Visitor {
  /** Called with each list of blocks. */
  readonly blocks?: (blocks: ReadonlyArray<Block>) => void
  readonly block?: (block: Block) => void
  /** Called with each list of inlines, of a block or of another inline. */
  readonly inlines?: (inlines: ReadonlyArray<Inline>) => void
}

type Visitable = Root | Block | Inline | { readonly type: string; readonly children: ReadonlyArray<Visitable> }

const blockTypes = new Set(["root", "blockquote", "listItem", "footnoteDefinition", "admonition", "tab"])
const structureTypes = new Set(["list", "tabs", "table", "tableRow"])

/** Visits all nodes of a syntax tree, in the order of the text. */
export const visit = (root: Root, { block, blocks, inlines }: Visitor): void => {
  const pending: Array<Visitable> = [root]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    if (!("children" in node)) continue
    const { children, type } = node
    if (blockTypes.has(type)) {
      blocks?.(children as ReadonlyArray<Block>)
      if (block !== undefined) for (const child of children) block(child as Block)
    } else if (!structureTypes.has(type)) inlines?.(children as ReadonlyArray<Inline>)
    for (let i = children.length - 1; i >= 0; i--) pending.push(children[i]!)
  }
}
