import { assert, describe, it } from "@effect/vitest"
import type { ContentRef } from "@lectern/document/Document"
import * as RefUrl from "@lectern/document/markdown/RefUrl"

const cases: ReadonlyArray<readonly [string, ContentRef]> = [
  ["/pages/p1", { kind: "page", page: "p1" }],
  ["/pages/p1#a-b", { kind: "anchor", anchor: "a-b", page: "p1" }],
  ["/spaces/s1/pages/p1", { kind: "page", page: "p1", space: "s1" }],
  ["/spaces/s1/pages/p1#a", { kind: "anchor", anchor: "a", page: "p1", space: "s1" }],
  ["/spaces/s1#a", { kind: "anchor", anchor: "a", space: "s1" }],
  ["#a", { kind: "anchor", anchor: "a" }],
  ["/files/f1", { kind: "file", file: "f1" }],
  ["/spaces/s1/files/f1", { kind: "file", file: "f1", space: "s1" }],
  ["/spaces/s1", { kind: "space", space: "s1" }],
  ["/users/u1", { kind: "user", user: "u1" }],
  ["/collections/c1", { kind: "collection", collection: "c1" }],
  ["/reusable-contents/r1", { kind: "reusable-content", reusableContent: "r1" }],
  ["/openapi/petstore", { kind: "openapi", spec: "petstore" }],
  ...["", "#", "a.md", "../pages/p1", "/pages/", "/pages/a/b", "/pages/p1?q", "/files/f#x", "https://x.y/pages/p1"].map(
    (url) => [url, { kind: "url", url }] as const
  )
]

describe("the URL of a reference", () => {
  for (const [url, ref] of cases) {
    it(`${url || "(empty)"} there and back`, () => {
      assert.deepStrictEqual(RefUrl.fromUrl(url), ref)
      assert.strictEqual(RefUrl.toUrl(ref), url)
    })
  }
})
