/** The rules of what a site is made of, one by one. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import {
  derivedPath,
  empty,
  findSection,
  findSiteSpace,
  isGroup,
  itemsOf,
  maxGroups,
  maxSections,
  sections,
  type SiteSectionGroupId,
  type SiteSectionId,
  SitePath,
  type SiteSpaceId,
  type SiteStructure
} from "@lectern/core/site/SiteStructure"
import * as SectionChanges from "@lectern/core/site/SectionChanges"
import * as SectionGroupChanges from "@lectern/core/site/SectionGroupChanges"
import * as SiteSpaceChanges from "@lectern/core/site/SiteSpaceChanges"
import type { SpaceId } from "@lectern/core/space/Space"

const siteSpace = (id: string) => id as SiteSpaceId
const section = (id: string) => id as SiteSectionId
const group = (id: string) => id as SiteSectionGroupId

type Change = (structure: SiteStructure) => Result.Result<SiteStructure, { readonly _tag: string }>

const made = (...changes: ReadonlyArray<Change>): SiteStructure =>
  changes.reduce<SiteStructure>((structure, change) => Result.getOrThrow(change(structure)), empty)

const refusal = (structure: SiteStructure, change: Change) => {
  const changed = change(structure)
  return Result.isFailure(changed) ? changed.failure._tag : "accepted"
}

/** A site space of a space of its own, or of the one named. */
const space =
  (id: string, { of = id, into, title = id }: { of?: string; into?: string; title?: string } = {}): Change =>
  (structure) =>
    SiteSpaceChanges.addSiteSpace(
      structure,
      { id: siteSpace(id), space: of as SpaceId, title },
      into === undefined ? undefined : section(into)
    )

/** A section with a site space called after it. */
const sectionOf =
  (id: string, { of = `${id}1`, title = id }: { of?: string; title?: string } = {}): Change =>
  (structure) =>
    SectionChanges.addSection(structure, {
      id: section(id),
      title,
      siteSpace: { id: siteSpace(`${id}1`), space: of as SpaceId, title: `${id}1` }
    })

const groupOf =
  (id: string, ...held: ReadonlyArray<string>): Change =>
  (structure) =>
    SectionGroupChanges.addGroup(structure, { id: group(id), title: id, sections: held.map(section) })

/** As in `a* b [G: c d]`, the default with a star; the site spaces of a section as in `a(x* y)`. */
const shown = (structure: SiteStructure, inside = false): string => {
  const star = (id: string, chosen: string | null) => (id === chosen ? `${id}*` : id)
  const spaces = (level: { siteSpaces: ReadonlyArray<{ id: string }>; default: string | null }) =>
    level.siteSpaces.map(({ id }) => star(id, level.default)).join(" ")
  const chosen = structure.type === "sections" ? structure.default : null
  const items = itemsOf(structure).map((item) => {
    const held = (isGroup(item) ? item.sections : [item]).map(
      (entry) => star(entry.id, chosen) + (inside ? `(${spaces(entry)})` : "")
    )
    return isGroup(item) ? `[${[`${item.id}:`, ...held].join(" ")}]` : held.join("")
  })
  return [...(structure.type === "siteSpaces" ? [`root(${spaces(structure)})`] : []), ...items].join(" ")
}

