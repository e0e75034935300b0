/**
 * Sets fenced code aside while a text is parsed. It is a third of technical documentation and means
 * nothing but itself, yet the parser walks through all of it. What is parsed has a mark in place of
 * each; where one of the marks does not come back as the whole of a block of code, what looked like
 * a fence was none (it stands in an HTML comment, say), and the text has to be parsed as it is.
 *
 * Limits: fences of 3 to 16 backticks that start their lines, closed, with code of 64 characters and
 * more. Code that holds the marks of a tag or a formula stays: what stands before it may look ahead
 * for those.
 */
import type { Nodes, Root } from "mdast"

export interface SetAside {
  /** The text with a mark in place of each code. */
  readonly text: string
  readonly codes: ReadonlyArray<string>
}

const minLength = 64
const fence = /^(`{3,16})[^`\n]*\n/gm
const lookedFor = /\{%|%\}|\$\$/
const mark = "\u0001"

/** Undefined where there is nothing to set aside. The lines of the text end with a line feed alone. */
export const setAside = (body: string): SetAside | undefined => {
  if (!body.includes("```") || body.includes(mark) || body.includes("\0")) return undefined
  const codes: Array<string> = []
  let text = ""
  let kept = 0
  fence.lastIndex = 0
  for (let open = fence.exec(body); open !== null; open = fence.exec(body)) {
    const start = fence.lastIndex
    const closing = closingOf(open[1]!.length)
    closing.lastIndex = start
    const close = closing.exec(body)
    // It goes on to the end of the text, or of whatever it stands in.
    if (close === null) break
    const code = body.slice(start, close.index - 1)
    if (code.length >= minLength && !lookedFor.test(code)) {
      text += `${body.slice(kept, start)}${mark}${codes.length}`
      kept = close.index - 1
      codes.push(code)
    }
    fence.lastIndex = closing.lastIndex
  }
  return codes.length === 0 ? undefined : { text: text + body.slice(kept), codes }
}

/** The line that closes a fence of so many backticks. */
const closingOf = (length: number): RegExp => (closings[length] ??= new RegExp(`^ {0,3}\`{${length},}[ \\t]*$`, "gm"))

const closings: Array<RegExp | undefined> = []

/** Puts the codes back in place of their marks. False where one of them is not what it seemed. */
export const putBack = (root: Root, codes: ReadonlyArray<string>): boolean => {
  let found = 0
  const open: Array<Nodes> = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    if (node.type === "code" && node.value.startsWith(mark)) {
      const code = codes[Number(node.value.slice(mark.length))]
      if (code === undefined) return false
      node.value = code
      found++
    }
    if ("children" in node) for (const child of node.children) open.push(child)
  }
  return found === codes.length
}
