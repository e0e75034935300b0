/** Random changes of a site's structure, for laws that every change must keep. */
import { Result } from "effect"
import * as fc from "fast-check"
import type { SpaceId } from "@lectern/core/space/Space"
import {
  findSection,
  isGroup,
  itemsOf,
  sections,
  type SiteSectionGroupId,
  type SiteSectionId,
  type SiteSpaceId,
  siteSpaces,
  type SiteStructure
} from "@lectern/core/site/SiteStructure"
import * as SectionChanges from "@lectern/core/site/SectionChanges"
import * as SectionGroupChanges from "@lectern/core/site/SectionGroupChanges"
import * as SiteSpaceChanges from "@lectern/core/site/SiteSpaceChanges"
import { addCopy } from "@lectern/core/site/SiteSpaceCopies"
import { type Pointer, type SitePosition, sort } from "@lectern/core/site/StructureMoves"

const kinds = [
  "add site space",
  "add site space",
  "copy site space",
  "add section",
  "add section",
  "add group",
  "remove site space",
  "remove section",
  "remove group",
  "group section",
  "ungroup section",
  "patch section",
  "patch group",
  "patch site space",
  "default section",
  "default site space",
  "sort",
  "sort",
  "sort",
  "sort",
  "remove space",
  "put back"
] as const

/** Few and similar titles, so that clashes occur. */
const titles = ["Guide", "guide", "Gúide!", "日本", "--", "API 2", "a", "", "x".repeat(130), "Section", "A"]
export const paths = ["a", "A", "guide", "Guide", "guide-2", "section", "space", "api-2", "~b", "GUIDE-2"]
const spaceIds = ["one", "two", "three", "four", "five"] as ReadonlyArray<string> as ReadonlyArray<SpaceId>

const stepOf = (...of: ReadonlyArray<(typeof kinds)[number]>) =>
  fc.record({
    kind: fc.constantFrom(...of),
    first: fc.nat(60),
    second: fc.nat(60),
    third: fc.nat(60),
    title: fc.constantFrom(...titles),
    path: fc.constantFrom(...paths),
    space: fc.constantFrom(...spaceIds),
    flag: fc.boolean()
  })

export type Step = ReturnType<typeof stepOf> extends fc.Arbitrary<infer A> ? A : never

export const steps = fc.array(stepOf(...kinds), { minLength: 1, maxLength: 40 })

export const step = stepOf(...kinds)

export const sorting = stepOf("sort")

export const renaming = stepOf("patch section", "patch site space")

export interface State {
  readonly structure: SiteStructure
  /** Number of assigned ids. */
  readonly given: number
  /** Site spaces that `removeSpace` removed. */
  readonly left: ReadonlyArray<SiteSpaceChanges.RemovedSiteSpace>
}

export interface Outcome {
  readonly state: State
  /** Tag of the error if the step failed. */
  readonly refused?: string
  /** Ids of site spaces, sections and groups that the step should remove. `added`: ids that it should add. */
  readonly removed: ReadonlyArray<string>
  readonly added: ReadonlyArray<string>
  /** Ids of entries whose order among their siblings may change. */
  readonly moved: ReadonlyArray<string>
  /** Id of the entry that should become a default. */
  readonly chosen?: string
  /** Site spaces that the step should restore. */
  readonly back?: ReadonlyArray<SiteSpaceChanges.RemovedSiteSpace>
  readonly sorted?: { readonly item: Pointer; readonly position: SitePosition }
  /** New path of a section or site space. */
  readonly renamed?: { readonly id: string; readonly path: string }
}

const pick = <A>(list: ReadonlyArray<A>, at: number): A | undefined =>
  list.length === 0 ? undefined : list[at % list.length]

/** Returns the id of an element, or in one of 13 cases an id that does not exist. */
const idFrom = <Id extends string>(list: ReadonlyArray<{ readonly id: Id }>, at: number): Id =>
  (at % 13 === 12 ? undefined : pick(list, at)?.id) ?? ("none" as Id)

