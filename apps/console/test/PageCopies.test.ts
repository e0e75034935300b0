import { assert, describe, it } from "@effect/vitest"
import { pagesToCopy, withSpace } from "../src/space/PageCopies.ts"
import { page, pages } from "./Pages.ts"

describe("Copies of pages", () => {
  it("have the pages below them, each after its parent", () => {
    const copies = (...ids: ReadonlyArray<string>) =>
      pagesToCopy([...pages, { ...page("computed"), type: "computed" } as never], new Set(ids)).map(
        ({ page, parent }) => [page.id as string, parent] as const
      )
    assert.deepStrictEqual(copies("b", "b21", "link"), [
      ["b", -1],
      ["b1", 0],
      ["b2", 0],
      ["b21", 2],
      ["link", -1]
    ])
    assert.deepStrictEqual(copies("computed"), [])
  })

  it("refer to the space that they come from, where their references name none", () => {
    assert.deepStrictEqual(
      withSpace(
        {
          nodes: [
            { ref: { kind: "page", page: "p" } },
            { ref: { kind: "page", page: "p", space: "other" } },
            { ref: { kind: "anchor", anchor: "a" } },
            { ref: { kind: "anchor", anchor: "a", page: "p" } },
            { ref: { kind: "reusable-content", reusableContent: "r" } },
            { ref: { kind: "url", url: "https://example.com/" } },
            { kind: "page" }
          ]
        },
        "coffee"
      ),
      {
        nodes: [
          { ref: { kind: "page", page: "p", space: "coffee" } },
          { ref: { kind: "page", page: "p", space: "other" } },
          { ref: { kind: "anchor", anchor: "a" } },
          { ref: { kind: "anchor", anchor: "a", page: "p", space: "coffee" } },
          { ref: { kind: "reusable-content", reusableContent: "r", space: "coffee" } },
          { ref: { kind: "url", url: "https://example.com/" } },
          { kind: "page" }
        ]
      }
    )
  })
})
