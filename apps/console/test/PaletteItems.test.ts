import { assert, describe, it } from "@effect/vitest"
import { indexItem, matchingItems, type PaletteItem } from "../src/palette/PaletteItems.ts"

const item = (group: PaletteItem["group"], title: string, detail?: string): PaletteItem => ({
  id: `${group} ${title}`,
  group,
  title,
  detail,
  icon: "document",
  open: () => undefined
})

describe("items of the palette", () => {
  const local = [
    item("recent", "Water"),
    item("actions", "Home"),
    item("actions", "New space"),
    item("spaces", "Café handbook"),
    item("changes", "Warmer cups", "Café handbook #3 · Ada")
  ].map(indexItem)
  const pages = [item("pages", "Café and new space")]
  const titles = (query: string) => matchingItems(local, query, pages).map(({ title }) => title)

  it("are recent pages, actions and spaces without a query", () => {
    assert.deepStrictEqual(titles(" "), ["Water", "Home", "New space", "Café handbook"])
  })

  it("have a group before the pages if a title starts with the query, and after them otherwise", () => {
    assert.deepStrictEqual(titles("new space"), ["New space", "Café and new space"])
    assert.deepStrictEqual(titles("cafe"), ["Café handbook", "Café and new space", "Warmer cups"])
    assert.deepStrictEqual(titles("space"), ["Café and new space", "New space"])
  })
})
