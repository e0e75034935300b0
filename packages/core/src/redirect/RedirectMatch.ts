/** Which redirect a path of a site takes: its own, else the longest with a `*` that the path begins with. */
import { decoded } from "@lectern/document/PercentEncoding"
import { foldSource, type RedirectRow } from "./Redirect.ts"

/** The redirects of a site that are live, by their folded source. */
export type LiveRedirects = ReadonlyMap<string, RedirectRow>

export const liveRedirects = (rows: ReadonlyArray<RedirectRow>): LiveRedirects =>
  new Map(rows.filter(({ draft }) => !draft).map((row) => [foldSource(row.source), row]))

/** `rest` is what the `*` stood for, where the redirect appends it; else empty. */
export const redirectOf = (
  redirects: LiveRedirects,
  path: string
): { readonly row: RedirectRow; readonly rest: string } | undefined => {
  const folded = foldSource(path)
  const own = redirects.get(folded)
  if (own !== undefined && !own.source.endsWith("*")) return { row: own, rest: "" }
  let found: { readonly row: RedirectRow; readonly prefix: string } | undefined
  for (const [source, row] of redirects) {
    if (!row.source.endsWith("*")) continue
    const prefix = source.slice(0, -1)
    const begins = folded.startsWith(prefix) || `${folded}/` === prefix
    if (begins && (found === undefined || prefix.length > found.prefix.length)) found = { row, prefix }
  }
  if (found === undefined) return undefined
  return { row: found.row, rest: found.row.captureWildcard ? behind(decoded(path), found.prefix.length) : "" }
}

/** The text behind its first characters, which are counted in lower case: there a letter may be two. */
const behind = (text: string, length: number): string => {
  let [end, counted] = [0, 0]
  for (const character of text) {
    if (counted >= length) break
    counted += character.toLowerCase().length
    end += character.length
  }
  return text.slice(end)
}

/** The URL that a redirect leads to, with what the `*` stood for behind its path. */
export const appended = (target: string, rest: string): string => {
  if (rest === "") return target
  const url = new URL(target)
  const segments = rest.split("/").filter((segment) => !["", ".", ".."].includes(segment))
  url.pathname = `${url.pathname.replace(/\/$/, "")}/${segments.map(encodeURIComponent).join("/")}`
  return url.href
}
