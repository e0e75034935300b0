import { assert, describe, it } from "@effect/vitest"
import * as SiteTree from "@lectern/exchange/import/site/SiteTree"
import type { PlannedPage } from "@lectern/exchange/import/PlannedPage"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import * as fc from "fast-check"
import { runs } from "../../../../core/test/Runs.ts"

const page = (path: string) => ({ path, text: path, title: `T ${path}` })

const shape = (pages: ReadonlyArray<PlannedPage>): ReadonlyArray<unknown> =>
  pages.map((one) =>
    one.type === "link"
      ? one.url
      : [
          one.type === "document" ? one.file.path : `(${one.title})`,
          ...(one.children.length > 0 ? [shape(one.children)] : [])
        ]
  )

const documents = (pages: ReadonlyArray<PlannedPage>): ReadonlyArray<string> =>
  pages.flatMap((one) =>
    one.type === "link" ? [] : [...(one.type === "document" ? [one.file.path] : []), ...documents(one.children)]
  )

describe("SiteTree", () => {
  it("puts pages below those whose address theirs begins with, in the order they were found", () => {
    const { pages } = SiteTree.make(["", "z", "guide/b", "guide", "guide/a/deep.html", "x%20y/One"].map(page))
    assert.deepStrictEqual(shape(pages), [
      ["home.md"],
      ["z.md"],
      ["guide.md", [["guide/b.md"], ["(A)", [["guide/a/deep.md"]]]]],
      ["(X y)", [["x y/One.md"]]]
    ])
  })

  it("gives pages of one address files of their own", () => {
    const { files } = SiteTree.make(["a", "A", "a.html", "b/%2e%2e/c", "%zz"].map(page))
    assert.deepStrictEqual(
      files.map(({ path }) => path),
      ["a.md", "A-2.md", "a-3.md", "b/page/c.md", "%zz.md"]
    )
  })

  it("loses no page, whatever the addresses are", () => {
    const name = fc.oneof(fc.constantFrom("a", "b", "..", ".", "%2F", "é", "c.html"), fc.string({ minLength: 1 }))
    const paths = fc.array(fc.array(name.map(encodeURI_), { maxLength: 4 }).map((names) => names.join("/")))
    fc.assert(
      fc.property(paths, (found) => {
        const { pages, files } = SiteTree.make(found.map(page))
        const placed = documents(pages)
        assert.sameMembers(
          [...placed],
          files.map(({ path }) => path)
        )
        assert.strictEqual(new Set(placed).size, found.length)
        for (const path of placed) assert.strictEqual(FolderPath.normalize(path), path)
      }),
      runs()
    )
  })
})

/** As it stands in the path of a URL: never empty, without a slash. */
function encodeURI_(name: string): string {
  return encodeURIComponent(name.toWellFormed()).replace(/^$/, "x")
}
