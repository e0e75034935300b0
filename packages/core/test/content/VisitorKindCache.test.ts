/** Answers that are kept while what they are of changes, and for whom. */
import { VisitorKindCache } from "@lectern/core/content/VisitorKindCache"
import { assert, describe, it } from "@effect/vitest"

const at = (version: string, name = "page") => ({ name, version })

describe("kept answers", () => {
  it("are for everyone where they read no claims", () => {
    const kept = new VisitorKindCache<string>(10)
    kept.set(at("1"), "beta", false, "one", 1)
    assert.deepStrictEqual([kept.get(at("1"), "beta"), kept.get(at("1"), "other")], ["one", "one"])
  })

  it("are for their kind of visitors where they read claims", () => {
    const kept = new VisitorKindCache<string>(10)
    kept.set(at("1"), "beta", true, "for beta", 1)
    kept.set(at("1"), "other", true, "for others", 1)
    assert.deepStrictEqual(
      ["beta", "other", "third"].map((kind) => kept.get(at("1"), kind)),
      ["for beta", "for others", undefined]
    )
  })

  it("go with the version after them", () => {
    const kept = new VisitorKindCache<string>(2)
    kept.set(at("1", "another"), undefined, false, "stays", 1)
    for (const version of ["1", "2", "3"]) kept.set(at(version), undefined, false, version, 1)
    assert.strictEqual(kept.get(at("3"), undefined), "3")
    assert.strictEqual(kept.get(at("2"), undefined), undefined)
    assert.strictEqual(kept.get(at("1", "another"), undefined), "stays")
  })

  it("are never those of another version, whichever of the two reads claims", () => {
    const kept = new VisitorKindCache<string>(10)
    kept.set(at("1"), "beta", false, "for all", 1)
    kept.set(at("2"), "beta", true, "for beta", 1)
    assert.deepStrictEqual([kept.get(at("2"), "beta"), kept.get(at("2"), "other")], ["for beta", undefined])
    kept.set(at("3"), "beta", false, "for all again", 1)
    assert.deepStrictEqual([kept.get(at("3"), "other"), kept.get(at("2"), "other")], ["for all again", undefined])
    // An answer that took long comes after the one that follows it.
    kept.set(at("2"), "other", true, "for others", 1)
    assert.deepStrictEqual([kept.get(at("2"), "beta"), kept.get(at("3"), "other")], ["for beta", undefined])
  })
})
