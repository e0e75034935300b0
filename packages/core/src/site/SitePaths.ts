/**
 * Resolves paths below a site to pages, and builds the paths of pages: segments of section, site space and page,
 * without segments for the default section and site space.
 *
 * Each site space has one base for the paths of its pages (see `base`). The base omits the segments of the default
 * section and site space, unless a page at the top of the space has the name of a sibling. So every path of a page
 * resolves to the page, regardless of names.
 *
 * A moved part leaves its former path as an alias. An alias applies only if no current part, pages included, has the
 * path. So callers use `resolve` first, and `resolveFormer` if there is no page.
 *
 * Limits: the last 500 aliases of a site.
 */
import { Schema } from "effect"
import {
  fold,
  type SectionEntry,
  sections,
  type SiteSpaceEntry,
  siteSpaces,
  type SiteSpacePlace,
  type SiteStructure
} from "./SiteStructure.ts"

const maxAliases = 500

const SiteAlias = Schema.Struct({
  kind: Schema.Literals(["section", "site-space"]),
  /** Former section of a site space; empty for the root, and for sections. */
  level: Schema.String,
  /** Path in lower case. */
  path: Schema.String,
  /** Id of the section or site space that the alias leads to. */
  id: Schema.String
})
type SiteAlias = typeof SiteAlias.Type
export const SiteAliases = Schema.Array(SiteAlias)
export type SiteAliases = typeof SiteAliases.Type

/** Returns true if an entry is visible to the reader. */
export type Visible = (entry: { readonly condition?: string; readonly space?: string }) => boolean

const everything: Visible = () => true

interface Level {
  readonly entries: ReadonlyArray<SiteSpaceEntry>
  readonly byPath: ReadonlyMap<string, SiteSpaceEntry>
  readonly default: string | null
}

/** Index of a structure for lookups. */
export interface Index {
  /** Undefined for a site without sections. */
  readonly sections: ReadonlyMap<string, SectionEntry> | undefined
  readonly sectionsByPath: ReadonlyMap<string, SectionEntry>
  readonly defaultSection: string | null
  /** Site spaces of each section by its id, and of the root by "". */
  readonly levels: ReadonlyMap<string, Level>
  readonly places: ReadonlyMap<string, SiteSpacePlace>
  readonly aliases: ReadonlyMap<string, OrderedAlias>
}

interface OrderedAlias extends SiteAlias {
  /** The alias with the greater value wins. */
  readonly order: number
}

const aliasKey = (kind: string, level: string, path: string) => `${kind} ${level} ${path}`

const levelOf = (entries: ReadonlyArray<SiteSpaceEntry>, chosen: string | null): Level => ({
  entries,
  byPath: new Map(entries.map((entry) => [fold(entry.path), entry])),
  default: chosen
})

export const index = (structure: SiteStructure, aliases: SiteAliases): Index => {
  const found = sections(structure).map(({ section }) => section)
  return {
    sections: structure.type === "sections" ? new Map(found.map((section) => [section.id, section])) : undefined,
    sectionsByPath: new Map(found.map((section) => [fold(section.path), section])),
    defaultSection: structure.type === "sections" ? structure.default : null,
    levels: new Map<string, Level>([
      ...(structure.type === "siteSpaces" ? [["", levelOf(structure.siteSpaces, structure.default)] as const] : []),
      ...found.map((section) => [section.id, levelOf(section.siteSpaces, section.default)] as const)
    ]),
    places: new Map(siteSpaces(structure).map((place) => [place.siteSpace.id, place])),
    aliases: new Map(
      aliases.map((alias, order) => [aliasKey(alias.kind, alias.level, alias.path), { ...alias, order }])
    )
  }
}

/** Returns the first entry of a level: the visible default, or the first visible one. */
const firstIn = (level: Level | undefined, visible: Visible): SiteSpaceEntry | undefined =>
  level?.entries.find((entry) => entry.id === level.default && visible(entry)) ?? level?.entries.find(visible)

/** Returns true if a section is visible and contains a visible site space. */
const isThere = (at: Index, section: SectionEntry | undefined, visible: Visible): section is SectionEntry =>
  section !== undefined && visible(section) && at.levels.get(section.id)!.entries.some(visible)

