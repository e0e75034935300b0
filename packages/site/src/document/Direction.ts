/**
 * Text direction of blocks that differs from the direction of the page. The first letter decides, as in `dir="auto"`.
 * Other blocks have no attribute and inherit the direction of the page.
 */
import type { Node } from "@lectern/document/Document"
import type { Words } from "../page/LocalizedMessages.ts"

const letter = /\p{L}/u
const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

export const ofText = (text: string): Words["direction"] | undefined => {
  const first = letter.exec(text)?.[0]
  return first === undefined ? undefined : fromRight.test(first) ? "rtl" : "ltr"
}

/** Returns the direction of the first letter in nodes. `hasCode`: true if text in code counts. */
const ofNodes = (nodes: ReadonlyArray<Node>, hasCode: boolean): Words["direction"] | undefined => {
  const open: Array<Node> = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object !== "text") {
      if (node.nodes !== undefined) for (const one of node.nodes.toReversed()) open.push(one)
      continue
    }
    for (const { text, marks } of node.leaves) {
      const found = hasCode || !marks.some(({ type }) => type === "code") ? ofText(text) : undefined
      if (found !== undefined) return found
    }
  }
  return undefined
}

/**
 * Returns the attribute `dir` of a block with these nodes. Code at the start does not decide the direction. Undefined:
 * the block inherits the direction of the page.
 */
export const of = (
  nodes: ReadonlyArray<Node> | undefined,
  { direction }: Pick<Words, "direction">
): "auto" | Words["direction"] | undefined => {
  const own = nodes === undefined ? undefined : ofNodes(nodes, false)
  if (own === undefined || own === direction) return undefined
  return ofNodes(nodes!, true) === own ? "auto" : own
}
