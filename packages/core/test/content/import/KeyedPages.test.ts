/** Tests slugs of pages, which are derived from the paths of their files. */
import * as KeyedPages from "@lectern/core/content/import/KeyedPages"
import { assert, describe, it } from "@effect/vitest"

const id = "0123456789abcdef0123456789abcdef"

describe("slugOfPath", () => {
  it.each([
    ["guide/start.md", "start"],
    ["guide/README.md", "guide"],
    [`Notes ${id}.md`, "notes"],
    [`Area ${id}/My first page ${id}.md`, "my-first-page"],
    // A name that consists only of an id, and a hash that the author put into the name.
    [`${id}.md`, id],
    [`report-${id}.md`, `report-${id}`]
  ])("of %j is %j", (path, slug) => assert.strictEqual(KeyedPages.slugOfPath(path, ""), slug))

  it("of a folder is without the id that Notion puts behind its name", () => {
    const group = { type: "group", title: "Area", slug: `Area ${id}`, children: [] } as const
    assert.strictEqual(KeyedPages.slugOf({ ...group, children: [] }, ""), "area")
  })
})