const firstSection = (at: Index, visible: Visible): SectionEntry | undefined => {
  const chosen = at.sections?.get(at.defaultSection ?? "")
  if (isThere(at, chosen, visible)) return chosen
  for (const section of at.sections?.values() ?? []) if (isThere(at, section, visible)) return section
  return undefined
}

/** Returns the site spaces whose segments may be omitted: the first one of each level. */
export const firsts = (at: Index, visible: Visible = everything): ReadonlyArray<SiteSpaceEntry> =>
  at.places.size < 2 ? [] : [...at.levels.values()].flatMap((level) => firstIn(level, visible) ?? [])

export interface Resolved extends SiteSpacePlace {
  /** The remaining segments: the path of the page. */
  readonly rest: ReadonlyArray<string>
}

const sectionAt = (at: Index, segment: string | undefined, visible: Visible) => {
  const section = segment === undefined ? undefined : at.sectionsByPath.get(fold(segment))
  return isThere(at, section, visible) ? section : undefined
}

const siteSpaceAt = (at: Index, level: string, segment: string | undefined, visible: Visible) => {
  const entry = segment === undefined ? undefined : at.levels.get(level)?.byPath.get(fold(segment))
  return entry !== undefined && visible(entry) ? entry : undefined
}

/** Returns the section and site space of a path, without looking at pages; undefined if nothing is visible. */
export const resolve = (
  at: Index,
  segments: ReadonlyArray<string>,
  visible: Visible = everything
): Resolved | undefined => {
  const named = sectionAt(at, segments[0], visible)
  const section = named ?? firstSection(at, visible)
  if (at.sections !== undefined && section === undefined) return undefined
  const behind = named === undefined ? segments : segments.slice(1)
  const chosen = siteSpaceAt(at, section?.id ?? "", behind[0], visible)
  const siteSpace = chosen ?? firstIn(at.levels.get(section?.id ?? ""), visible)
  return siteSpace && { section, siteSpace, rest: chosen === undefined ? behind : behind.slice(1) }
}

/** Returns the first section and site space, for a path that consists only of a page's path. */
export const resolvePage = (
  at: Index,
  segments: ReadonlyArray<string>,
  visible: Visible = everything
): Resolved | undefined => {
  const section = firstSection(at, visible)
  if (at.sections !== undefined && section === undefined) return undefined
  const siteSpace = firstIn(at.levels.get(section?.id ?? ""), visible)
  return siteSpace && { section, siteSpace, rest: segments }
}

/** Returns true if the next segment of a path without a page may name a section or a site space. */
export const mayContinue = (
  at: Index,
  { section, rest }: Resolved,
  segments: ReadonlyArray<string>,
  visible: Visible = everything
): boolean => {
  if (rest.length > 0) return false
  const several = <A>(all: Iterable<A>, isOne: (each: A) => boolean) => [...all].filter(isOne).length > 1
  const variants = several(at.levels.get(section?.id ?? "")!.entries, visible)
  const [first, ...more] = segments
  if (first === undefined) return variants || several(at.sections?.values() ?? [], (each) => isThere(at, each, visible))
  return variants && more.length === 0 && section !== undefined && fold(first) === fold(section.path)
}

