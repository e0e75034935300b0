/** Tests slugs of pages, which are derived from the paths of their files. */
import * as KeyedPages from "@lectern/exchange/import/KeyedPages"
import { assert, describe, it } from "@effect/vitest"

const id = "0123456789abcdef0123456789abcdef"

describe("slugOfPath", () => {
  it.each([
    ["guide/start.md", "start"],
    ["guide/README.md", "guide"],
    [`Notes ${id}.md`, "Notes"],
    [`Area ${id}/My first page ${id}.md`, "My-first-page"],
    // Names of one folder, in one style.
    ["bases/Formulas.md", "Formulas"],
    ["bases/Create a base.md", "Create-a-base"],
    ["bases/Notes - what's new?.md", "Notes-what-s-new"],
    ["bases/Requests, Commands & Events.md", "Requests-Commands-and-Events"],
    ["العربية/الصيغ.md", "الصيغ"],
    ["العربية/إنشاء قاعدة.md", "إنشاء-قاعدة"],
    ["guide/robots.txt.md", "robots-txt"],
    ["guide/? .md", "page"],
    // A name that consists only of an id, and a hash that the author put into the name.
    [`${id}.md`, id],
    [`report-${id}.md`, `report-${id}`]
  ])("of %j is %j", (path, slug) => assert.strictEqual(KeyedPages.slugOfPath(path, ""), slug))

  it("of a folder is its name as well, and of a group without one its title", () => {
    const group = { type: "group", title: "Arbeit und Zeit", children: [] } as const
    assert.strictEqual(KeyedPages.slugOf({ ...group, slug: "Arbeit & Zeit", children: [] }, ""), "Arbeit-and-Zeit")
    assert.strictEqual(KeyedPages.slugOf({ ...group, children: [] }, ""), "arbeit-und-zeit")
  })

  it("of a folder is without the id that Notion puts behind its name", () => {
    const group = { type: "group", title: "Area", slug: `Area ${id}`, children: [] } as const
    assert.strictEqual(KeyedPages.slugOf({ ...group, children: [] }, ""), "Area")
  })
})
