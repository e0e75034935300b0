/**
 * Counts the broken links that a content has and an earlier content does not: new links without a target, and links
 * whose target was removed. A link is a target with a source. Links to other spaces and other websites do not count, since
 * their state depends on the actor or on checks.
 *
 * The work grows with the difference of the contents. If the difference removes targets, such as pages or headings, all
 * links of the later content are read. Contents never change, so the last 1,000 results are cached.
 */
import { Effect, Stream } from "effect"
import { type DocumentLinks, relationOf } from "@lectern/document/DocumentLinks"
import type { Content, Root } from "../../content/Content.ts"
import * as LinkMap from "../../content/pages/LinkMap.ts"
import { type ObjectReader, Objects } from "../../content/store/Objects.ts"
import * as TrieDifferences from "../../content/store/TrieDifferences.ts"
import { PublicUrl } from "../../identity/PublicUrl.ts"
import { sitesUrl } from "../../site/SiteAddress.ts"
import { LruCache } from "../../storage/LruCache.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as LinkIndex from "../LinkIndex.ts"

const maxCachedCounts = 1_000

export const makeAddedBrokenLinks = Effect.gen(function* () {
  const objects = yield* Objects
  const addresses = { publicUrl: yield* PublicUrl, sites: yield* sitesUrl }
  const cachedCounts = new LruCache<string, number>(maxCachedCounts)

  const brokenTargets = (
    reader: ObjectReader,
    content: Content,
    space: string,
    sources: ReadonlyArray<string> | undefined
  ) =>
    Effect.map(LinkIndex.targetsOf(reader, content, space, addresses, sources), (targets) =>
      targets.filter(({ state }) => state === "broken")
    )

  const count = Effect.fnUntraced(function* (reader: ObjectReader, space: string, before: Content, after: Content) {
    const changedSources = yield* changedKeys(reader, before.links, after.links)
    const isComplete = changedSources === undefined || (yield* removesTargets(reader, before, after, changedSources))
    if (!isComplete && changedSources.length === 0) return 0
    const broken = yield* brokenTargets(reader, after, space, isComplete ? undefined : changedSources)
    const sources = new Set(broken.flatMap(({ locations }) => locations.map(({ source }) => source)))
    if (sources.size === 0) return 0
    const brokenBefore = yield* brokenTargets(reader, before, space, [...sources])
    const linksBefore = new Map(
      brokenBefore.map(({ key, locations }) => [key, new Set(locations.map(({ source }) => source))])
    )
    return broken.reduce(
      (sum, { key, locations }) =>
        sum + locations.filter(({ source }) => linksBefore.get(key)?.has(source) !== true).length,
      0
    )
  })

  /** `reader`: reads contents that are not stored yet. Default: reads stored objects. */
  return Effect.fnUntraced(function* (space: string, before: Content, after: Content, reader: ObjectReader = objects) {
    const key = JSON.stringify([space, before, after])
    const cachedCount = cachedCounts.get(key)
    if (cachedCount !== undefined) return cachedCount
    const result = yield* count(reader, space, before, after)
    cachedCounts.set(key, result, 1)
    return result
  })
})

/** Returns the keys whose values differ. Undefined if a content has no link map yet. */
const changedKeys = Effect.fnUntraced(function* (
  reader: ObjectReader,
  before: Root | undefined,
  after: Root | undefined
): Effect.fn.Return<ReadonlyArray<string> | undefined, StorageError> {
  if (before === undefined || after === undefined) return undefined
  return (yield* TrieDifferences.all(reader, before, after)).map(({ key }) => key)
})

/** Returns true if links of unchanged sources may be broken, because a target or an anchor was removed. */
const removesTargets = Effect.fnUntraced(function* (
  reader: ObjectReader,
  before: Content,
  after: Content,
  changedSources: ReadonlyArray<string>
) {
  if (JSON.stringify(before.computed) !== JSON.stringify(after.computed)) return true
  for (const map of ["pages", "files", "reusableContents"] as const) {
    if (yield* removesKeys(reader, before[map], after[map])) return true
  }
  const linksBefore = yield* LinkMap.linksOf(reader, before, changedSources)
  const linksAfter = yield* LinkMap.linksOf(reader, after, changedSources)
  return linksBefore.entries().some(([source, links]) => removesAnchors(links, linksAfter.get(source)))
})

const removesKeys = (reader: ObjectReader, before: Root, after: Root) =>
  TrieDifferences.inSlices<unknown>(reader, before, after).pipe(
    Stream.map((differences) => differences.some((difference) => difference.after === undefined)),
    Stream.runFold(
      () => false,
      (found, removes) => found || removes
    )
  )

/** Targets whose headings belong to the page that includes them. */
const includedTarget = /^\/(?:reusable-contents|openapi)\//

const anchorsOf = ({ anchors, links }: DocumentLinks): ReadonlyArray<string> => [
  ...anchors,
  ...links.flatMap((link) => (relationOf(link) === "dependsOn" && includedTarget.test(link[0]) ? [link[0]] : []))
]

const removesAnchors = (before: DocumentLinks, after: DocumentLinks | undefined): boolean => {
  const anchors = new Set(after === undefined ? [] : anchorsOf(after))
  return anchorsOf(before).some((anchor) => !anchors.has(anchor))
}
