/**
 * The direction of blocks whose text runs otherwise than the page, by the first letter, as `dir="auto"` has it. Others say
 * nothing, and have that of the page.
 */
import type { Node } from "@lectern/document/Document"
import type { Words } from "../page/Words.ts"

const letter = /\p{L}/u
const fromRight =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

export const ofText = (text: string): Words["direction"] | undefined => {
  const first = letter.exec(text)?.[0]
  return first === undefined ? undefined : fromRight.test(first) ? "rtl" : "ltr"
}

/** Looks at the nodes in their order until a letter comes. */
const ofNodes = (nodes: ReadonlyArray<Node>): Words["direction"] | undefined => {
  const open: Array<Node> = nodes.toReversed()
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.object !== "text") {
      // Code is read from the left, whatever it says.
      if (node.type !== "code" && node.nodes !== undefined) for (const one of node.nodes.toReversed()) open.push(one)
      continue
    }
    for (const { text } of node.leaves) {
      const found = ofText(text)
      if (found !== undefined) return found
    }
  }
  return undefined
}

/** The attribute `dir` of a block with these nodes. */
export const of = (
  nodes: ReadonlyArray<Node> | undefined,
  { direction }: Pick<Words, "direction">
): "auto" | undefined => {
  const own = nodes === undefined ? undefined : ofNodes(nodes)
  return own === undefined || own === direction ? undefined : "auto"
}
