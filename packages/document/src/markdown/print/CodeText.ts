/** Serializes inline code and fenced code. */
import { escape } from "./Escape.ts"
import * as TextContext from "./TextContext.ts"
import type { Style } from "./Style.ts"

/**
 * Returns inline code. Its delimiter is the shortest run of backticks that the code does not contain. Line ends become
 * spaces.
 */
export const inlineCode = (code: string, context: number): string => {
  const value = code.replace(/\r\n?|\n/g, " ")
  const fence = "`".repeat(smallestUnusedLength(value))
  // Spaces at both ends, or a backtick at one end, would be lost.
  const isSpaced = value.startsWith(" ") && value.endsWith(" ") && /[^ ]/.test(value)
  const isPadded = isSpaced || value.startsWith("`") || value.endsWith("`")
  const source = isPadded ? `${fence} ${value} ${fence}` : fence + value + fence
  return (context & TextContext.cell) !== 0 && source.includes("|") ? escapeBars(source) : source
}

/** Returns the smallest length that no run of backticks in the text has. */
const smallestUnusedLength = (text: string): number => {
  const lengths = new Set<number>()
  for (const [run] of text.matchAll(/`+/g)) lengths.add(run.length)
  let length = 1
  while (lengths.has(length)) length++
  return length
}

/** Escapes each `|` that has no backslash escape yet. Cells require this also in code. */
const escapeBars = (text: string): string =>
  text.replace(/(?<!\\)(\\*)\|/g, (bar, backslashes: string) =>
    backslashes.length % 2 === 0 ? `${backslashes}\\|` : bar
  )

/** Returns fenced code. The fence is longer than all runs of its character in the code. */
export const fencedCode = (
  { value, language, info }: { readonly value: string; readonly language: string; readonly info: string },
  style: Style
): string => {
  // A language that starts with a tilde is fenced with backticks, since it would extend a fence of tildes.
  const marker = language.startsWith("~") ? "`" : style.fence
  const fence = marker.repeat(Math.max(longestRun(value, marker) + 1, 3))
  const name = language === "" ? "" : escape(language, TextContext.language, fence, " ")
  const rest = language === "" || info === "" ? "" : ` ${escape(info, TextContext.info, " ", "\n")}`
  return `${fence}${name}${rest}\n${value === "" ? "" : `${value}\n`}${fence}`
}

const longestRun = (text: string, marker: Style["fence"]): number => {
  let longest = 0
  for (const [run] of text.matchAll(marker === "`" ? /`+/g : /~+/g)) longest = Math.max(longest, run.length)
  return longest
}
