/** Laws of a site's structure, whatever is done to it. */
import { assert, describe, it } from "@effect/vitest"
import { Result, Schema } from "effect"
import * as fc from "fast-check"
import {
  empty,
  findSection,
  findSiteSpace,
  isGroup,
  itemsOf,
  maxSiteSpaces,
  type SectionEntry,
  sections,
  type SiteSectionId,
  type SiteSpaceId,
  siteSpaces,
  SiteStructure,
  spaces
} from "@lectern/core/site/SiteStructure"
import { addSection } from "@lectern/core/site/SectionChanges"
import { addSiteSpace, restore, removeSpace } from "@lectern/core/site/SiteSpaceChanges"
import type { SpaceId } from "@lectern/core/space/Space"
import * as RandomStructures from "./RandomStructures.ts"
import { runs } from "../Runs.ts"

interface Level {
  readonly ids: ReadonlyArray<string>
  readonly paths: ReadonlyArray<string>
  readonly spaces?: ReadonlyArray<string>
  readonly default?: string | null
}

/** Everything that stands beside one another, by where that is. */
const levels = (structure: SiteStructure): ReadonlyMap<string, Level> => {
  const siteSpaceLevel = (at: Pick<SectionEntry, "siteSpaces" | "default">) => ({
    ids: at.siteSpaces.map(({ id }) => id),
    paths: at.siteSpaces.map(({ path }) => path),
    spaces: at.siteSpaces.map(({ space }) => space),
    default: at.default
  })
  const all = sections(structure).map(({ section }) => section)
  const items = itemsOf(structure)
  return new Map<string, Level>([
    ["top", { ids: items.map(({ id }) => id), paths: [] }],
    ...items
      .filter(isGroup)
      .map((group) => [`in ${group.id}`, { ids: group.sections.map(({ id }) => id), paths: [] }] as const),
    ...(structure.type === "siteSpaces"
      ? [["root", siteSpaceLevel(structure)] as const]
      : [
          [
            "sections",
            { ids: all.map(({ id }) => id), paths: all.map(({ path }) => path), default: structure.default as string }
          ] as const
        ]),
    ...all.map((section) => [`of ${section.id}`, siteSpaceLevel(section)] as const)
  ])
}

const ids = (structure: SiteStructure) => [
  ...siteSpaces(structure).map(({ siteSpace }) => siteSpace.id),
  ...sections(structure).map(({ section }) => section.id),
  ...itemsOf(structure)
    .filter(isGroup)
    .map(({ id }) => id)
]

const isDistinct = (list: ReadonlyArray<string>) => new Set(list).size === list.length

const isStructure = Schema.is(SiteStructure)

const checkStructure = (structure: SiteStructure) => {
  assert.isTrue(isStructure(structure), "it is stored as what it is")
  assert.isTrue(isDistinct(ids(structure)), "an id stands twice")
  for (const [name, level] of levels(structure)) {
    assert.isTrue(isDistinct(level.paths.map((path) => path.toLowerCase())), `two of one path ${name}`)
    assert.isTrue(isDistinct(level.spaces ?? []), `a space stands twice ${name}`)
    if (level.default === undefined) continue
    if (level.ids.length === 0) assert.isNull(level.default, name)
    else assert.include(level.ids, level.default, `no default ${name}`)
  }
  if (structure.type === "sections") assert.isAbove(sections(structure).length, 0)
  else assert.isTrue(structure.groups.every((group) => group.sections.length === 0))
}

