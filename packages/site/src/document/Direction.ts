/**
 * Text direction of blocks that differs from the direction of the page. The first letter decides, as in `dir="auto"`.
 * Other blocks have no attribute and inherit the direction of the page.
 */
import type { Node } from "@lectern/document/Document"
import type { LocalizedMessages } from "../page/LocalizedMessages.ts"

const letterPattern = /\p{L}/u
const rightToLeftPattern =
  /[\p{Script=Arabic}\p{Script=Hebrew}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}\p{Script=Adlam}]/u

export const textDirection = (text: string): LocalizedMessages["direction"] | undefined => {
  const firstLetter = letterPattern.exec(text)?.[0]
  return firstLetter === undefined ? undefined : rightToLeftPattern.test(firstLetter) ? "rtl" : "ltr"
}

/** Returns the direction of the first letter in nodes. `hasCode`: true if text in code counts. */
const nodesDirection = (nodes: ReadonlyArray<Node>, hasCode: boolean): LocalizedMessages["direction"] | undefined => {
  const stack: Array<Node> = nodes.toReversed()
  for (let node = stack.pop(); node !== undefined; node = stack.pop()) {
    if (node.object !== "text") {
      if (node.nodes !== undefined) for (const child of node.nodes.toReversed()) stack.push(child)
      continue
    }
    for (const { text, marks } of node.leaves) {
      const direction = hasCode || !marks.some(({ type }) => type === "code") ? textDirection(text) : undefined
      if (direction !== undefined) return direction
    }
  }
  return undefined
}

/**
 * Returns the attribute `dir` of a block with these nodes. Code at the start does not decide the direction. Undefined:
 * the block inherits the direction of the page.
 */
export const directionOf = (
  nodes: ReadonlyArray<Node> | undefined,
  { direction }: Pick<LocalizedMessages, "direction">
): "auto" | LocalizedMessages["direction"] | undefined => {
  const contentDirection = nodes === undefined ? undefined : nodesDirection(nodes, false)
  if (contentDirection === undefined || contentDirection === direction) return undefined
  return nodesDirection(nodes!, true) === contentDirection ? "auto" : contentDirection
}