describe("a site space", () => {
  it("stands at the root of a site without sections, the first as the default", () => {
    assert.strictEqual(shown(made(space("a"), space("b"))), "root(a* b)")
  })

  it("stands in the default section, or in the one that is named", () => {
    const site = made(sectionOf("s"), sectionOf("t"), space("a"), space("b", { into: "t" }))
    assert.strictEqual(shown(site, true), "s*(s1* a) t(t1* b)")
    assert.strictEqual(refusal(site, space("c", { into: "u" })), "SiteSectionNotFound")
    assert.strictEqual(refusal(made(space("a")), space("c", { into: "u" })), "SiteSectionNotFound")
  })

  it("stands once on a level, and on any other too", () => {
    assert.strictEqual(refusal(made(space("a")), space("b", { of: "a" })), "SpaceTwice")
    const site = made(sectionOf("s"), sectionOf("t"))
    assert.strictEqual(refusal(site, space("b", { of: "s1" })), "SpaceTwice")
    assert.strictEqual(refusal(site, space("b", { of: "s1", into: "t" })), "accepted")
    const two = made(space("a"), space("b"))
    const pointed = (of: string) => (at: SiteStructure) =>
      SiteSpaceChanges.patchSiteSpace(at, siteSpace("b"), { space: of as SpaceId })
    assert.strictEqual(refusal(two, pointed("a")), "SpaceTwice")
    assert.strictEqual(refusal(two, pointed("b")), "accepted")
    assert.strictEqual(findSiteSpace(Result.getOrThrow(pointed("c")(two)), "b")!.siteSpace.space, "c")
  })

  it("leaves, and the next one is the default, or the one before", () => {
    const remove = (id: string) => (at: SiteStructure) => SiteSpaceChanges.removeSiteSpace(at, siteSpace(id))
    const choose = (id: string) => (at: SiteStructure) => SiteSpaceChanges.setDefaultSiteSpace(at, null, siteSpace(id))
    const three = [space("a"), space("b"), space("c")]
    assert.strictEqual(shown(made(...three, remove("a"))), "root(b* c)")
    assert.strictEqual(shown(made(...three, remove("b"))), "root(a* c)")
    assert.strictEqual(shown(made(...three, choose("b"), remove("b"))), "root(a c*)")
    assert.strictEqual(shown(made(...three, choose("c"), remove("c"))), "root(a b*)")
    assert.strictEqual(shown(made(space("a"), remove("a"))), "root()")
    assert.strictEqual(shown(made(sectionOf("s"), remove("s1")), true), "s*()")
    assert.strictEqual(refusal(empty, remove("a")), "SiteSpaceNotFound")
  })

  it("is the default of its own level only", () => {
    const site = made(sectionOf("s"), sectionOf("t"), space("a"))
    const choose = (into: string | null, id: string) => (at: SiteStructure) =>
      SiteSpaceChanges.setDefaultSiteSpace(at, into === null ? null : section(into), siteSpace(id))
    assert.strictEqual(shown(Result.getOrThrow(choose("s", "a")(site)), true), "s*(s1 a*) t(t1*)")
    assert.strictEqual(refusal(site, choose("t", "a")), "SiteSpaceNotFound")
    assert.strictEqual(refusal(site, choose(null, "a")), "SiteSpaceNotFound")
    assert.strictEqual(refusal(site, choose("u", "a")), "SiteSectionNotFound")
    assert.strictEqual(Result.getOrThrow(choose("s", "s1")(site)), site)
  })

  it("has a condition until that is taken away", () => {
    const patched = (condition: string | null) => (at: SiteStructure) =>
      SiteSpaceChanges.patchSiteSpace(at, siteSpace("a"), { condition })
    const conditional = made(space("a"), patched("visitor.claims.beta"))
    assert.strictEqual(findSiteSpace(conditional, "a")!.siteSpace.condition, "visitor.claims.beta")
    assert.notProperty(findSiteSpace(Result.getOrThrow(patched(null)(conditional)), "a")!.siteSpace, "condition")
  })
})

