/**
 * Resolves paths below a site, and finds the path of a page: section, site space, page, each told by segments,
 * the default ones by none.
 *
 * The paths of pages stand behind one base for each site space (see `base`). It leaves out the segments of the
 * default section and of the default site space, unless a page at the top of the space would be taken for one
 * of their siblings. So every page's path leads back to it, whatever pages and sections are called.
 *
 * What moved leaves its old path as an alias. An alias counts where nothing that is there takes the
 * path, pages included: so the live place is asked for first (`resolve`), and then, if there is no
 * such page, the former one (`resolveFormer`).
 *
 * Limits: the last 500 aliases of a site are kept.
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
  /** The section that a site space stood in; empty at the root, and for sections. */
  level: Schema.String,
  /** In lower case. */
  path: Schema.String,
  /** Id of the section or site space that the alias leads to. */
  id: Schema.String
})
type SiteAlias = typeof SiteAlias.Type
export const SiteAliases = Schema.Array(SiteAlias)
export type SiteAliases = typeof SiteAliases.Type

/** Decides whether an entry is there for the reader. */
export type Visible = (entry: { readonly condition?: string; readonly space?: string }) => boolean

const everything: Visible = () => true

interface Level {
  readonly entries: ReadonlyArray<SiteSpaceEntry>
  readonly byPath: ReadonlyMap<string, SiteSpaceEntry>
  readonly default: string | null
}

/** A structure, ready to be asked. */
export interface Index {
  /** Undefined for a site without sections. */
  readonly sections: ReadonlyMap<string, SectionEntry> | undefined
  readonly sectionsByPath: ReadonlyMap<string, SectionEntry>
  readonly defaultSection: string | null
  /** The site spaces of each section, and of the root (""). */
  readonly levels: ReadonlyMap<string, Level>
  readonly places: ReadonlyMap<string, SiteSpacePlace>
  readonly aliases: ReadonlyMap<string, KnownAlias>
}

interface KnownAlias extends SiteAlias {
  /** The later one wins. */
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

/** The one to show first on a level: the default, or what is there instead of it. */
const firstIn = (level: Level | undefined, visible: Visible): SiteSpaceEntry | undefined =>
  level?.entries.find((entry) => entry.id === level.default && visible(entry)) ?? level?.entries.find(visible)

/** A section counts where something of it is there. */
const isThere = (at: Index, section: SectionEntry | undefined, visible: Visible): section is SectionEntry =>
  section !== undefined && visible(section) && at.levels.get(section.id)!.entries.some(visible)

const firstSection = (at: Index, visible: Visible): SectionEntry | undefined => {
  const chosen = at.sections?.get(at.defaultSection ?? "")
  if (isThere(at, chosen, visible)) return chosen
  for (const section of at.sections?.values() ?? []) if (isThere(at, section, visible)) return section
  return undefined
}

/** The site spaces whose segments may be left out: the first of each level. */
export const firsts = (at: Index, visible: Visible = everything): ReadonlyArray<SiteSpaceEntry> =>
  at.places.size < 2 ? [] : [...at.levels.values()].flatMap((level) => firstIn(level, visible) ?? [])

export interface Resolved extends SiteSpacePlace {
  /** The remaining segments: the page's path. */
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

/** Section and site space that a path leads to, page aside; undefined where nothing is there at all. */
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

/** The place of a path that names nothing of the site: a page of what comes first. */
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

/** Tells whether the next segment of a path that leads to no page yet may still name a section or a site space. */
export const mayGoOn = (
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

/** Section and site space that a path led to once, as they are now; undefined where no alias has a part in it. */
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

  // A section that everything moved out of still tells where that is.
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

/** Tells whether a page is called as one of these that are there for the reader. */
const isCalled = <E>(
  byPath: ReadonlyMap<string, E> | undefined,
  names: ReadonlySet<string>,
  isIn: (entry: E) => boolean
): boolean => byPath?.entries().some(([path, entry]) => names.has(path) && isIn(entry)) === true

/**
 * The segments below which pages of a site space are found by their paths: as few as can be where these are the
 * first segments of those, in lower case. A space may have many pages at its top, so these are asked for the
 * paths of the site, and not the other way round.
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
    firstIn(at.levels.get(level), visible) === siteSpace && !isCalled(at.levels.get(level)?.byPath, names, visible)
  const within = short ? [] : [siteSpace.path]
  if (section === undefined) return within
  if (firstSection(at, visible) !== section) return [section.path, ...within]
  const isSection = short
    ? isCalled(at.sectionsByPath, names, (one) => isThere(at, one, visible))
    : sectionAt(at, siteSpace.path, visible) !== undefined
  return isSection ? [section.path, ...within] : within
}

/** Tells whether pages of a site space whose paths begin with these, in lower case, are found below the segments. */
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

/** The aliases after a change of the structure: what moved leaves one, what is gone leaves none. */
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
