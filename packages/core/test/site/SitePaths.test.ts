/** Every page's path leads back to it, and what moved is found where it was. */
import { assert, describe, it } from "@effect/vitest"
import { Result } from "effect"
import * as fc from "fast-check"
import * as SitePaths from "@lectern/core/site/SitePaths"
import {
  foldPath,
  empty,
  findSiteSpace,
  isGroup,
  type Item,
  type SectionEntry,
  sections,
  sectionsIn,
  type SiteSectionGroupId,
  type SiteSectionId,
  type SiteSpaceEntry,
  type SiteSpaceId,
  siteSpaces,
  type SiteStructure
} from "@lectern/core/site/SiteStructure"
import * as SectionChanges from "@lectern/core/site/SectionChanges"
import * as SiteSpaceChanges from "@lectern/core/site/SiteSpaceChanges"
import { sort } from "@lectern/core/site/StructureMoves"
import type { SpaceId } from "@lectern/core/space/Space"
import * as RandomStructures from "./RandomStructures.ts"
import { runs } from "../Runs.ts"

/** Hides the entries on which the random changes set a condition. */
const visible: SitePaths.IsVisible = ({ condition }) => condition === undefined

const pages = fc.array(fc.constantFrom(...RandomStructures.paths, "intro", "x", "__proto__"), { maxLength: 4 })

interface History {
  readonly structure: SiteStructure
  readonly aliases: SitePaths.SiteAliases
}

/** A structure with the aliases that its changes left. */
const history = (steps: ReadonlyArray<RandomStructures.Step>) => {
  let state = RandomStructures.nothingYet(empty)
  let aliases: SitePaths.SiteAliases = []
  for (const step of steps) {
    const next = RandomStructures.apply(state, step).state
    aliases = SitePaths.updateAliases(state.structure, next.structure, aliases)
    state = next
  }
  return { state, aliases }
}

/** The structure as if what is hidden had never been there. */
const withoutHidden = (structure: SiteStructure): SiteStructure => {
  const shown = (level: Pick<SectionEntry, "siteSpaces" | "default">) => {
    const left = level.siteSpaces.filter(visible)
    const chosen = left.find(({ id }) => id === level.default) ?? left[0]
    return { siteSpaces: left, default: chosen?.id ?? null }
  }
  if (structure.type === "siteSpaces") return { ...structure, ...shown(structure) }
  const section = (entry: SectionEntry): ReadonlyArray<SectionEntry> => {
    const left = { ...entry, ...shown(entry) }
    return visible(entry) && left.siteSpaces.length > 0 ? [left] : []
  }
  const items = structure.items.flatMap((item): ReadonlyArray<Item> =>
    isGroup(item) ? [{ ...item, sections: item.sections.flatMap(section) }] : section(item)
  )
  const left = sectionsIn(items).map((held) => held.section.id)
  const chosen = left.includes(structure.default) ? structure.default : left[0]
  return chosen === undefined ? empty : { type: "sections", items, default: chosen }
}

const folded = (names: ReadonlyArray<string>) => new Set(names.map(foldPath))

/** The path of a page, where no other page of its space is called as a part of the site is. */
const pathOf = (index: SitePaths.Index, id: string, page: ReadonlyArray<string>, seen?: SitePaths.IsVisible) => [
  ...SitePaths.base(index, id, folded(page.slice(0, 1)), seen),
  ...page
]

const place = (resolved: SitePaths.ResolvedPath | undefined) =>
  resolved && { section: resolved.section?.id, siteSpace: resolved.siteSpace.id, rest: resolved.rest }