describe("a section", () => {
  it("takes in what stands at the root, when it is the first", () => {
    const choose = (at: SiteStructure) => SiteSpaceChanges.setDefaultSiteSpace(at, null, siteSpace("b"))
    assert.strictEqual(shown(made(space("a"), space("b"), choose, sectionOf("s")), true), "s*(a b* s1)")
    assert.strictEqual(shown(made(space("a"), space("b"), sectionOf("s", { of: "b" })), true), "s*(a* b)")
    assert.strictEqual(shown(made(sectionOf("s"), sectionOf("t")), true), "s*(s1*) t(t1*)")
  })

  it("goes with its site spaces, and the next one is the default, over all groups", () => {
    const remove = (id: string) => (at: SiteStructure) => SectionChanges.removeSection(at, section(id))
    const choose = (id: string) => (at: SiteStructure) => SectionChanges.setDefaultSection(at, section(id))
    const site = [sectionOf("s"), sectionOf("t"), sectionOf("u"), groupOf("G", "t"), sectionOf("v")]
    assert.strictEqual(shown(made(...site)), "s* u [G: t] v")
    assert.strictEqual(shown(made(...site, remove("s"))), "u* [G: t] v")
    assert.strictEqual(shown(made(...site, choose("u"), remove("u"))), "s [G: t*] v")
    assert.strictEqual(shown(made(...site, choose("t"), remove("t"))), "s u [G:] v*")
    assert.strictEqual(shown(made(...site, choose("v"), remove("v"))), "s u [G: t*]")
    assert.strictEqual(refusal(made(...site), remove("x")), "SiteSectionNotFound")
    assert.strictEqual(refusal(made(...site), choose("x")), "SiteSectionNotFound")
    assert.strictEqual(refusal(made(space("s")), choose("s")), "SiteSectionNotFound")
  })

  it("is the last, and the site has none: groups wait for the next", () => {
    const remove = (at: SiteStructure) => SectionChanges.removeSection(at, section("s"))
    assert.deepStrictEqual(made(sectionOf("s"), remove), empty)
    const waiting = made(sectionOf("s"), groupOf("G", "s"), remove, space("a"))
    assert.strictEqual(shown(waiting, true), "root(a*) [G:]")
    const again = Result.getOrThrow(sectionOf("t")(waiting))
    assert.strictEqual(shown(again, true), "[G:] t*(a* t1)")
    assert.strictEqual(
      shown(Result.getOrThrow(SectionGroupChanges.addSectionToGroup(again, group("G"), section("t")))),
      "[G: t*]"
    )
  })

  it("is changed by what is given, and loses what is null", () => {
    const patch = { title: "Other", icon: "book", description: "What", condition: "visitor.claims.beta" }
    const site = Result.getOrThrow(SectionChanges.patchSection(made(sectionOf("s")), section("s"), patch))
    assert.include(findSection(site, "s"), { ...patch, path: "s" })
    const bare = SectionChanges.patchSection(site, section("s"), { icon: null, description: null, condition: null })
    assert.doesNotHaveAnyKeys(findSection(Result.getOrThrow(bare), "s"), ["icon", "description", "condition"])
    assert.strictEqual(
      refusal(site, (at) => SectionChanges.patchSection(at, section("x"), patch)),
      "SiteSectionNotFound"
    )
  })

  it("is one of at most 500", () => {
    const many = made(...Array.from({ length: maxSections }, (_, n) => sectionOf(`s${n}`)))
    assert.strictEqual(refusal(many, sectionOf("more")), "StructureTooLarge")
  })
})

describe("a section group", () => {
  const site = [sectionOf("s"), sectionOf("t"), sectionOf("u"), sectionOf("v")]
  const remove = (id: string) => (at: SiteStructure) => SectionGroupChanges.removeGroup(at, group(id))
  const add = (into: string, id: string) => (at: SiteStructure) =>
    SectionGroupChanges.addSectionToGroup(at, group(into), section(id))
  const leave = (from: string, id: string) => (at: SiteStructure) =>
    SectionGroupChanges.removeSectionFromGroup(at, group(from), section(id))

  it("stands at the end with the sections that are named, in that order", () => {
    assert.strictEqual(shown(made(...site, groupOf("G", "u", "s", "u"))), "t v [G: u s*]")
    assert.strictEqual(shown(made(...site, groupOf("G", "u", "s"), groupOf("H", "s"))), "t v [G: u] [H: s*]")
    assert.strictEqual(refusal(made(...site), groupOf("G", "s", "x")), "SiteSectionNotFound")
    assert.strictEqual(shown(made(groupOf("G"), space("a"))), "root(a*) [G:]")
  })

  it("goes, and leaves its sections in its place", () => {
    assert.strictEqual(shown(made(...site, groupOf("G", "u", "s"), sectionOf("w"), remove("G"))), "t v u s* w")
    assert.strictEqual(shown(made(...site, groupOf("G"), remove("G"))), "s* t u v")
    assert.strictEqual(shown(made(groupOf("G"), remove("G"))), "root()")
    assert.strictEqual(refusal(made(...site), remove("G")), "SectionGroupNotFound")
  })

  it("takes a section to its end, out of where it was", () => {
    const two = [...site, groupOf("G", "s", "t"), groupOf("H", "u")]
    assert.strictEqual(shown(made(...two, add("G", "u"))), "v [G: s* t u] [H:]")
    assert.strictEqual(shown(made(...two, add("H", "v"))), "[G: s* t] [H: u v]")
    const there = made(...two)
    assert.strictEqual(Result.getOrThrow(add("G", "s")(there)), there)
    assert.strictEqual(refusal(there, add("X", "s")), "SectionGroupNotFound")
    assert.strictEqual(refusal(there, add("G", "x")), "SiteSectionNotFound")
    // A group in a group can't be.
    assert.strictEqual(refusal(there, add("G", "H")), "SiteSectionNotFound")
  })

  it("lets a section go right behind it", () => {
    const grouped = made(...site, groupOf("G", "s", "t"), sectionOf("w"))
    assert.strictEqual(shown(Result.getOrThrow(leave("G", "s")(grouped))), "u v [G: t] s* w")
    assert.strictEqual(refusal(grouped, leave("G", "u")), "SiteSectionNotFound")
    assert.strictEqual(refusal(grouped, leave("X", "s")), "SectionGroupNotFound")
  })

  it("is called and marked as is said", () => {
    const patched = Result.getOrThrow(
      SectionGroupChanges.patchGroup(made(groupOf("G")), group("G"), { title: "New", icon: "book" })
    )
    assert.include(itemsOf(patched)[0], { title: "New", icon: "book" })
    const bare = Result.getOrThrow(SectionGroupChanges.patchGroup(patched, group("G"), { icon: null }))
    assert.notProperty(itemsOf(bare)[0], "icon")
    assert.strictEqual(
      refusal(bare, (at) => SectionGroupChanges.patchGroup(at, group("X"), {})),
      "SectionGroupNotFound"
    )
  })

  it("is one of at most 100", () => {
    const many = made(...Array.from({ length: maxGroups }, (_, n) => groupOf(`g${n}`)))
    assert.strictEqual(refusal(many, groupOf("more")), "StructureTooLarge")
  })
})

