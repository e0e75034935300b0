/** The `sidebar` of Starlight in `astro.config.mjs`: pages by slug, links, groups, and folders that are listed. */
import { Call } from "@lectern/document/LiteralValue"
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

/** Folder of the pages, relative to the folder of the configuration. */
export const contentFolder = "src/content/docs"

/** Returns the sidebar in a configuration; undefined if it has none. */
export const sidebarOf = (config: unknown): unknown => {
  const integrations = isRecord(config) ? config["integrations"] : undefined
  const call = Array.isArray(integrations)
    ? integrations.find((one): one is Call => one instanceof Call && /starlight/i.test(one.name))
    : undefined
  const options = call?.values[0]
  return isRecord(options) ? options["sidebar"] : undefined
}

export const read = (sidebar: unknown): ReadonlyArray<NavigationEntry> | undefined =>
  Array.isArray(sidebar) ? list(sidebar, 0) : undefined

const list = (items: ReadonlyArray<unknown>, depth: number): ReadonlyArray<NavigationEntry> =>
  depth > maxDepth ? [] : items.flatMap((item) => entriesOf(item, depth))

const entriesOf = (item: unknown, depth: number): ReadonlyArray<NavigationEntry> => {
  const slug = textOf(item)
  if (slug !== undefined) return [{ path: slug, children: [] }]
  if (!isRecord(item)) return []
  const title = textOf(item["label"])
  const { autogenerate, items } = item
  if (isRecord(autogenerate)) {
    const folder: NavigationEntry = { folder: textOf(autogenerate["directory"]) ?? ".", children: [] }
    return title === undefined ? [folder] : [{ title, children: [folder] }]
  }
  const link = textOf(item["slug"]) ?? textOf(item["link"])
  return [{ title, ...target(link), children: Array.isArray(items) ? list(items, depth + 1) : [] }]
}