describe("SitePaths", () => {
  it("leads every page's path back to it", () => {
    fc.assert(
      fc.property(RandomStructures.steps, pages, fc.boolean(), (steps, page, isMember) => {
        const { state, aliases } = history(steps)
        const index = SitePaths.index(state.structure, aliases)
        const seen = isMember ? () => true : visible
        for (const { siteSpace, section } of siteSpaces(state.structure)) {
          if (!seen(siteSpace) || (section && !seen(section))) continue
          // A page may be called as a site space or a section is.
          const names = [[], [siteSpace.path], [section?.path ?? "a"], [siteSpace.path.toUpperCase(), siteSpace.path]]
          for (const begin of names) {
            const wanted = [...begin, ...page]
            const path = pathOf(index, siteSpace.id, wanted, seen)
            assert.deepStrictEqual(
              place(SitePaths.resolve(index, path, seen)),
              { section: section?.id, siteSpace: siteSpace.id, rest: wanted },
              path.join("/")
            )
            const full = [...(section ? [section.path] : []), siteSpace.path, ...wanted]
            assert.deepStrictEqual(place(SitePaths.resolve(index, full, seen))?.siteSpace, siteSpace.id)
            assert.isAtMost(path.length, full.length)
          }
        }
      }),
      runs(1500)
    )
  })

  it("leads the path of every page of a space, behind one base, back to it", () => {
    fc.assert(
      fc.property(RandomStructures.steps, pages, fc.boolean(), (steps, names, isMember) => {
        const { state, aliases } = history(steps)
        const index = SitePaths.index(state.structure, aliases)
        const seen = isMember ? () => true : visible
        for (const { siteSpace, section } of siteSpaces(state.structure)) {
          if (!seen(siteSpace) || (section && !seen(section))) continue
          const wanted = { section: section?.id, siteSpace: siteSpace.id }
          const base = SitePaths.base(index, siteSpace.id, folded(names), seen)
          const full = [...(section ? [section.path] : []), siteSpace.path]
          for (const before of [base, full, full.slice(0, 1), full.slice(1), []]) {
            const leads = names.every((name) => {
              const found = place(SitePaths.resolve(index, [...before, name, "below"], seen))
              return found?.siteSpace === siteSpace.id && found.rest.length === 2
            })
            const isBase = SitePaths.isBase(index, before, siteSpace.id, folded(names), seen)
            assert.strictEqual(
              isBase,
              leads && place(SitePaths.resolve(index, before, seen))?.siteSpace === siteSpace.id
            )
            if (before === base) assert.isTrue(isBase)
          }
          for (const rest of [[], ...names.map((name) => [name, "below"])]) {
            assert.deepStrictEqual(place(SitePaths.resolve(index, [...base, ...rest], seen)), { ...wanted, rest })
          }
        }
      }),
      runs(700)
    )
  })

  it("shows what is hidden nowhere", () => {
    fc.assert(
      fc.property(RandomStructures.steps, pages, (steps, path) => {
        const { state } = history(steps)
        const left = withoutHidden(state.structure)
        const index = SitePaths.index(state.structure, [])
        const indexOfLeft = SitePaths.index(left, [])
        assert.deepStrictEqual(
          place(SitePaths.resolve(index, path, visible)),
          place(SitePaths.resolve(indexOfLeft, path)),
          path.join("/")
        )
        for (const { siteSpace } of siteSpaces(left)) {
          assert.deepStrictEqual(pathOf(index, siteSpace.id, path, visible), pathOf(indexOfLeft, siteSpace.id, path))
        }
      }),
      runs(1500)
    )
  })

  it("finds what was renamed or moved where it was", () => {
    fc.assert(
      fc.property(RandomStructures.steps, RandomStructures.step, pages, (steps, step, page) => {
        const { state, aliases } = history(steps)
        const before = state.structure
        const after = RandomStructures.apply(state, step).state.structure
        const index = SitePaths.index(after, SitePaths.updateAliases(before, after, aliases))
        const was = SitePaths.index(before, aliases)
        for (const { siteSpace, section } of siteSpaces(before)) {
          const now = findSiteSpace(after, siteSpace.id)
          if (now === undefined) continue
          // With its section gone, nothing tells any more what stood in it.
          if (section && !sections(after).some((other) => other.section.id === section.id)) continue
          const path = [...(section ? [section.path] : []), siteSpace.path, ...page]
          // The first section may be called as a site space at the root was, and takes its path.
          const isTaken = sections(after).some((other) => other.section.path.toLowerCase() === path[0]!.toLowerCase())
          if (section === undefined && isTaken) continue
          const live = SitePaths.resolve(was, path)!
          assert.strictEqual(live.siteSpace.id, siteSpace.id)
          const found = [SitePaths.resolve(index, path), SitePaths.resolveFormer(index, path)]
          assert.deepInclude(
            found.map(place),
            { section: now.section?.id, siteSpace: siteSpace.id, rest: page },
            path.join("/")
          )
        }
      }),
      runs(3000)
    )
  })

  it("keeps aliases of what is there, under places that are there, and none to itself", () => {
    fc.assert(
      fc.property(RandomStructures.steps, (steps) => {
        const { state, aliases } = history(steps)
        const { structure } = state
        const sectionIds = new Set<string>(sections(structure).map(({ section }) => section.id))
        const live = [
          ...sections(structure).map(({ section }) => `section  ${section.path.toLowerCase()} ${section.id}`),
          ...siteSpaces(structure).map(
            ({ siteSpace, section }) =>
              `site-space ${section?.id ?? ""} ${siteSpace.path.toLowerCase()} ${siteSpace.id}`
          )
        ]
        for (const { kind, level, path, id } of aliases) {
          assert.isTrue(kind === "section" ? sectionIds.has(id) : findSiteSpace(structure, id) !== undefined)
          assert.isTrue(level === "" || sectionIds.has(level))
          assert.strictEqual(path, path.toLowerCase())
          assert.notInclude(live, `${kind} ${level} ${path} ${id}`)
        }
        const keys = aliases.map(({ kind, level, path }) => `${kind} ${level} ${path}`)
        assert.strictEqual(new Set(keys).size, keys.length)
      }),
      runs(500)
    )
  })
})

