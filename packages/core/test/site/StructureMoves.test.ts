/** Position of a sorted thing, rule by rule. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import {
  findSiteSpace,
  isGroup,
  itemsOf,
  type SectionEntry,
  type SiteSectionGroupId,
  type SiteSectionId,
  type SiteSpaceEntry,
  type SiteSpaceId,
  type SiteStructure
} from "@lectern/core/site/SiteStructure"
import { type Pointer, type SitePosition, sort } from "@lectern/core/site/StructureMoves"
import type { SpaceId } from "@lectern/core/space/Space"

const siteSpaceOf = (id: string, space = id, path = id): SiteSpaceEntry => ({
  id: id as SiteSpaceId,
  space: space as SpaceId,
  path
})

const sectionOf = (id: string, ...siteSpaces: ReadonlyArray<SiteSpaceEntry>): SectionEntry => ({
  id: id as SiteSectionId,
  title: id,
  path: id,
  siteSpaces,
  default: siteSpaces[0]?.id ?? null
})

const groupOf = (id: string, ...held: ReadonlyArray<SectionEntry>) => ({
  id: id as SiteSectionGroupId,
  title: id,
  sections: held
})

/** Sections are lower case, groups upper case, site spaces have a number. */
const site: SiteStructure = {
  type: "sections",
  items: [
    sectionOf("a", siteSpaceOf("a1"), siteSpaceOf("a2", "shared", "V2"), siteSpaceOf("a3")),
    groupOf(
      "G",
      sectionOf("b", siteSpaceOf("b1"), siteSpaceOf("b2", "shared", "v2")),
      sectionOf("c", siteSpaceOf("c1"))
    ),
    sectionOf("d", siteSpaceOf("d1", "d1", "v2")),
    groupOf("H"),
    sectionOf("e")
  ],
  default: "a" as SiteSectionId
}

const root: SiteStructure = {
  type: "siteSpaces",
  siteSpaces: [siteSpaceOf("r1"), siteSpaceOf("r2"), siteSpaceOf("r3")],
  default: "r2" as SiteSpaceId,
  groups: [groupOf("G"), groupOf("H")]
}

const pointer = (id: string): Pointer => ({
  type: /\d/.test(id) ? "site-space" : /[A-Z]/.test(id) ? "site-section-group" : "site-section",
  id
})

/** As in `after x`, `before x` and `after x before y`. */
const positionOf = (words: string): SitePosition =>
  Object.fromEntries([...words.matchAll(/(before|after) (\S+)/g)].map(([, side, id]) => [side!, pointer(id!)]))

const sorted = (structure: SiteStructure, item: string, position: string) =>
  sort(structure, pointer(item), positionOf(position))

const order = (structure: SiteStructure) =>
  itemsOf(structure)
    .map((item) => (isGroup(item) ? `[${[`${item.id}:`, ...item.sections.map(({ id }) => id)].join(" ")}]` : item.id))
    .join(" ")

const siteSpacesOf = (structure: SiteStructure, ...of: ReadonlyArray<string>) => {
  const level = (at: { siteSpaces: ReadonlyArray<{ id: string }>; default: string | null }) =>
    at.siteSpaces.map(({ id }) => (id === at.default ? `${id}*` : id)).join(" ")
  if (structure.type === "siteSpaces") return level(structure)
  const all = structure.items.flatMap((item) => (isGroup(item) ? item.sections : [item]))
  return of.map((id) => `${id}(${level(all.find((section) => section.id === id)!)})`).join(" ")
}

const unchanged = "a [G: b c] d [H:] e"

describe("a section is sorted", () => {
  const cases: ReadonlyArray<readonly [item: string, position: string, order: string]> = [
    ["d", "before a", "d a [G: b c] [H:] e"],
    ["a", "after d", "[G: b c] d a [H:] e"],
    ["a", "after d before H", "[G: b c] d a [H:] e"],
    // Beside a section in a group it goes into that; beside a group, or one that is in none, it is out.
    ["d", "before c", "a [G: b d c] [H:] e"],
    ["d", "after c", "a [G: b c d] [H:] e"],
    ["d", "after b before c", "a [G: b d c] [H:] e"],
    ["b", "after e", "a [G: c] d [H:] e b"],
    ["b", "before G", "a b [G: c] d [H:] e"],
    ["b", "after G", "a [G: c] b d [H:] e"],
    ["b", "after c", "a [G: c b] d [H:] e"],
    ["b", "after d before H", "a [G: c] d b [H:] e"],
    // Without a neighbour: to the end of its own level.
    ["a", "", "[G: b c] d [H:] e a"],
    ["b", "", "a [G: c b] d [H:] e"],
    // Where it is already.
    ["a", "before G", unchanged],
    ["d", "after G before H", unchanged],
    ["d", "after d", unchanged],
    ["b", "before b", unchanged],
    ["d", "after G before d", unchanged],
    ["e", "", unchanged]
  ]
  for (const [item, position, wanted] of cases) {
    it(`${item} ${position || "to the end"}`, () => {
      const after = Result.getOrThrow(sorted(site, item, position))
      assert.strictEqual(order(after), wanted)
      assert.strictEqual(after.default, "a")
      if (wanted === unchanged) assert.strictEqual(after, site)
    })
  }
})

