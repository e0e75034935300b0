import { assert, describe, it } from "@effect/vitest"
import * as StaticPaths from "../../src/static-site/StaticPaths.ts"

describe("StaticPaths", () => {
  it("puts pages into folders", () => {
    assert.strictEqual(StaticPaths.fileOf(""), "index.html")
    assert.strictEqual(StaticPaths.fileOf("guide/install/"), "guide/install/index.html")
    assert.strictEqual(StaticPaths.fileOf("%E6%8C%87%E5%8D%97/index.md"), "指南/index.md")
  })

  it("leads to no file outside of the folder", () => {
    for (const path of [
      "../a/",
      "a/../../b/",
      "%2e%2e/a/",
      "a/%2e%2e%2fb/",
      "a%2Fb/",
      "a%5C..%5Cb/",
      "a%00/",
      "a//b/",
      "/",
      "%E0%A4%A/",
      `${"a".repeat(256)}/`,
      `${"%E6%8C%87".repeat(86)}/`
    ])
      assert.isUndefined(StaticPaths.fileOf(path), path)
  })

  it("claims each path once, regardless of case and Unicode form, and no path in a file", () => {
    const paths = new StaticPaths.StaticPaths()
    assert.isTrue(paths.claim("guide/index.html"))
    assert.isFalse(paths.claim("Guide/Index.html"))
    assert.isFalse(paths.claim("guide/index.html/index.html"))
    assert.isFalse(paths.claim("guide"))
    assert.isTrue(paths.claim("caf\u00e9/index.html"))
    assert.isFalse(paths.claim("cafe\u0301/index.html"))
    assert.isTrue(paths.claim("guide/index.md"))
  })

  it("names paths that Windows can't have", () => {
    for (const path of ["con/index.html", "a/NUL.txt/index.html", "a:b/index.html", "a./index.html", "a /x", "what?/x"])
      assert.isTrue(StaticPaths.isUnportable(path), path)
    for (const path of ["console/index.html", ".nojekyll", "~search/-a.json", "com/index.html", "node.js/index.html"])
      assert.isFalse(StaticPaths.isUnportable(path), path)
  })
})