const siteSpaceIn = (id: string, path: string, condition?: string): SiteSpaceEntry => ({
  id: id as SiteSpaceId,
  space: `space of ${id}` as SpaceId,
  path,
  ...(condition !== undefined && { condition })
})

const sectionOf = (id: string, ...held: ReadonlyArray<SiteSpaceEntry>): SectionEntry => ({
  id: id as SiteSectionId,
  title: id,
  path: id,
  siteSpaces: held,
  default: held[0]?.id ?? null
})

/** Docs (default) with v1 and v2, and API, in a group, with v2 and docs. */
const site: SiteStructure = {
  type: "sections",
  items: [
    sectionOf("docs", siteSpaceIn("docs1", "v1"), siteSpaceIn("docs2", "v2")),
    {
      id: "g" as SiteSectionGroupId,
      title: "Group",
      sections: [sectionOf("api", siteSpaceIn("api2", "v2"), siteSpaceIn("apiDocs", "docs"))]
    },
    sectionOf("blank")
  ],
  default: "docs" as SiteSectionId
}

const index = SitePaths.index(site, [])

describe("a path of a site", () => {
  const cases: ReadonlyArray<readonly [path: string, siteSpace: string, rest: string]> = [
    ["", "docs1", ""],
    ["intro", "docs1", "intro"],
    ["docs", "docs1", ""],
    ["Docs/V2/intro", "docs2", "intro"],
    ["v2", "docs2", ""],
    ["v1/v2", "docs1", "v2"],
    ["api", "api2", ""],
    ["api/docs/docs", "apiDocs", "docs"],
    ["api/intro", "api2", "intro"],
    ["api/v1", "api2", "v1"],
    ["group/api", "docs1", "group/api"],
    ["blank/x", "docs1", "blank/x"],
    ["constructor", "docs1", "constructor"]
  ]
  for (const [path, siteSpace, rest] of cases) {
    it(`/${path} leads to ${siteSpace}: /${rest}`, () => {
      const found = SitePaths.resolve(index, path === "" ? [] : path.split("/"))!
      assert.strictEqual(found.siteSpace.id, siteSpace)
      assert.strictEqual(found.rest.join("/"), rest)
      assert.isUndefined(SitePaths.resolveFormer(index, path.split("/")))
    })
  }

  const canonical: ReadonlyArray<readonly [siteSpace: string, page: string, path: string]> = [
    ["docs1", "intro", "intro"],
    ["docs1", "v2/intro", "v1/v2/intro"],
    ["docs1", "V1", "v1/V1"],
    ["docs1", "api/x", "docs/api/x"],
    ["docs1", "blank", "blank"],
    ["docs2", "intro", "v2/intro"],
    ["api2", "intro", "api/intro"],
    ["api2", "docs", "api/v2/docs"],
    ["apiDocs", "", "api/docs"]
  ]
  for (const [siteSpace, page, path] of canonical) {
    it(`/${page} of ${siteSpace} is at /${path}`, () => {
      const segments = page === "" ? [] : page.split("/")
      assert.strictEqual(pathOf(index, siteSpace, segments).join("/"), path)
    })
  }

  it("leads nowhere on a site without anything, or with nothing to show", () => {
    assert.isUndefined(SitePaths.resolve(SitePaths.index(empty, []), []))
    assert.isUndefined(SitePaths.resolve(SitePaths.index(empty, []), ["a", "b"]))
    assert.isUndefined(SitePaths.resolve(index, ["docs"], () => false))
    const blank: SiteStructure = { type: "sections", items: [sectionOf("blank")], default: "blank" as SiteSectionId }
    assert.isUndefined(SitePaths.resolve(SitePaths.index(blank, []), ["blank"]))
  })
})

