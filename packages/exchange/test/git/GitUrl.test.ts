import { assert, describe, it } from "@effect/vitest"
import * as GitUrl from "@lectern/exchange/git/GitUrl"
import { Result } from "effect"

const at = (url: string, more = {}) => ({ url, ref: "refs/heads/docs/v1", directory: "", ...more })

describe("GitUrl", () => {
  it.each([
    ["https://example.com/a/b.git", "https://example.com/a/b.git", undefined],
    ["https://example.com/a/b/", "https://example.com/a/b", undefined],
    ["https://token@example.com/a", "https://example.com/a", { username: "token", password: "" }],
    ["https://me:p%40ss@example.com/a", "https://example.com/a", { username: "me", password: "p@ss" }],
    ["https://me:100%25%@example.com/a", "https://example.com/a", { username: "me", password: "100%25%" }]
  ])("takes the credentials out of %s", (text, url, credentials) => {
    assert.deepStrictEqual(GitUrl.parse(text), Result.succeed({ url, credentials }))
  })

  it.each(["", "a/b", "git@github.com:a/b.git", "https://example.com/a?token=x", "https://example.com/a#x"])(
    "refuses %s",
    (text) => {
      assert.isTrue(Result.isFailure(GitUrl.parse(text)))
    }
  )

  it.each([
    ["https://github.com/acme/docs.git", "acme/docs", "github", "https://github.com/acme/docs/tree/docs/v1"],
    ["https://gitlab.com/a/b/c", "a/b/c", "gitlab", "https://gitlab.com/a/b/c/-/tree/docs/v1"],
    ["https://gitlab.example.com/a/b.git", "a/b", "gitlab", "https://gitlab.example.com/a/b/-/tree/docs/v1"],
    ["https://git.example.com/a%20b.git", "a b", "git", "https://git.example.com/a%20b.git"],
    ["https://git.example.com", "git.example.com", "git", "https://git.example.com"]
  ])("names %s", (url, name, provider, tree) => {
    assert.deepStrictEqual(
      [GitUrl.nameOf({ url }), GitUrl.providerOf({ url }), GitUrl.treeOf(at(url))],
      [name, provider, tree]
    )
  })

  it("knows where a commit is looked at", () => {
    assert.strictEqual(GitUrl.commitOf(at("https://github.com/a/b"), "1"), "https://github.com/a/b/commit/1")
    assert.strictEqual(GitUrl.commitOf(at("https://gitlab.com/a/b"), "1"), "https://gitlab.com/a/b/-/commit/1")
    assert.isUndefined(GitUrl.commitOf(at("https://git.example.com/a/b"), "1"))
    const commitURL = "https://view.example.com/c/"
    assert.strictEqual(
      GitUrl.commitOf(at("https://git.example.com/a/b", { commitURL }), "1"),
      "https://view.example.com/c/1"
    )
  })

  it.each(["ftp://a/b", "javascript:alert(1)", "https://me:x@example.com", "a"])("does not show %s", (text) => {
    assert.isString(GitUrl.problemOfDisplayed(text))
  })
})