/** Applies a step, and returns its outcome. */
export const apply = ({ structure, given, left }: State, step: Step): Outcome => {
  const allSiteSpaces = siteSpaces(structure)
  const entries = allSiteSpaces.map(({ siteSpace }) => siteSpace)
  const allSections = sections(structure).map(({ section }) => section)
  const groups = itemsOf(structure).filter(isGroup)
  const { first, second, third, title, path, space, flag } = step

  const made = (name: string) => `${name}${given}`
  const outcome = (
    changed: Result.Result<SiteStructure, { readonly _tag: string }>,
    what: Partial<Omit<Outcome, "state" | "refused">> = {}
  ): Outcome => {
    const told = { removed: [], added: [], moved: [], ...what }
    return Result.isSuccess(changed)
      ? { state: { structure: changed.success, given: given + 1, left }, ...told }
      : { state: { structure, given: given + 1, left }, refused: changed.failure._tag, ...told }
  }
  const newSpace = { id: made("p") as SiteSpaceId, space, title }

  switch (step.kind) {
    case "add site space": {
      const into = flag ? undefined : idFrom(allSections, first)
      return outcome(SiteSpaceChanges.addSiteSpace(structure, newSpace, into), { added: [newSpace.id] })
    }
    case "copy site space": {
      const id = made("s") as SiteSectionId
      const original = idFrom(entries, first)
      const own = allSiteSpaces.find(({ siteSpace }) => siteSpace.id === original)?.section
      // The copied space is not on the site yet.
      const copy = { ...newSpace, space: made("copy") as SpaceId, section: id }
      const added = own?.siteSpaces.length === 1 ? [id, newSpace.id] : [newSpace.id]
      return outcome(addCopy(structure, original, copy), { added })
    }
    case "add section": {
      const id = made("s") as SiteSectionId
      const isThere = structure.type === "siteSpaces" && entries.some((entry) => entry.space === space)
      return outcome(
        SectionChanges.addSection(structure, { id, title, ...(flag && { icon: "book" }), siteSpace: newSpace }),
        {
          added: isThere ? [id] : [id, newSpace.id]
        }
      )
    }
    case "add group": {
      const id = made("g") as SiteSectionGroupId
      const wanted = allSections.length === 0 ? [] : [idFrom(allSections, first), idFrom(allSections, second)]
      const moved = flag ? wanted : []
      return outcome(SectionGroupChanges.addGroup(structure, { id, title, sections: moved }), { added: [id], moved })
    }
    case "remove site space": {
      const id = idFrom(entries, first)
      return outcome(SiteSpaceChanges.removeSiteSpace(structure, id), { removed: [id] })
    }
    case "remove section": {
      const id = idFrom(allSections, first)
      const held = findSection(structure, id)?.siteSpaces.map((entry) => entry.id) ?? []
      return outcome(SectionChanges.removeSection(structure, id), { removed: [id, ...held] })
    }
    case "remove group": {
      const id = idFrom(groups, first)
      return outcome(SectionGroupChanges.removeGroup(structure, id), { removed: [id] })
    }
    case "group section": {
      const id = idFrom(allSections, second)
      return outcome(SectionGroupChanges.addSectionToGroup(structure, idFrom(groups, first), id), { moved: [id] })
    }
    case "ungroup section": {
      const group = pick(groups, first)
      const id = idFrom(flag && group ? group.sections : allSections, second)
      return outcome(
        SectionGroupChanges.removeSectionFromGroup(structure, group?.id ?? ("none" as SiteSectionGroupId), id),
        {
          moved: [id]
        }
      )
    }
    case "patch section": {
      const id = idFrom(allSections, first)
      const patch = flag
        ? { title, path }
        : { path, icon: second % 2 ? "book" : null, condition: third % 2 ? "x" : null }
      return outcome(SectionChanges.patchSection(structure, id, patch), { renamed: { id, path } })
    }
    case "patch group":
      return outcome(
        SectionGroupChanges.patchGroup(structure, idFrom(groups, first), { title, icon: flag ? "book" : null })
      )
    case "patch site space": {
      const id = idFrom(entries, first)
      const patch = { path, condition: third % 2 ? "x" : null, ...(flag && { space }) }
      return outcome(SiteSpaceChanges.patchSiteSpace(structure, id, patch), { renamed: { id, path } })
    }
    case "default section": {
      const id = idFrom(allSections, first)
      return outcome(SectionChanges.setDefaultSection(structure, id), { chosen: id })
    }
    case "default site space": {
      const place = pick(allSiteSpaces, first)
      const id = place?.siteSpace.id ?? ("none" as SiteSpaceId)
      const level = flag ? (place?.section?.id ?? null) : idFrom(allSections, second)
      return outcome(SiteSpaceChanges.setDefaultSiteSpace(structure, level, id), { chosen: id })
    }
    case "sort": {
      const pointers: ReadonlyArray<Pointer> = [
        ...entries.map(({ id }) => ({ type: "site-space" as const, id })),
        ...allSections.map(({ id }) => ({ type: "site-section" as const, id })),
        ...groups.map(({ id }) => ({ type: "site-section-group" as const, id }))
      ]
      const item = pick(pointers, first) ?? { type: "site-section", id: "none" }
      const alike = pointers.filter(({ type }) => (type === "site-space") === (item.type === "site-space"))
      const other = pick(alike, second)
      const following = flag && other !== undefined ? alike[alike.indexOf(other) + 1] : pick(pointers, third)
      const position = {
        ...(first % 3 !== 0 && other && { after: other }),
        ...(third % 3 !== 0 && following && { before: following })
      }
      const moved = [item.id, ...(groups.find(({ id }) => id === item.id)?.sections.map(({ id }) => id) ?? [])]
      return outcome(sort(structure, item, position), { moved, sorted: { item, position } })
    }
    case "remove space": {
      const { structure: after, removed } = SiteSpaceChanges.removeSpace(structure, space)
      const gone = removed.map(({ siteSpace }) => siteSpace.id)
      return {
        state: { structure: after, given, left: [...left, ...removed] },
        removed: gone,
        added: [],
        moved: []
      }
    }
    case "put back": {
      const after = SiteSpaceChanges.restore(structure, left)
      const there = new Set(entries.map(({ id }) => id))
      const back = siteSpaces(after).flatMap(({ siteSpace }) => (there.has(siteSpace.id) ? [] : siteSpace.id))
      return {
        state: { structure: after, given, left: flag ? [] : left },
        removed: [],
        added: back,
        moved: [],
        back: left.filter(({ siteSpace }) => back.includes(siteSpace.id))
      }
    }
  }
}

/** Returns the state after these steps. */
export const after = (start: State, list: ReadonlyArray<Step>): State =>
  list.reduce((state, one) => apply(state, one).state, start)

export const nothingYet = (structure: SiteStructure): State => ({ structure, given: 0, left: [] })

/** Freezes a value deeply. */
export const frozen = <A>(value: A): A => {
  if (typeof value === "object" && value !== null && !Object.isFrozen(value)) {
    Object.freeze(value)
    for (const part of Object.values(value)) frozen(part)
  }
  return value
}