describe("a former path", () => {
  const changed = (
    { structure, aliases }: History,
    change: (structure: SiteStructure) => Result.Result<SiteStructure, unknown>
  ) => {
    const after = Result.getOrThrow(change(structure))
    return { structure: after, aliases: SitePaths.updateAliases(structure, after, aliases) }
  }
  const renamed = (from: History, siteSpace: string, path: string) =>
    changed(from, (structure) => SiteSpaceChanges.patchSiteSpace(structure, siteSpace as SiteSpaceId, { path }))
  const renamedSection = (from: History, section: string, path: string) =>
    changed(from, (structure) => SectionChanges.patchSection(structure, section as SiteSectionId, { path }))
  const former = ({ structure, aliases }: History, path: string) => {
    const found = SitePaths.resolveFormer(SitePaths.index(structure, aliases), path.split("/"))
    return found && `${found.siteSpace.id}: ${found.rest.join("/")}`
  }
  const start: History = { structure: site, aliases: [] }

  it("leads to what was renamed, until something takes the path", () => {
    const moved = renamedSection(start, "api", "reference")
    assert.strictEqual(former(moved, "API/intro"), "api2: intro")
    assert.strictEqual(former(moved, "api/docs/intro"), "apiDocs: intro")
    assert.isUndefined(former(moved, "reference/intro"))
    const taken = renamedSection(moved, "docs", "api")
    assert.isUndefined(former(taken, "api/intro"))
    assert.strictEqual(former(taken, "docs/intro"), "docs1: intro")
  })

  it("leads to the last thing that had it", () => {
    const section = renamedSection(renamedSection(start, "api", "reference"), "docs", "api")
    assert.strictEqual(former(renamedSection(section, "docs", "home"), "api/intro"), "docs1: intro")
    // A site space of the default section, and a section before it.
    const siteSpace = renamed(renamed(renamedSection(start, "api", "reference"), "docs2", "api"), "docs2", "next")
    assert.strictEqual(former(siteSpace, "api/intro"), "docs2: intro")
    // The section once more, and then another site space.
    const again = renamedSection(renamedSection(siteSpace, "api", "api"), "api", "reference")
    assert.strictEqual(former(again, "api/intro"), "api2: intro")
    const last = renamed(renamed(again, "docs1", "api"), "docs1", "first")
    assert.strictEqual(former(last, "api/intro"), "docs1: intro")
  })

  it("leads through two names that changed", () => {
    const both = renamed(renamedSection(start, "api", "reference"), "apiDocs", "old")
    assert.strictEqual(former(both, "api/docs/intro"), "apiDocs: intro")
    assert.strictEqual(former(both, "reference/docs/intro"), "apiDocs: intro")
  })

  it("leads to another section where a site space moved", () => {
    const moved = changed(start, (structure) =>
      sort(structure, { type: "site-space", id: "docs2" }, { before: { type: "site-space", id: "apiDocs" } })
    )
    assert.strictEqual(former(moved, "docs/v2/intro"), "docs2: intro")
    assert.strictEqual(former(moved, "v2/intro"), "docs2: intro")
  })

  it("leads from the root into the section that took it in", () => {
    const root: History = {
      structure: {
        type: "siteSpaces",
        siteSpaces: [siteSpaceIn("one", "v1"), siteSpaceIn("two", "v2")],
        default: "one" as SiteSpaceId,
        groups: []
      },
      aliases: []
    }
    const added = (title: string) => (structure: SiteStructure) =>
      SectionChanges.addSection(structure, {
        id: title as SiteSectionId,
        title,
        siteSpace: { id: `p ${title}` as SiteSpaceId, space: title as SpaceId, title }
      })
    const two = changed(changed(root, added("A")), added("B"))
    const other = changed(two, (structure) => SectionChanges.setDefaultSection(structure, "B" as SiteSectionId))
    assert.strictEqual(former(other, "v2/intro"), "two: intro")
  })

  it("is forgotten with what it led to, or when it comes back", () => {
    const moved = renamed(start, "docs2", "next")
    assert.lengthOf(moved.aliases, 1)
    assert.lengthOf(renamed(moved, "docs2", "V2").aliases, 1)
    assert.deepStrictEqual(
      renamed(moved, "docs2", "v2").aliases.map(({ path }) => path),
      ["next"]
    )
    assert.lengthOf(changed(moved, (at) => SiteSpaceChanges.removeSiteSpace(at, "docs2" as SiteSpaceId)).aliases, 0)
    assert.lengthOf(renamed(start, "docs2", "V2").aliases, 0)
  })

  it("is forgotten with the section that it was in", () => {
    const moved = changed(start, (structure) =>
      sort(structure, { type: "site-space", id: "apiDocs" }, { after: { type: "site-space", id: "docs1" } })
    )
    assert.strictEqual(former(moved, "api/docs/intro"), "apiDocs: intro")
    assert.lengthOf(changed(moved, (at) => SectionChanges.removeSection(at, "api" as SiteSectionId)).aliases, 0)
  })

  it("is as if it were not there where what it leads to, or leads through, is hidden", () => {
    const hidden = ({ structure, aliases }: History, path: string, ...ids: ReadonlyArray<string>) => {
      const seen: SitePaths.IsVisible = (entry) => !("id" in entry && ids.includes(entry.id as string))
      return SitePaths.resolveFormer(SitePaths.index(structure, aliases), path.split("/"), seen)?.siteSpace.id
    }
    const siteSpace = renamed(start, "apiDocs", "next")
    assert.strictEqual(hidden(siteSpace, "api/docs", "api2"), "apiDocs")
    assert.isUndefined(hidden(siteSpace, "api/docs", "apiDocs"))
    assert.isUndefined(hidden(siteSpace, "api/docs", "api"))
    const section = renamedSection(start, "api", "reference")
    assert.strictEqual(hidden(section, "api", "api2"), "apiDocs")
    assert.isUndefined(hidden(section, "api", "api"))
    assert.isUndefined(hidden(section, "api", "api2", "apiDocs"))
    const moved = changed(start, (structure) =>
      sort(structure, { type: "site-space", id: "docs2" }, { before: { type: "site-space", id: "apiDocs" } })
    )
    assert.strictEqual(hidden(moved, "docs/v2"), "docs2")
    assert.isUndefined(hidden(moved, "docs/v2", "api"))
    assert.isUndefined(hidden(moved, "docs/v2", "docs"))
  })

  it("is one of the last 500", () => {
    let last = start
    for (let n = 0; n < 510; n++) last = renamed(last, "docs2", `n${n}`)
    assert.lengthOf(last.aliases, 500)
    assert.isUndefined(former(last, "n8"))
    assert.strictEqual(former(last, "n9"), "docs2: ")
    assert.strictEqual(former(last, "n508"), "docs2: ")
  })
})
