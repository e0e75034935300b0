/** The `themeConfig.sidebar` of `.vitepress/config`: one sidebar, or one for each part of the site. */
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

/** Returns the sidebar in a configuration; undefined if it has none. */
export const sidebarOf = (config: unknown): unknown => {
  const theme = isRecord(config) ? config["themeConfig"] : undefined
  return isRecord(theme) ? theme["sidebar"] : undefined
}

export const read = (sidebar: unknown): ReadonlyArray<NavigationEntry> | undefined => {
  if (Array.isArray(sidebar)) return list(sidebar, "", 0)
  if (!isRecord(sidebar)) return undefined
  return Object.values(sidebar).flatMap((part) => {
    if (Array.isArray(part)) return list(part, "", 0)
    return isRecord(part) && Array.isArray(part["items"]) ? list(part["items"], textOf(part["base"]) ?? "", 0) : []
  })
}

const list = (items: ReadonlyArray<unknown>, base: string, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : items.flatMap((item) => entriesOf(item, base, depth))

const entriesOf = (item: unknown, outerBase: string, depth: number): ReadonlyArray<NavigationEntry> => {
  if (!isRecord(item)) return []
  const base = textOf(item["base"]) ?? outerBase
  const link = textOf(item["link"])
  const items = item["items"]
  return [
    {
      title: textOf(item["text"])?.replace(/<[^<>]*>/g, ""),
      ...target(link === undefined ? undefined : base + link),
      children: Array.isArray(items) ? list(items, base, depth + 1) : []
    }
  ]
}
