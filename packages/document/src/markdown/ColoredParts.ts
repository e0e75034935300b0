/**
 * Finds the parts of a text that a tag `<mark style="…">` and the next `</mark>` color. The tags may be at any depth of
 * emphasis. A part contains no other such tag. A part without text is ignored, since nothing in it could store the
 * color. The text of a link is separate.
 */
import * as Marks from "./Marks.ts"
import type * as Tree from "./syntax/SyntaxTree.ts"

type Nodes = ReadonlyArray<Tree.Inline>

export interface ColoredPart {
  readonly color: number
  readonly end: Tree.Inline
  /** True if only the opening tag is on the first line of the part. */
  readonly isTagAlone: boolean
}

/** Nodes up to the index `end` whose text in the document differs from their own. */
export interface SpecialNodes {
  readonly end: number
  readonly hasText: boolean
}

export type FindSpecial = (nodes: Nodes, i: number) => SpecialNodes | undefined

/** Returns the parts by their opening tags. */
export const findColoredParts = (nodes: Nodes, findSpecial: FindSpecial): ReadonlyMap<Tree.Inline, ColoredPart> => {
  const parts = new Map<Tree.Inline, ColoredPart>()
  let open: { readonly tag: Tree.Html; readonly color: number; readonly content: PartContent } | undefined
  visitNodes(nodes, (siblings, i) => {
    const node = siblings[i]!
    if (node.type !== "html" || !Marks.isMarkTag(node.value)) return open?.content.add(siblings, i) ?? i
    if (open?.content.hasText === true && node.value === "</mark>") {
      const { color, content, tag } = open
      parts.set(tag, { color, end: node, isTagAlone: content.startsWithLineEnd })
    }
    const color = Marks.parseColorTag(node.value)
    open = color === 0 ? undefined : { tag: node, color, content: new PartContent(findSpecial) }
    return i
  })
  return parts
}

/** True if the nodes have text in the document. */
export const hasText = (nodes: Nodes, findSpecial: FindSpecial): boolean => {
  const content = new PartContent(findSpecial)
  visitNodes(nodes, (siblings, i) => content.add(siblings, i))
  return content.hasText
}

/**
 * Visits nodes in text order. `visit` returns the index of the last node that it consumed. Recursion is bounded:
 * emphasis nests at most 100 deep.
 */
const visitNodes = (nodes: Nodes, visit: (nodes: Nodes, i: number) => number): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node.type === "strong" || node.type === "emphasis" || node.type === "delete") visitNodes(node.children, visit)
    else i = visit(nodes, i)
  }
}

class PartContent {
  readonly findSpecial: FindSpecial
  #first: Tree.Inline | undefined
  #hasText = false
  /**
   * `#isInCode`: true within `<code>`, in which an emoji name is text. `#hasEmojiName`: true if the code contains such a
   * name.
   */
  #isInCode = false
  #hasEmojiName = false

  constructor(findSpecial: FindSpecial) {
    this.findSpecial = findSpecial
  }

  get hasText(): boolean {
    return this.#hasText
  }

  get startsWithLineEnd(): boolean {
    return this.#first?.type === "text" && /^[ \t]*\n/.test(this.#first.value)
  }

  add(nodes: Nodes, i: number): number {
    const node = nodes[i]!
    this.#first ??= node
    const special = this.findSpecial(nodes, i)
    if (special === undefined) this.#add(node)
    else this.#hasText ||= special.hasText
    return special?.end ?? i
  }

  #add(node: Tree.Inline): void {
    if (node.type === "text" || node.type === "inlineCode") this.#hasText = true
    else if (node.type === "emoji") this.#hasEmojiName ||= this.#isInCode
    else if (node.type === "html") {
      this.#hasText ||= this.#hasEmojiName && node.value === "</code>"
      this.#isInCode = node.value === "<code>"
      this.#hasEmojiName = false
    }
  }
}