describe("a group is sorted", () => {
  const cases: ReadonlyArray<readonly [item: string, position: string, order: string]> = [
    ["G", "before a", "[G: b c] a d [H:] e"],
    ["H", "after G", "a [G: b c] [H:] d e"],
    ["H", "after G before d", "a [G: b c] [H:] d e"],
    ["G", "", "a d [H:] e [G: b c]"],
    ["G", "after a", unchanged],
    ["G", "after G", unchanged]
  ]
  for (const [item, position, wanted] of cases) {
    it(`${item} ${position || "to the end"}`, () => {
      const after = Result.getOrThrow(sorted(site, item, position))
      assert.strictEqual(order(after), wanted)
      if (wanted === unchanged) assert.strictEqual(after, site)
    })
  }

  it("among groups that wait for sections", () => {
    const after = Result.getOrThrow(sorted(root, "G", "after H"))
    assert.strictEqual(order(after), "[H:] [G:]")
    assert.strictEqual(siteSpacesOf(after), "r1 r2* r3")
  })
})

describe("a site space is sorted", () => {
  const cases: ReadonlyArray<readonly [item: string, position: string, of: ReadonlyArray<string>, wanted: string]> = [
    ["a3", "before a1", ["a"], "a(a3 a1* a2)"],
    ["a1", "", ["a"], "a(a2 a3 a1*)"],
    ["a1", "after a2 before a3", ["a"], "a(a2 a1* a3)"],
    ["a1", "after a1", ["a"], "a(a1* a2 a3)"],
    // Into another section, whose default stays; the one that it leaves promotes the next.
    ["a1", "after b1", ["a", "b"], "a(a2* a3) b(b1* a1 b2)"],
    ["a3", "before b1", ["a", "b"], "a(a1* a2) b(a3 b1* b2)"],
    ["a3", "after b1 before b2", ["a", "b"], "a(a1* a2) b(b1* a3 b2)"],
    // A section that is left empty stays.
    ["c1", "after d1", ["c", "d"], "c() d(d1* c1)"]
  ]
  for (const [item, position, of, wanted] of cases) {
    it(`${item} ${position || "to the end"}`, () => {
      assert.strictEqual(siteSpacesOf(Result.getOrThrow(sorted(site, item, position)), ...of), wanted)
    })
  }

  it("at the root", () => {
    assert.strictEqual(siteSpacesOf(Result.getOrThrow(sorted(root, "r2", "before r1"))), "r2* r1 r3")
    assert.strictEqual(siteSpacesOf(Result.getOrThrow(sorted(root, "r1", ""))), "r2* r3 r1")
    assert.strictEqual(Result.getOrThrow(sorted(root, "r3", "")), root)
  })

  it("with another path where that is taken", () => {
    const after = Result.getOrThrow(sorted(site, "d1", "before b1"))
    assert.strictEqual(findSiteSpace(after, "d1")!.siteSpace.path, "v2-2")
    const free = Result.getOrThrow(sorted(site, "a2", "after d1"))
    assert.strictEqual(findSiteSpace(free, "a2")!.siteSpace.path, "V2-2")
    const kept = Result.getOrThrow(sorted(site, "a2", "after c1"))
    assert.strictEqual(findSiteSpace(kept, "a2")!.siteSpace.path, "V2")
  })

  it("not where its space stands already", () => {
    const twice = sorted(site, "a2", "after b1")
    assert.strictEqual(Result.isFailure(twice) && twice.failure._tag, "SpaceTwice")
  })
})

describe("nothing can be sorted", () => {
  const invalid: ReadonlyArray<readonly [structure: SiteStructure, item: string, position: string, path: string]> = [
    // What is no sibling, or not there.
    [site, "a", "before a1", "body.position.before"],
    [site, "a", "after x", "body.position.after"],
    [site, "a", "after X", "body.position.after"],
    [site, "a1", "before b", "body.position.before"],
    [site, "a1", "after G", "body.position.after"],
    [site, "a1", "after x9", "body.position.after"],
    [site, "a1", "after b1 before x9", "body.position.before"],
    [root, "r1", "after a1", "body.position.after"],
    // A group in a group.
    [site, "H", "before b", "body.position.before"],
    [site, "H", "after c", "body.position.after"],
    [site, "G", "after b", "body.position.after"],
    // What are no neighbours, in that order.
    [site, "d", "after a before H", "body.position"],
    [site, "d", "after G before a", "body.position"],
    [site, "d", "after b before G", "body.position"],
    [site, "d", "after a before b", "body.position"],
    [site, "d", "after c before b", "body.position"],
    [site, "d", "after a before a", "body.position"],
    [site, "d", "after d before d", "body.position"],
    [site, "d", "after a before d", "body.position"],
    [site, "a1", "after a3 before b1", "body.position"],
    [site, "H", "after a before b", "body.position"]
  ]
  for (const [structure, item, position, path] of invalid) {
    it(`${item} ${position}`, () => {
      const refused = sorted(structure, item, position)
      if (Result.isSuccess(refused)) return assert.fail(order(refused.success))
      const error = refused.failure
      if (error._tag !== "InvalidPosition") return assert.fail(error._tag)
      assert.deepStrictEqual(
        error.issues.map((issue) => issue.path),
        [path]
      )
    })
  }

  it("that is not there", () => {
    const tag = (item: Pointer) => {
      const refused = sort(site, item, {})
      return Result.isFailure(refused) && refused.failure._tag
    }
    assert.strictEqual(tag(pointer("x1")), "SiteSpaceNotFound")
    assert.strictEqual(tag(pointer("x")), "SiteSectionNotFound")
    assert.strictEqual(tag(pointer("X")), "SectionGroupNotFound")
    assert.strictEqual(tag({ type: "site-section", id: "a1" }), "SiteSectionNotFound")
    assert.strictEqual(tag({ type: "site-section-group", id: "a" }), "SectionGroupNotFound")
  })
})