const checkChange = (before: SiteStructure, outcome: RandomStructures.Outcome) => {
  const after = outcome.state.structure
  if (outcome.refused !== undefined) return assert.strictEqual(after, before)
  const { removed, added, moved, chosen, back = [] } = outcome
  assert.sameMembers(
    ids(after),
    [...ids(before).filter((id) => !removed.includes(id)), ...added],
    "what nobody took away is there, and nothing else"
  )
  const now = levels(after)
  for (const [name, level] of levels(before)) {
    const same = now.get(name)
    if (same === undefined) continue
    const stays = (id: string) => level.ids.includes(id) && same.ids.includes(id) && !moved.includes(id)
    // The sections of all groups are siblings for their paths only: a group that moves takes its own along.
    if (name !== "sections") assert.deepStrictEqual(same.ids.filter(stays), level.ids.filter(stays), name)
    if (level.default === undefined || level.default === null || same.ids.length === 0) continue
    if (chosen !== undefined && same.default === chosen) continue
    // What was the default is it again, in the place of what became it meanwhile.
    const isHeir = (id: string) => id === level.default || !level.ids.includes(id)
    if (back.some(({ siteSpace, heir }) => siteSpace.id === same.default && heir != null && isHeir(heir))) continue
    if (same.ids.includes(level.default)) assert.strictEqual(same.default, level.default, name)
    else {
      const at = level.ids.indexOf(level.default)
      const wanted = level.ids[at + 1] ?? level.ids[at - 1] ?? same.ids[0]
      assert.strictEqual(same.default, wanted, `the next one is promoted ${name}`)
    }
  }
  const stays = (id: string) => !removed.includes(id) && !added.includes(id) && !moved.includes(id)
  if (before.type === "siteSpaces" && after.type === "sections") {
    const held = sections(after)[0]!.section
    const root = before.siteSpaces
    assert.deepStrictEqual(held.siteSpaces.slice(0, root.length), root, "the root was taken in")
    if (before.default !== null) assert.strictEqual(held.default, before.default)
  } else {
    for (const { siteSpace, section } of siteSpaces(before)) {
      if (!stays(siteSpace.id)) continue
      assert.strictEqual(findSiteSpace(after, siteSpace.id)!.section?.id, section?.id, "it stands where it stood")
    }
  }
  const renamed = outcome.renamed?.id
  for (const { section } of sections(before)) {
    const same = findSection(after, section.id)
    if (same && section.id !== renamed) assert.strictEqual(same.path, section.path, "paths are stable")
  }
  for (const { siteSpace } of siteSpaces(before)) {
    const same = findSiteSpace(after, siteSpace.id)?.siteSpace
    if (same && siteSpace.id !== renamed && !moved.includes(siteSpace.id)) assert.deepStrictEqual(same, siteSpace)
  }
}

