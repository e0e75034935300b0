/**
 * The syntax of GFM for one text, tried only where the text can hold it. The extension as it comes
 * tries to read an address at every word and a table at every line, which took a third of the time
 * of parsing; what it reads is the same.
 */
import { gfm } from "micromark-extension-gfm"
import type { Code, Construct, Extension, TokenizeContext } from "micromark-util-types"
import * as SyntaxLimits from "./SyntaxLimits.ts"

/** What an address in plain text must begin with. */
const beginnings: { readonly [name: string]: RegExp } = {
  emailAutolink: /^[+\-.\w]+@/,
  protocolAutolink: /^https?:\/\//i,
  wwwAutolink: /^www\./i
}

const withBeginning = (construct: Construct): Construct => {
  const beginning = beginnings[construct.name ?? ""]
  const { previous } = construct
  if (beginning === undefined || previous === undefined) return construct
  return {
    ...construct,
    previous(this: TokenizeContext, code: Code) {
      return previous.call(this, code) && beginning.test(restOfChunk(this))
    }
  }
}

/** What follows in the text as far as it was handed over in one piece: to the end of the line or the next tab. */
const restOfChunk = (context: TokenizeContext): string => {
  const start = context.now()
  return context.sliceSerialize({ start, end: { ...start, _bufferIndex: Infinity } })
}

const mapText = (extension: Extension, map: (construct: Construct) => ReadonlyArray<Construct>): Extension => ({
  ...extension,
  text: Object.fromEntries(
    Object.entries(extension.text ?? {}).map(([code, constructs]) => [code, listOf(constructs).flatMap(map)])
  )
})

const listOf = (constructs: Construct | ReadonlyArray<Construct> | undefined): ReadonlyArray<Construct> =>
  constructs === undefined ? [] : "tokenize" in constructs ? [constructs] : constructs

const withEmail = mapText(SyntaxLimits.limitExtension(gfm()), (construct) => [withBeginning(construct)])
const withoutEmail = mapText(withEmail, (construct) => (construct.name === "emailAutolink" ? [] : [construct]))

/** `text` as it is parsed: its lines end with a line feed alone. */
export const syntaxOf = (text: string): Extension => {
  const extension = text.includes("@") ? withEmail : withoutEmail
  const lines = tableLines(text)
  return {
    ...extension,
    flow: {
      ...extension.flow,
      null: listOf(extension.flow?.null).flatMap((construct) =>
        construct.name !== "table" ? [construct] : lines.size === 0 ? [] : [within(construct, lines)]
      )
    }
  }
}

const within = (construct: Construct, lines: ReadonlySet<number>): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    return lines.has(this.now().line) ? construct.tokenize.call(this, effects, ok, nok) : nok
  }
})

/**
 * The lines, counted from 1, that a table could stand on: from the one above a line that ends like
 * the delimiters of a table to the next empty one.
 */
const tableLines = (text: string): ReadonlySet<number> => {
  const lines = new Set<number>()
  let isBelow = false
  for (let start = 0, line = 1; start <= text.length; line++) {
    const next = text.indexOf("\n", start)
    const end = next === -1 ? text.length : next
    if (end === start) isBelow = false
    else if (endsLikeDelimiters(text, start, end)) {
      isBelow = true
      lines.add(line - 1)
    }
    if (isBelow) lines.add(line)
    start = end + 1
  }
  return lines
}

const endsLikeDelimiters = (text: string, start: number, end: number): boolean => {
  let hasDash = false
  let hasOther = false
  for (let i = end - 1; i >= start && !(hasDash && hasOther); i--) {
    const code = text.charCodeAt(i)
    if (code === 45) hasDash = true
    else if (code === 124 || code === 58) hasOther = true
    else if (code !== 32 && code !== 9) return false
  }
  return hasDash && hasOther
}
