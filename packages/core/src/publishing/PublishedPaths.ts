/**
 * Resolves paths of a site for a visitor, and builds paths of pages. Parts that are not visible to the visitor, and
 * closed spaces, count as missing.
 */
import { Effect } from "effect"
import { type Claims } from "../adaptive/Claims.ts"
import { ComputedContents } from "../computed/ComputedContents.ts"
import * as ContentReader from "../content/ContentReader.ts"
import { Objects } from "../content/store/Objects.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import { makePageAliases } from "../content/pages/PageAliases.ts"
import * as PageTree from "../content/pages/PageTree.ts"
import { TopLevelNames } from "../content/pages/TopLevelNames.ts"
import { Revisions } from "../content/revisions/Revisions.ts"
import type { Destination } from "../redirect/Redirect.ts"
import * as HeaderUrl from "../schema/HeaderUrl.ts"
import * as ServedNames from "../site/ServedNames.ts"
import { SiteMount } from "../site/SiteAddress.ts"
import * as SitePaths from "../site/SitePaths.ts"
import { type CachedSite, type SiteSpaceRows } from "../site/store/SiteStore.ts"
import { findSection, findSiteSpace, type SiteSpaceId } from "../site/SiteStructure.ts"
import { type SpaceId, type SpaceRow, SpaceTable } from "../space/Space.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import type { ReadableSpaces } from "../visitor/AdmittedVisitors.ts"
import { conditionHolds } from "./Admission.ts"
import type { RuleResult, VisibilityReason, VisibilityRule } from "./VisibilityRule.ts"

/** Visitor who requests a path. */
export interface PathReader {
  readonly claims: Claims
  readonly spaces: Pick<ReadableSpaces, "read" | "reason">
  /** True to ignore all conditions. Default: false. */
  readonly ignoresConditions?: boolean
}

/** Returns which parts are visible to a reader. */
const visibilityOf =
  ({ claims, ignoresConditions = false }: Omit<PathReader, "spaces">): SitePaths.IsVisible =>
  (entry) =>
    ignoresConditions || conditionHolds(claims, entry)

/** Returns a reader with the same claims that ignores conditions and visibilities. */
const unrestrictedReader = ({ claims }: PathReader): PathReader => ({
  claims,
  spaces: { read: (space) => space, reason: () => undefined },
  ignoresConditions: true
})

/** Path of a site, resolved to its space and page. */
interface PageOfPath {
  readonly resolved: SitePaths.ResolvedPath
  readonly space: SpaceRow
  readonly page: PageEntry | undefined
}

