/**
 * The `themeConfig.sidebar` of `.vitepress/config`: one sidebar, or one for each part of the site. The sidebars of
 * `locales` follow, each as a group with the label of the locale. The locale `root` is in no group.
 */
import { isRecord, maxDepth, type NavigationEntry, target, textOf } from "./NavigationEntry.ts"

/** A sidebar of a locale with a label. */
class LocaleSidebar {
  readonly title: string
  readonly sidebar: unknown

  constructor(title: string, sidebar: unknown) {
    this.title = title
    this.sidebar = sidebar
  }
}

/** Returns the sidebar in a configuration, or a list of the sidebars of its locales; undefined if it has none. */
export const sidebarOf = (config: unknown): unknown => {
  const sidebar = ownSidebarOf(config)
  const locales = isRecord(config) && isRecord(config["locales"]) ? config["locales"] : {}
  const { root, ...others } = locales
  const main = sidebar ?? ownSidebarOf(root)
  const translated = Object.entries(others).flatMap(([name, locale]) => {
    const own = ownSidebarOf(locale)
    return own === undefined ? [] : [new LocaleSidebar((isRecord(locale) && textOf(locale["label"])) || name, own)]
  })
  return translated.length === 0 ? main : [...(main === undefined ? [] : [new LocaleSidebar("", main)]), ...translated]
}

const ownSidebarOf = (config: unknown): unknown => {
  const theme = isRecord(config) ? config["themeConfig"] : undefined
  return isRecord(theme) ? theme["sidebar"] : undefined
}

export const read = (sidebar: unknown): ReadonlyArray<NavigationEntry> | undefined => {
  if (Array.isArray(sidebar) && sidebar.every((part) => part instanceof LocaleSidebar) && sidebar.length > 0) {
    return sidebar.flatMap(({ title, sidebar }) => {
      const children = readOne(sidebar) ?? []
      return title === "" ? children : [{ title, children }]
    })
  }
  return readOne(sidebar)
}

const readOne = (sidebar: unknown): ReadonlyArray<NavigationEntry> | undefined => {
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
