/** Visits the nodes of a syntax tree of Markdown. */
import type { Block, Inline, Root } from "../markdown/syntax/SyntaxTree.ts"

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
