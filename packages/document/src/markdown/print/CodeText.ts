/** Code in text, and code between fences. */
import { escape } from "./Escape.ts"
import * as TextContext from "./TextContext.ts"
import type { Style } from "./Style.ts"

/** Between as few backticks as are nowhere in it; the end of a line in it is a space. */
export const span = (code: string, context: number): string => {
  const value = code.replace(/\r\n?|\n/g, " ")
  const fence = "`".repeat(fewestOtherThan(value))
  // A space at both its ends, or a backtick at one, would be lost.
  const isSpaced = value.startsWith(" ") && value.endsWith(" ") && /[^ ]/.test(value)
  const isPadded = isSpaced || value.startsWith("`") || value.endsWith("`")
  const written = isPadded ? `${fence} ${value} ${fence}` : fence + value + fence
  return (context & TextContext.cell) !== 0 && written.includes("|") ? withoutBars(written) : written
}

/** How many backticks no run of them in the text has. */
const fewestOtherThan = (text: string): number => {
  const lengths = new Set<number>()
  for (const [run] of text.matchAll(/`+/g)) lengths.add(run.length)
  let length = 1
  while (lengths.has(length)) length++
  return length
}

/** A bar is escaped also in code, unless a backslash before it does that already. */
const withoutBars = (text: string): string =>
  text.replace(/(?<!\\)(\\*)\|/g, (bar, backslashes: string) =>
    backslashes.length % 2 === 0 ? `${backslashes}\\|` : bar
  )

/** Between fences that are longer than any in it. */
export const fenced = (
  { value, language, info }: { readonly value: string; readonly language: string; readonly info: string },
  style: Style
): string => {
  // What begins with a tilde would make a fence of tildes longer.
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