/** Returns the section and site space of a former path; undefined if no alias applies. */
export const resolveFormer = (
  at: Index,
  segments: ReadonlyArray<string>,
  visible: Visible = everything
): Resolved | undefined => {
  const [first, second] = segments
  if (first === undefined) return undefined
  const alias = (kind: SiteAlias["kind"], level: string, segment: string | undefined) =>
    segment === undefined ? undefined : at.aliases.get(aliasKey(kind, level, fold(segment)))
  const moved = (id: string | undefined, rest: ReadonlyArray<string>): Resolved | undefined => {
    const place = at.places.get(id ?? "")
    if (place === undefined || !visible(place.siteSpace)) return undefined
    return place.section === undefined || visible(place.section) ? { ...place, rest } : undefined
  }
  const movedFrom = (section: SectionEntry) => moved(alias("site-space", section.id, second)?.id, segments.slice(2))
  const within = (section: SectionEntry | undefined): Resolved | undefined => {
    if (section === undefined || !visible(section)) return undefined
    const chosen = siteSpaceAt(at, section.id, second, visible)
    if (chosen !== undefined) return { section, siteSpace: chosen, rest: segments.slice(2) }
    const siteSpace = firstIn(at.levels.get(section.id), visible)
    return movedFrom(section) ?? (siteSpace && { section, siteSpace, rest: segments.slice(1) })
  }

  // The path of an empty section is resolved by the aliases of its former site spaces.
  const named = at.sectionsByPath.get(fold(first))
  const left = named && visible(named) ? movedFrom(named) : undefined
  if (left !== undefined || isThere(at, named, visible)) return left
  const formers = [
    alias("section", "", first),
    alias("site-space", firstSection(at, visible)?.id ?? "", first),
    alias("site-space", "", first)
  ]
  for (const former of formers.filter((one) => one !== undefined).sort((a, b) => b.order - a.order)) {
    const found = former.kind === "section" ? within(at.sections?.get(former.id)) : moved(former.id, segments.slice(1))
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns true if one of the names is the path of a visible entry. */
const hasName = <E>(
  byPath: ReadonlyMap<string, E> | undefined,
  names: ReadonlySet<string>,
  isIn: (entry: E) => boolean
): boolean => byPath?.entries().some(([path, entry]) => names.has(path) && isIn(entry)) === true

/**
 * Returns the base of a site space: as few segments as possible before the paths of its pages. `names`: the first
 * segments of those paths, in lower case. A space may have many pages at the top, so the names are looked up by the
 * paths of the site, not vice versa.
 */
export const base = (
  at: Index,
  id: string,
  names: ReadonlySet<string>,
  visible: Visible = everything
): ReadonlyArray<string> => {
  const place = at.places.get(id)
  if (place === undefined) return []
  const { section, siteSpace } = place
  const level = section?.id ?? ""
  const short =
    firstIn(at.levels.get(level), visible) === siteSpace && !hasName(at.levels.get(level)?.byPath, names, visible)
  const within = short ? [] : [siteSpace.path]
  if (section === undefined) return within
  if (firstSection(at, visible) !== section) return [section.path, ...within]
  const isSection = short
    ? hasName(at.sectionsByPath, names, (one) => isThere(at, one, visible))
    : sectionAt(at, siteSpace.path, visible) !== undefined
  return isSection ? [section.path, ...within] : within
}

/**
 * Returns true if all pages of a site space resolve below these segments. `names`: the first segments of their paths,
 * in lower case.
 */
export const isBase = (
  at: Index,
  segments: ReadonlyArray<string>,
  id: string,
  names: ReadonlySet<string>,
  visible: Visible = everything
): boolean => {
  const leads = (...rest: ReadonlyArray<string>) => {
    const found = resolve(at, [...segments, ...rest], visible)
    return found?.siteSpace.id === id && found.rest.length === rest.length
  }
  if (!leads()) return false
  const level = at.places.get(id)?.section?.id ?? ""
  const paths = [at.sectionsByPath, at.levels.get(level)?.byPath].flatMap((byPath) => [...(byPath?.keys() ?? [])])
  return paths.every((path) => !names.has(path) || leads(path))
}

/** Returns the aliases after a change of the structure: moved parts add aliases, removed parts lose theirs. */
export const noteAliases = (before: SiteStructure, after: SiteStructure, aliases: SiteAliases): SiteAliases => {
  const now = new Map<string, string>()
  const there = new Set<string>([""])
  for (const { section } of sections(after)) {
    now.set(section.id, aliasKey("section", "", fold(section.path)))
    there.add(section.id)
  }
  for (const { section, siteSpace } of siteSpaces(after)) {
    now.set(siteSpace.id, aliasKey("site-space", section?.id ?? "", fold(siteSpace.path)))
  }
  const noted = new Map(aliases.map((alias) => [aliasKey(alias.kind, alias.level, alias.path), alias]))
  const note = (kind: "section" | "site-space", level: string, path: string, id: string) => {
    const key = aliasKey(kind, level, path)
    if (!now.has(id) || now.get(id) === key) return
    noted.delete(key)
    noted.set(key, { kind, level, path, id })
  }
  for (const { section } of sections(before)) note("section", "", fold(section.path), section.id)
  for (const { section, siteSpace } of siteSpaces(before)) {
    note("site-space", section?.id ?? "", fold(siteSpace.path), siteSpace.id)
  }
  return [...noted]
    .filter(([key, { id, level }]) => now.has(id) && now.get(id) !== key && there.has(level))
    .map(([, alias]) => alias)
    .slice(-maxAliases)
}
