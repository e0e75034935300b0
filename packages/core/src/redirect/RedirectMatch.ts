/** Finds the redirect for a path of a site: an exact match, or the longest source with a `*` that matches. */
import { decodePercent } from "@lectern/document/PercentEncoding"
import { foldSource, type RedirectRow } from "./Redirect.ts"

/** Live redirects of a site, by their folded source. */
export type LiveRedirects = ReadonlyMap<string, RedirectRow>

export const liveRedirects = (rows: ReadonlyArray<RedirectRow>): LiveRedirects =>
  new Map(rows.filter(({ draft }) => !draft).map((row) => [foldSource(row.source), row]))

/** `rest`: the part of the path that matched `*`, if the redirect appends it; empty otherwise. */
export const redirectOf = (
  redirects: LiveRedirects,
  path: string
): { readonly row: RedirectRow; readonly rest: string } | undefined => {
  const foldedPath = foldSource(path)
  const exactMatch = redirects.get(foldedPath)
  if (exactMatch !== undefined && !exactMatch.source.endsWith("*")) return { row: exactMatch, rest: "" }
  let longestMatch: { readonly row: RedirectRow; readonly prefix: string } | undefined
  for (const [source, row] of redirects) {
    if (!row.source.endsWith("*")) continue
    const prefix = source.slice(0, -1)
    const startsWithPrefix = foldedPath.startsWith(prefix) || `${foldedPath}/` === prefix
    if (startsWithPrefix && (longestMatch === undefined || prefix.length > longestMatch.prefix.length))
      longestMatch = { row, prefix }
  }
  if (longestMatch === undefined) return undefined
  return {
    row: longestMatch.row,
    rest: longestMatch.row.captureWildcard ? restAfter(decodePercent(path), longestMatch.prefix.length) : ""
  }
}

/**
 * Returns the rest of a text after a number of characters, counted in lower case. In lower case, one character may
 * become two.
 */
const restAfter = (text: string, length: number): string => {
  let [end, counted] = [0, 0]
  for (const character of text) {
    if (counted >= length) break
    counted += character.toLowerCase().length
    end += character.length
  }
  return text.slice(end)
}

/** Returns the URL of a redirect with the part that matched `*` appended to its path. */
export const withRest = (target: string, rest: string): string => {
  if (rest === "") return target
  const url = new URL(target)
  const segments = rest.split("/").filter((segment) => !["", ".", ".."].includes(segment))
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${segments.map(encodeURIComponent).join("/")}`
  return url.href
}
