/**
 * The parts of a text that a tag `<mark style="…">` and the next `</mark>` colour, wherever they begin and end in
 * emphasis. Anything may stand in one but another such tag; one without text is none, since nothing in it would keep
 * the colour. The text of a link is a text of its own.
 */
import * as Marks from "./Marks.ts"
import type * as Tree from "./syntax/SyntaxTree.ts"

type Nodes = ReadonlyArray<Tree.Inline>

export interface ColoredPart {
  readonly color: number
  readonly end: Tree.Inline
  /** Nothing but its tag stands on the line that it begins on. */
  readonly isTagAlone: boolean
}

/** Nodes up to `end` that give the document other text than they seem to. */
export interface Special {
  readonly end: number
  readonly hasText: boolean
}

export type SpecialAt = (nodes: Nodes, i: number) => Special | undefined

/** The parts by the tags that open them. */
export const find = (nodes: Nodes, specialAt: SpecialAt): ReadonlyMap<Tree.Inline, ColoredPart> => {
  const parts = new Map<Tree.Inline, ColoredPart>()
  let open: { readonly tag: Tree.Html; readonly color: number; readonly inside: Inside } | undefined
  walk(nodes, (siblings, i) => {
    const node = siblings[i]!
    if (node.type !== "html" || !Marks.isTagOfMark(node.value)) return open?.inside.add(siblings, i) ?? i
    if (open?.inside.hasText === true && node.value === "</mark>") {
      const { color, inside, tag } = open
      parts.set(tag, { color, end: node, isTagAlone: inside.beginsWithLineEnd })
    }
    const color = Marks.colorOfTag(node.value)
    open = color === 0 ? undefined : { tag: node, color, inside: new Inside(specialAt) }
    return i
  })
  return parts
}

/** Tells whether the document has text of the nodes. */
export const hasText = (nodes: Nodes, specialAt: SpecialAt): boolean => {
  const inside = new Inside(specialAt)
  walk(nodes, (siblings, i) => inside.add(siblings, i))
  return inside.hasText
}

/** Visits the nodes in the order of the text; emphasis nests 100 deep at most. `visit` gives the last that it saw. */
const walk = (nodes: Nodes, visit: (nodes: Nodes, i: number) => number): void => {
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i]!
    if (node.type === "strong" || node.type === "emphasis" || node.type === "delete") walk(node.children, visit)
    else i = visit(nodes, i)
  }
}

class Inside {
  readonly #specialAt: SpecialAt
  #first: Tree.Inline | undefined
  #hasText = false
  /** Code as HTML is open, in which the name of an emoji is text, and there is such a name. */
  #isInCode = false
  #hasName = false

  constructor(specialAt: SpecialAt) {
    this.#specialAt = specialAt
  }

  get hasText(): boolean {
    return this.#hasText
  }

  get beginsWithLineEnd(): boolean {
    return this.#first?.type === "text" && /^[ \t]*\n/.test(this.#first.value)
  }

  add(nodes: Nodes, i: number): number {
    const node = nodes[i]!
    this.#first ??= node
    const special = this.#specialAt(nodes, i)
    if (special === undefined) this.#add(node)
    else this.#hasText ||= special.hasText
    return special?.end ?? i
  }

  #add(node: Tree.Inline): void {
    if (node.type === "text" || node.type === "inlineCode") this.#hasText = true
    else if (node.type === "emoji") this.#hasName ||= this.#isInCode
    else if (node.type === "html") {
      this.#hasText ||= this.#hasName && node.value === "</code>"
      this.#isInCode = node.value === "<code>"
      this.#hasName = false
    }
  }
}