describe("a path", () => {
  const pathOf = (structure: SiteStructure, id: string) =>
    (findSection(structure, id) ?? findSiteSpace(structure, id)!.siteSpace).path

  const derived: ReadonlyArray<readonly [title: string, path: string]> = [
    ["Getting started", "getting-started"],
    ["  Über — Größe & Mèß!  ", "uber-gro-e-me"],
    ["API v2.0", "api-v2-0"],
    ["ﬁle Ⅳ", "file-iv"],
    ["日本語", "section"],
    ["...", "section"],
    ["", "section"],
    ["x".repeat(99) + " yz", "x".repeat(99)],
    ["👋".repeat(128), "section"]
  ]
  for (const [title, path] of derived) {
    it(`of "${title.slice(0, 30)}" is ${path.slice(0, 30)}`, () => {
      assert.strictEqual(derivedPath(title, "section"), path)
      assert.isTrue(Schema.is(SitePath)(path))
    })
  }

  it("that is taken gets a number", () => {
    const titled = (id: string, title: string) => sectionOf(id, { title })
    const site = made(titled("a", "日本"), titled("b", "中国"), titled("c", "Section!"), titled("d", "Docs"))
    assert.deepStrictEqual(
      sections(site).map((place) => place.section.path),
      ["section", "section-2", "section-3", "docs"]
    )
    const long = "x".repeat(120)
    const root = made(space("a", { title: long }), space("b", { title: long }), space("c", { title: "--" }))
    assert.strictEqual(pathOf(root, "b"), `${"x".repeat(98)}-2`)
    assert.strictEqual(pathOf(root, "c"), "space")
    // Groups are no segment: sections of two groups are siblings.
    const grouped = made(titled("a", "Docs"), groupOf("G", "a"), titled("b", "docs"))
    assert.strictEqual(pathOf(grouped, "b"), "docs-2")
    // Each section has site spaces of its own.
    assert.strictEqual(pathOf(made(sectionOf("s"), sectionOf("t"), space("x", { title: "t1" })), "x"), "t1")
  })

  it("stays when the title changes", () => {
    const site = SectionChanges.patchSection(made(sectionOf("s")), section("s"), { title: "Another" })
    assert.strictEqual(pathOf(Result.getOrThrow(site), "s"), "s")
  })

  it("is taken by a sibling in any case, and may change its own", () => {
    const two = made(sectionOf("s"), sectionOf("t"), groupOf("G", "t"))
    const patch = (id: string, path: string) => (at: SiteStructure) =>
      SectionChanges.patchSection(at, section(id), { path })
    assert.strictEqual(refusal(two, patch("s", "T")), "PathTaken")
    assert.strictEqual(pathOf(Result.getOrThrow(patch("s", "S")(two)), "s"), "S")
    const root = made(space("a"), space("b"))
    const move = (path: string) => (at: SiteStructure) => SiteSpaceChanges.patchSiteSpace(at, siteSpace("a"), { path })
    assert.strictEqual(refusal(root, move("B")), "PathTaken")
    assert.strictEqual(pathOf(Result.getOrThrow(move("A")(root)), "a"), "A")
  })

  it("is a segment of a URL that needs no escape", () => {
    const isPath = Schema.is(SitePath)
    for (const path of ["a", "A-b_c.d~e", "...", "x".repeat(100), ".well-known"]) assert.isTrue(isPath(path), path)
    for (const path of ["", ".", "..", "a/b", "a b", "ä", "a%20", "a\n", "x".repeat(101), "\u0000"]) {
      assert.isFalse(isPath(path), path)
    }
  })
})