export const publishedPaths = Effect.gen(function* () {
  const storage = yield* Storage
  const spaces = storage.repository(SpaceTable)
  const objects = yield* Objects
  const revisions = yield* Revisions
  const aliases = yield* makePageAliases
  const topLevelNames = yield* TopLevelNames
  const computedContents = yield* ComputedContents

  const visibilityFor = (claims: Claims): SitePaths.IsVisible => visibilityOf({ claims })

  const readableSpace = Effect.fnUntraced(function* (reader: PathReader, id: SpaceId) {
    const space = yield* spaces.get({ id })
    return space && reader.spaces.read(space)
  })

  const contentReaderOf = Effect.fnUntraced(function* (space: SpaceRow) {
    const { content } = yield* revisions.get(space.revision)
    const reader: ContentReader.ContentReader = ContentReader.make(objects, content)
    const sources = yield* computedContents.publicSources(space, content)
    return sources === undefined ? reader : yield* computedContents.readerFor(content, reader, yield* sources.complete)
  })

  /** Returns true if a space has computed pages. Their URLs change with their sources, so results are not cached. */
  const isComputed = Effect.fnUntraced(function* ({ rows }: SiteSpaceRows, space: SpaceId) {
    const row = rows.get(space)
    return row !== undefined && (yield* revisions.get(row.revision)).content.computed !== undefined
  })

  const isPageVisible = Effect.fnUntraced(function* (
    content: ContentReader.ContentReader,
    page: PageEntry,
    isVisible: SitePaths.IsVisible
  ) {
    const ancestors = yield* PageTree.ancestors(content, page)
    return [...ancestors, page].every(isVisible)
  })

  /** Returns the segments before the paths of all pages of a space. */
  const baseSegmentsOf = Effect.fnUntraced(function* (
    { paths }: CachedSite,
    claims: Claims,
    siteSpace: SiteSpaceId,
    space: SpaceRow,
    /** Segments of the request. They are the result if all pages of the space are available below them. */
    requestedBase?: ReadonlyArray<string>
  ) {
    const isVisible = visibilityFor(claims)
    const names = paths.locationsBySiteSpace.size < 2 ? new Set<string>() : yield* topLevelNames.namesOf(space)
    return requestedBase !== undefined && SitePaths.isBase(paths, requestedBase, siteSpace, names, isVisible)
      ? requestedBase
      : SitePaths.base(paths, siteSpace, names, isVisible)
  })

  const urlOf = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    base: string,
    claims: Claims,
    siteSpace: SiteSpaceId,
    space: SpaceRow,
    page: ReadonlyArray<string>
  ) {
    const path = [...(yield* baseSegmentsOf(cachedSite, claims, siteSpace, space)), ...page]
      .map(encodeURIComponent)
      .join("/")
    const isStatic = (yield* SiteMount)?.staticSite !== undefined
    // The path has the same form as the URLs in the resources of a site.
    return base + path + (path === "" ? "" : page.length === 0 ? "/" : ServedNames.slashOf(page, isStatic))
  })

  const destinationUrl = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    base: string,
    reader: PathReader,
    target: Destination
  ) {
    if (target.kind === "external") return HeaderUrl.headerUrl(target.url)
    const { structure } = cachedSite.site
    const { claims } = reader
    const isVisible = visibilityFor(claims)
    if (target.kind === "site-section") {
      const section = findSection(structure, target.siteSectionId)
      if (section === undefined || !isVisible(section)) return undefined
      const defaultSiteSpaces = section.siteSpaces.filter(({ id }) => id === section.default)
      for (const entry of [...defaultSiteSpaces, ...section.siteSpaces]) {
        const space = isVisible(entry) ? yield* readableSpace(reader, entry.space) : undefined
        if (space !== undefined) return yield* urlOf(cachedSite, base, claims, entry.id, space, [])
      }
      return undefined
    }
    const location = findSiteSpace(structure, target.siteSpaceId)
    if (
      location === undefined ||
      !isVisible(location.siteSpace) ||
      (location.section && !isVisible(location.section))
    ) {
      return undefined
    }
    const space = yield* readableSpace(reader, location.siteSpace.space)
    if (space === undefined) return undefined
    if (target.kind === "site-space") return yield* urlOf(cachedSite, base, claims, location.siteSpace.id, space, [])
    const content = yield* contentReaderOf(space)
    const page = yield* content.page(target.pageId)
    if (page === undefined || !(yield* isPageVisible(content, page, isVisible))) return undefined
    const path = yield* PageTree.path(content, page)
    return yield* urlOf(cachedSite, base, claims, location.siteSpace.id, space, path.split("/"))
  })

  /** Returns the site space that a path leads to, skipping closed spaces. */
  const resolveReadable = Effect.fnUntraced(function* (
    reader: PathReader,
    find: (isVisible: SitePaths.IsVisible) => SitePaths.ResolvedPath | undefined
  ) {
    const hiddenSpaces = new Set<string>()
    const isVisible = visibilityOf(reader)
    for (;;) {
      const resolved = find((entry) => isVisible(entry) && !hiddenSpaces.has(entry.space ?? ""))
      if (resolved === undefined) return undefined
      const space = yield* readableSpace(reader, resolved.siteSpace.space)
      if (space !== undefined) return { resolved, space }
      hiddenSpaces.add(resolved.siteSpace.space)
    }
  })

  /**
   * Returns the page at a path, and whether the page's current path is another one. Returns the first document of the
   * space for the empty path.
   */
  const resolvePage = Effect.fnUntraced(function* (
    { resolved, space }: { readonly resolved: SitePaths.ResolvedPath; readonly space: SpaceRow },
    reader: PathReader
  ) {
    const isVisible = visibilityOf(reader)
    const content = yield* contentReaderOf(space)
    if (resolved.rest.length === 0) {
      const page = yield* PageTree.firstDocument(content, isVisible)
      return { resolved, space, page, path: [], moved: false }
    }
    const resolvedPage = yield* aliases.resolve(space.id, content, resolved.rest)
    if (resolvedPage === undefined || !(yield* isPageVisible(content, resolvedPage.page, isVisible))) return undefined
    const path = (yield* PageTree.path(content, resolvedPage.page)).split("/")
    return { resolved, space, page: resolvedPage.page, path, moved: resolvedPage.moved }
  })

  /**
   * Returns the page at a path below a site: the current page, otherwise a former one, or the one that would be found
   * if no part of the site used the start of the path.
   */
  const findPage = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    segments: ReadonlyArray<string>,
    reader: PathReader
  ) {
    // The paths of a single site space have no segment for it, so a page at the top may have the name of the site space.
    if (cachedSite.paths.locationsBySiteSpace.size === 1 && segments.length > 0) {
      const onlySpace = yield* resolveReadable(reader, (isVisible) =>
        SitePaths.resolvePage(cachedSite.paths, segments, isVisible)
      )
      const page = onlySpace && (yield* resolvePage(onlySpace, reader))
      if (page?.moved === false) return page
    }
    const current = yield* resolveReadable(reader, (isVisible) =>
      SitePaths.resolve(cachedSite.paths, segments, isVisible)
    )
    const currentPage = current && (yield* resolvePage(current, reader))
    if (currentPage !== undefined) return currentPage
    const isSiteSpacePath = current?.resolved.rest.length === segments.length
    for (const find of isSiteSpacePath ? [SitePaths.resolveFormer] : [SitePaths.resolveFormer, SitePaths.resolvePage]) {
      const formerSpace = yield* resolveReadable(reader, (isVisible) => find(cachedSite.paths, segments, isVisible))
      const formerPage = formerSpace && (yield* resolvePage(formerSpace, reader))
      if (formerPage !== undefined) return { ...formerPage, moved: true }
    }
    return undefined
  })

  /** Returns the space of a path without a page. The rest of the path is unchanged. */
  const findSpace = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    segments: ReadonlyArray<string>,
    reader: PathReader
  ) {
    const current = yield* resolveReadable(reader, (isVisible) =>
      SitePaths.resolve(cachedSite.paths, segments, isVisible)
    )
    return current && { ...current, page: undefined, path: current.resolved.rest, moved: false }
  })

  /** True if a site serves a file of its own at the path: a file that every site has, or a form of a page. */
  const isSiteFile = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    segments: ReadonlyArray<string>,
    reader: PathReader
  ) {
    if (ServedNames.isFile((yield* findSpace(cachedSite, segments, reader))?.resolved.rest ?? segments)) return true
    const page = ServedNames.pageOf(segments)
    if (page === undefined) return false
    for (const path of page.at(-1) === "index" ? [page, page.slice(0, -1)] : [page]) {
      const resolved = yield* findPage(cachedSite, path, reader)
      if (resolved?.page !== undefined && !resolved.moved) return true
    }
    return false
  })

  /**
   * Returns the results of the rules for the parts of a path: of the page that the reader sees, and else of the page
   * that the path would name if nothing was hidden.
   */
  const rulesOf = Effect.fnUntraced(function* (
    cachedSite: CachedSite,
    segments: ReadonlyArray<string>,
    reader: PathReader,
    visiblePath: PageOfPath | undefined
  ): Effect.fn.Return<ReadonlyArray<RuleResult>, StorageError> {
    const whole = unrestrictedReader(reader)
    const page = ServedNames.pageOf(segments)
    const target =
      visiblePath ??
      (yield* findPage(cachedSite, segments, whole)) ??
      (page && (yield* findPage(cachedSite, page, whole))) ??
      (yield* findSpace(cachedSite, segments, whole))
    if (target === undefined) return [{ rule: "site-space", reason: "site-empty" }]
    const isVisible = visibilityOf(reader)
    const conditionRule = (
      rule: VisibilityRule,
      reason: VisibilityReason,
      part: string,
      entry: { readonly condition?: string }
    ): RuleResult =>
      isVisible(entry) ? { rule, part, value: entry.condition } : { rule, reason, part, value: entry.condition }
    const { section, siteSpace } = target.resolved
    const { space } = target
    const results: Array<RuleResult> = []
    if (section) results.push(conditionRule("section", "section-condition", section.title, section))
    results.push(conditionRule("site-space", "site-space-condition", siteSpace.path, siteSpace))
    const reason = reader.spaces.reason(space)
    results.push({ rule: "space", reason, part: space.title, value: space.visibility })
    const path = `/${target.resolved.rest.join("/")}`
    if (target.page === undefined) {
      const missing = target.resolved.rest.length === 0 ? "space-empty" : "page-not-found"
      return [...results, { rule: "page", reason: missing, part: missing === "space-empty" ? space.title : path }]
    }
    const content = yield* contentReaderOf(space)
    for (const entry of [...(yield* PageTree.ancestors(content, target.page)), target.page]) {
      results.push(conditionRule("page", "page-condition", entry.title, entry))
    }
    const isGroup = target.page.type === "group" && target.page.parent === null
    if (isGroup && (yield* PageTree.firstInGroup(content, target.page, isVisible)) === undefined) {
      results.push({ rule: "page", reason: "group-empty", part: target.page.title })
    }
    return results
  })

  return { rulesOf, isSiteFile, visibilityFor, isComputed, baseSegmentsOf, urlOf, destinationUrl, findPage, findSpace }
})
