/**
 * The order, titles and visibility of the pages in one folder, in `_meta.json`, `_meta.js` or `_meta.ts`. Separators,
 * links and menus are left out.
 */
import { readModule } from "@lectern/document/LiteralValue"
import { isRecord, textOf } from "./NavigationEntry.ts"

export interface MetaEntry {
  /** Name of a page without its extension, or of a folder. */
  readonly name: string
  readonly label: string | undefined
  readonly hidden: boolean
}

export const isMeta = (path: string): boolean => /(?:^|\/)_meta\.(?:json|[cm]?[jt]sx?)$/.test(path)

/** Returns the entries in their order; undefined if the file is code or invalid. */
export const read = (text: string, path: string): ReadonlyArray<MetaEntry> | undefined => {
  const value = path.endsWith(".json") ? parseJson(text) : readModule(text)?.main
  if (!isRecord(value)) return undefined
  return Object.entries(value).flatMap(([name, entry]) => {
    const fields = isRecord(entry) ? entry : { title: entry }
    if (fields["type"] === "separator" || fields["href"] !== undefined || name === "*") return []
    return [{ name, label: textOf(fields["title"]), hidden: fields["display"] === "hidden" }]
  })
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
