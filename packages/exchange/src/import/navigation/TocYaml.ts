/**
 * Reads `toc.yaml` in the formats of Microsoft (`name`, `href`, `items`), Google (`title`, `path`, `section`) and
 * Jupyter Book (`file`, `sections`, `chapters`, `parts`). An entry may name another such file, whose entries replace
 * the entry.
 */
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

const titles = ["name", "title", "caption", "displayName", "heading"] as const
const listKeys = ["toc", "items", "section", "parts", "chapters", "sections", "tabs"] as const

/**
 * Returns the entries; undefined if the file has none. `include`: returns the entries of another such file; undefined
 * if the file is missing.
 */
export const read = (
  toc: unknown,
  include: (path: string) => ReadonlyArray<NavigationEntry> | undefined
): ReadonlyArray<NavigationEntry> | undefined => {
  if (Array.isArray(toc)) return list(toc, include, 0)
  if (!isRecord(toc)) return undefined
  const entries = childEntries(toc, include, 0)
  const root = textOf(toc["root"])
  return entries.length === 0 ? undefined : root === undefined ? entries : [{ path: root, children: [] }, ...entries]
}

type Include = Parameters<typeof read>[1]

const list = (entries: ReadonlyArray<unknown>, include: Include, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : entries.flatMap((entry) => itemsOf(entry, include, depth))

const childEntries = (entry: { readonly [name: string]: unknown }, include: Include, depth: number) =>
  listKeys.flatMap((name) => (Array.isArray(entry[name]) ? list(entry[name], include, depth + 1) : []))

const itemsOf = (entry: unknown, include: Include, depth: number): ReadonlyArray<NavigationEntry> => {
  if (!isRecord(entry)) return []
  const title = titles.map((name) => textOf(entry[name])).find((one) => one !== undefined)
  const ownChildren = childEntries(entry, include, depth)
  const topic = textOf(entry["topicHref"]) ?? textOf(entry["homepage"])
  const named = [entry["href"], entry["path"], entry["file"], entry["url"], entry["include"], entry["tocHref"]]
    .map(textOf)
    .filter((one) => one !== undefined)
  const included = named.map((path) => (isToc(path) ? include(path) : undefined)).find((one) => one !== undefined)
  const page = topic ?? named.find((path) => !isToc(path))
  if (title === undefined && page === undefined) return included ?? ownChildren
  return [{ title, ...target(page), children: [...ownChildren, ...(included ?? [])] }]
}

/** True if a path names a toc file, or a folder that contains one. */
export const isToc = (path: string): boolean => /(?:^|\/)_?toc\.ya?ml$|\/$/i.test(path)
