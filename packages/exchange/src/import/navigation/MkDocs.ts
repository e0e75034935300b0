/** The `nav` of `mkdocs.yml`: paths, titles with a path, titles with a list. Paths are relative to `docs_dir`. */
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

export interface MkDocs {
  readonly entries: ReadonlyArray<NavigationEntry>
  readonly folder: string
}

export const read = (config: { readonly [name: string]: unknown }): MkDocs | undefined => {
  if (!Array.isArray(config["nav"])) return undefined
  return { entries: list(config["nav"], 0), folder: textOf(config["docs_dir"]) ?? "docs" }
}

const list = (entries: ReadonlyArray<unknown>, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : entries.flatMap((entry) => itemsOf(entry, depth))

const itemsOf = (entry: unknown, depth: number): ReadonlyArray<NavigationEntry> => {
  const path = textOf(entry)
  if (path !== undefined) return [{ ...target(path), children: [] }]
  if (!isRecord(entry)) return []
  return Object.entries(entry).map(([title, value]) =>
    Array.isArray(value)
      ? { title, children: list(value, depth + 1) }
      : { title, ...target(textOf(value)), children: [] }
  )
}
