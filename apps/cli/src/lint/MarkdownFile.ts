/** A Markdown file as rules read it: its text, its syntax tree, and the positions of its parts. */
import * as FrontMatterBlock from "@lectern/document/markdown/FrontMatterBlock"
import { exceedsLimits } from "@lectern/document/markdown/OversizedText"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Block, Inline, Root } from "@lectern/document/markdown/syntax/SyntaxTree"

/** Line and column, from 1. */
export interface Position {
  readonly line: number
  readonly column: number
}

export interface MarkdownFile {
  readonly path: string
  /** Text with line feeds, as `Syntax.normalizeText` returns it. Each line has the columns of the file. */
  readonly text: string
  readonly lines: ReadonlyArray<string>
  /** The YAML between the lines `---`. Its first line is line 2 of the file. */
  readonly frontMatter: string | undefined
  readonly root: Root
  readonly positionAt: (offset: number) => Position
}

const decoder = new TextDecoder()

export const parse = (path: string, bytes: Uint8Array): MarkdownFile => {
  const text = Syntax.normalizeText(decoder.decode(bytes))
  const { body, frontMatter } = FrontMatterBlock.split(text)
  const from = text.length - body.length
  let starts: Array<number> | undefined
  return {
    path,
    text,
    lines: text.split("\n"),
    frontMatter,
    // An import does not parse such a text either.
    root: exceedsLimits(Syntax.trim(body))
      ? { type: "root", from, to: text.length, children: [] }
      : Syntax.parse(text, { from }),
    positionAt: (offset) => {
      starts ??= lineStarts(text)
      const line = lineAt(starts, offset)
      return { line: line + 1, column: offset - starts[line]! + 1 }
    }
  }
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
