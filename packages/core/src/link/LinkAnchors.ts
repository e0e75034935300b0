/**
 * Anchors within pages and reusable contents: their headings, and the headings of content that they include. Headings
 * generated from an OpenAPI spec are unknown, so any anchor counts as existing on a page that shows a spec.
 */
import { Effect } from "effect"
import * as Anchors from "@lectern/document/Anchors"
import type { Content } from "../content/Content.ts"
import type { ContentReader } from "../content/ContentReader.ts"
import { type DocumentLinks, relationOf } from "@lectern/document/DocumentLinks"
import type { ObjectReader } from "../content/store/Objects.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import type { StorageError } from "../storage/Storage.ts"

export interface LinkAnchors {
  /** Returns the id of the heading that a fragment names; undefined for none. */
  readonly find: (source: string, fragment: string) => string | undefined
}

/** Maximum depth of nested includes. Anchors of deeper content are not found. */
const maxDepth = 10

const includes = ({ links }: DocumentLinks): ReadonlyArray<string> =>
  links.flatMap((link) => {
    const id = relationOf(link) === "dependsOn" ? /^\/reusable-contents\/([\w-]+)$/.exec(link[0])?.[1] : undefined
    return id === undefined ? [] : LinkMap.sourceOfReusable(id)
  })

const includesSpec = ({ links }: DocumentLinks): boolean =>
  links.some((link) => relationOf(link) === "dependsOn" && link[0].startsWith("/openapi/"))

/**
 * Returns the links of these sources and of the content that they include. `loaded`: links that the caller has already
 * read.
 */
const withIncluded = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>,
  loaded: ReadonlyMap<string, DocumentLinks>
) {
  const all = new Map<string, DocumentLinks>()
  let level: ReadonlyArray<string> = [...new Set(sources)]
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const missingSources = level.filter((source) => !loaded.has(source))
    const sourceLinks = missingSources.length === 0 ? loaded : yield* LinkMap.linksOf(reader, content, missingSources)
    const next = new Set<string>()
    for (const source of level) {
      const links = loaded.get(source) ?? sourceLinks.get(source)
      if (links === undefined) continue
      all.set(source, links)
      for (const included of includes(links)) if (!all.has(included)) next.add(included)
    }
    level = [...next]
  }
  return all
})

const onPage = /^\/pages\/([\w-]{1,128})#(.+)$/

/**
 * Returns the heading ids for links of a page to other pages, by the URL of the link, if the fragment differs from the
 * id. `visiblePages`: reader of the pages that the actor may see.
 */
export const headingIds = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  page: string,
  visiblePages: Pick<ContentReader, "pages">
): Effect.fn.Return<ReadonlyMap<string, string>, StorageError> {
  const loaded = yield* withIncluded(reader, content, [page], new Map())
  const linked = loaded.values().flatMap(({ links }) => links.map(([url]) => onPage.exec(url)))
  const urls = Array.from(linked).filter((match) => match !== null)
  const linkedPages = yield* visiblePages.pages([...new Set(urls.map(([, target]) => target!))])
  const targets = linkedPages.flatMap((linkedPage) => linkedPage?.id ?? [])
  const ids = new Map<string, string>()
  if (targets.length === 0) return ids
  const { find } = yield* load(reader, content, targets, loaded, () => false)
  for (const [url, target, fragment] of urls) {
    const id = find(target!, fragment!)
    if (id !== undefined && id !== fragment) ids.set(url, id)
  }
  return ids
})

/** Loads the anchors of sources. `loaded`: links that the caller has already read. */
export const load = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>,
  loaded: ReadonlyMap<string, DocumentLinks>,
  isComputed: (source: string) => boolean
): Effect.fn.Return<LinkAnchors, StorageError> {
  const all = yield* withIncluded(reader, content, sources, loaded)
  const finders = new Map<string, ReturnType<typeof Anchors.anchorFinder>>()
  /** Returns the cached anchor finder of a source, so that the anchors are read once for all links to the source. */
  const findIn = (source: string, { anchors }: DocumentLinks): ReturnType<typeof Anchors.anchorFinder> => {
    const finder = finders.get(source) ?? Anchors.anchorFinder(anchors)
    finders.set(source, finder)
    return finder
  }

  const find = (source: string, fragment: string): string | undefined => {
    if (isComputed(source)) return fragment
    const visited = new Set<string>()
    const pending = [source]
    let mayHaveAnchor = false
    for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
      const links = all.get(next)
      if (links === undefined || visited.has(next)) continue
      const id = findIn(next, links)(fragment)
      if (id !== undefined) return id
      mayHaveAnchor ||= includesSpec(links)
      visited.add(next)
      pending.push(...includes(links))
    }
    return mayHaveAnchor ? fragment : undefined
  }
  return { find } satisfies LinkAnchors
})