describe("a site's structure", () => {
  it("keeps its promises through any changes", () => {
    fc.assert(
      fc.property(RandomStructures.steps, (steps) => {
        let state = RandomStructures.nothingYet(RandomStructures.frozen(empty))
        for (const step of steps) {
          const outcome = RandomStructures.apply(state, step)
          RandomStructures.frozen(outcome.state.structure)
          checkStructure(outcome.state.structure)
          checkChange(state.structure, outcome)
          state = outcome.state
        }
      }),
      runs(1500)
    )
  })

  it("refuses a path where a sibling has it, and only there", () => {
    fc.assert(
      fc.property(RandomStructures.steps, RandomStructures.renaming, (steps, step) => {
        const state = RandomStructures.after(RandomStructures.nothingYet(empty), steps)
        const { refused, renamed, state: next } = RandomStructures.apply(state, step)
        const { id, path } = renamed!
        const level = [...levels(state.structure)].find(
          ([name, { ids: at }]) => !/^(top|in )/.test(name) && at.includes(id)
        )
        if (level === undefined) return assert.match(refused!, /^Site(Section|Space)NotFound$/)
        const [, { ids: at, paths }] = level
        const holder = at[paths.findIndex((other) => other.toLowerCase() === path.toLowerCase())]
        if (holder !== undefined && holder !== id) return assert.strictEqual(refused, "PathTaken")
        assert.notStrictEqual(refused, "PathTaken")
        const now = findSection(next.structure, id) ?? findSiteSpace(next.structure, id)!.siteSpace
        if (refused === undefined) assert.strictEqual(now.path, path)
      }),
      runs(1000)
    )
  })

  it("puts a thing where it is sorted to, or says why not", () => {
    fc.assert(
      fc.property(RandomStructures.steps, RandomStructures.sorting, (steps, step) => {
        const state = RandomStructures.after(RandomStructures.nothingYet(empty), steps)
        const { refused, sorted, state: next } = RandomStructures.apply(state, step)
        const { item, position } = sorted!
        const lists = (structure: SiteStructure) =>
          [...levels(structure)].filter(([name]) => name !== "sections").map(([name, { ids: at }]) => ({ name, at }))
        const levelOf = (structure: SiteStructure, id: string) => lists(structure).find(({ at }) => at.includes(id))
        const own = levelOf(state.structure, item.id)
        if (own === undefined) return assert.match(refused!, /NotFound$/)

        const { before, after } = position
        const named = [before, after].filter((pointer) => pointer !== undefined)
        const mayStand = named.every(
          ({ type, id }) =>
            (type === "site-space") === (item.type === "site-space") &&
            (item.type !== "site-section-group" || levelOf(state.structure, id)!.name === "top")
        )
        const targets = new Set(named.map(({ id }) => levelOf(state.structure, id)?.name))
        const target = named.length === 0 ? own : levelOf(state.structure, named[0]!.id)!
        const besideItself = named.some(({ id }) => id === item.id)
        const others = target.at.filter((id) => besideItself || id !== item.id)
        const areNeighbours =
          before === undefined ||
          after === undefined ||
          (targets.size === 1 && others.indexOf(after.id) + 1 === others.indexOf(before.id))
        if (!mayStand || !areNeighbours) return assert.strictEqual(refused, "InvalidPosition")
        const space = findSiteSpace(state.structure, item.id)?.siteSpace.space
        const held = new Set(target.at.map((id) => findSiteSpace(state.structure, id)?.siteSpace.space))
        if (space !== undefined && target.name !== own.name && held.has(space)) {
          return assert.strictEqual(refused, "SpaceTwice")
        }

        assert.isUndefined(refused)
        const now = lists(next.structure).find(({ name }) => name === target.name)!.at
        if (besideItself) return assert.strictEqual(next.structure, state.structure)
        const at = now.indexOf(item.id)
        if (after !== undefined) assert.strictEqual(now[at - 1], after.id)
        if (before !== undefined) assert.strictEqual(now[at + 1], before.id)
        if (named.length === 0) assert.strictEqual(at, now.length - 1)
        if (target.name === own.name && own.at.indexOf(item.id) === at) {
          assert.strictEqual(next.structure, state.structure, "what changes nothing is the same value")
        }
      }),
      runs(3000)
    )
  })

  it("gets back what left with its space, where that still has a place", () => {
    fc.assert(
      fc.property(RandomStructures.steps, fc.nat(), (steps, n) => {
        const { structure } = RandomStructures.after(RandomStructures.nothingYet(empty), steps)
        const all = spaces(structure)
        if (all.length === 0) return
        const space = all[n % all.length]!
        const left = removeSpace(structure, space)
        checkStructure(left.structure)
        assert.notInclude(spaces(left.structure), space)
        assert.deepStrictEqual(
          sections(left.structure).map(({ section }) => section.id),
          sections(structure).map(({ section }) => section.id)
        )
        const back = restore(left.structure, left.removed)
        checkStructure(back)
        assert.deepStrictEqual(back, structure)
        assert.strictEqual(restore(back, left.removed), back, "only once")
      }),
      runs(500)
    )
  })

  it("never holds more site spaces than it may", () => {
    let structure: SiteStructure = empty
    const space = (n: number) => ({ id: `p${n}` as SiteSpaceId, space: `x${n}` as SpaceId, title: "Same" })
    for (let n = 0; n < maxSiteSpaces; n++) structure = Result.getOrThrow(addSiteSpace(structure, space(n)))
    const tooMany = addSiteSpace(structure, space(maxSiteSpaces))
    assert.strictEqual(Result.isFailure(tooMany) && tooMany.failure._tag, "StructureTooLarge")
    const section = addSection(structure, { id: "s" as SiteSectionId, title: "S", siteSpace: space(maxSiteSpaces) })
    assert.strictEqual(Result.isFailure(section) && section.failure._tag, "StructureTooLarge")
    const { structure: left, removed } = removeSpace(structure, "x3" as SpaceId)
    const full = Result.getOrThrow(addSiteSpace(left, space(maxSiteSpaces)))
    assert.strictEqual(restore(full, removed), full)
    checkStructure(full)
  })
})
