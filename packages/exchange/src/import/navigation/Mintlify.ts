/**
 * The `navigation` of `docs.json` and `mint.json`: groups and pages, below tabs, anchors, versions and similar levels.
 */
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

/** Keys that name an entry, and keys whose lists hold child entries. */
const names = ["group", "tab", "anchor", "dropdown", "version", "language", "product", "item", "name"] as const
const lists = ["languages", "versions", "products", "dropdowns", "anchors", "tabs", "menu", "groups", "pages"] as const

export const read = (config: { readonly [name: string]: unknown }): ReadonlyArray<NavigationEntry> | undefined => {
  const { navigation } = config
  if (Array.isArray(navigation)) return list(navigation, 0)
  return isRecord(navigation) ? childEntries(navigation, 0) : undefined
}

const list = (entries: ReadonlyArray<unknown>, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : entries.flatMap((entry) => itemsOf(entry, depth))

const childEntries = (entry: { readonly [name: string]: unknown }, depth: number): ReadonlyArray<NavigationEntry> =>
  lists.flatMap((name) => (Array.isArray(entry[name]) ? list(entry[name], depth + 1) : []))

const itemsOf = (entry: unknown, depth: number): ReadonlyArray<NavigationEntry> => {
  const path = textOf(entry)
  if (path !== undefined) return [{ ...target(path), children: [] }]
  if (!isRecord(entry)) return []
  const title = names.map((name) => textOf(entry[name])).find((one) => one !== undefined)
  const ownTarget = textOf(entry["root"]) ?? textOf(entry["href"])
  return [{ title, ...target(ownTarget), children: childEntries(entry, depth) }]
}