describe("a space that leaves", () => {
  const remove = (structure: SiteStructure, of: string) => SiteSpaceChanges.removeSpace(structure, of as SpaceId)

  it("leaves every section, which stay, and comes back to its place in each", () => {
    const site = made(sectionOf("s"), sectionOf("t"), space("a", { of: "s1", into: "t", title: "t1" }), space("b"))
    const { structure, removed } = remove(site, "s1")
    assert.strictEqual(shown(structure, true), "s*(b*) t(t1*)")
    assert.strictEqual(shown(SiteSpaceChanges.restore(structure, removed), true), "s*(s1* b) t(t1* a)")
    const alone = remove(structure, "b")
    assert.strictEqual(shown(alone.structure, true), "s*() t(t1*)")
    assert.strictEqual(shown(SiteSpaceChanges.restore(alone.structure, alone.removed), true), "s*(b*) t(t1*)")
  })

  it("comes back as the default that it was, unless another one was chosen meanwhile", () => {
    const site = made(space("a"), space("b"), space("c"))
    const { structure, removed } = remove(site, "a")
    assert.strictEqual(shown(structure, true), "root(b* c)")
    assert.strictEqual(shown(SiteSpaceChanges.restore(structure, removed), true), "root(a* b c)")
    const chosen = Result.getOrThrow(SiteSpaceChanges.setDefaultSiteSpace(structure, null, siteSpace("c")))
    assert.strictEqual(shown(SiteSpaceChanges.restore(chosen, removed), true), "root(a b c*)")
  })

  it("comes back to its place when others left after it, in whichever order", () => {
    const site = made(space("a"), space("b"), space("c"), space("d"))
    const first = remove(site, "b")
    const second = remove(first.structure, "a")
    const back = [first, second].map(({ removed }) => removed)
    for (const order of [back, back.toReversed()]) {
      const whole = order.reduce(SiteSpaceChanges.restore, second.structure)
      assert.strictEqual(shown(whole, true), "root(a* b c d)")
    }
  })

  it("is not put back where its place is gone, or the space stands again", () => {
    const root = made(space("a"), space("b"))
    const { structure, removed } = remove(root, "a")
    const sectioned = Result.getOrThrow(sectionOf("s")(structure))
    assert.strictEqual(SiteSpaceChanges.restore(sectioned, removed), sectioned)
    const again = Result.getOrThrow(space("c", { of: "a" })(structure))
    assert.strictEqual(SiteSpaceChanges.restore(again, removed), again)
    const gone = remove(made(sectionOf("s"), sectionOf("t")), "t1")
    const without = Result.getOrThrow(SectionChanges.removeSection(gone.structure, section("t")))
    assert.strictEqual(SiteSpaceChanges.restore(without, gone.removed), without)
  })

  it("comes back with a path that nothing has, and only once", () => {
    const { structure, removed } = remove(made(space("a"), space("b")), "a")
    const taken = Result.getOrThrow(SiteSpaceChanges.patchSiteSpace(structure, siteSpace("b"), { path: "A" }))
    const back = SiteSpaceChanges.restore(taken, removed)
    assert.strictEqual(findSiteSpace(back, "a")!.siteSpace.path, "a-2")
    const elsewhere = Result.getOrThrow(
      SiteSpaceChanges.patchSiteSpace(back, siteSpace("a"), { space: "other" as SpaceId })
    )
    assert.strictEqual(SiteSpaceChanges.restore(elsewhere, removed), elsewhere)
  })

  it("changes nothing where it does not stand", () => {
    const site = made(sectionOf("s"))
    assert.strictEqual(remove(site, "x").structure, site)
  })
})
