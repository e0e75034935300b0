/**
 * Lists the targets of the links of a content, or of some of its sources, and determines if each target exists.
 * Computed from the stored links of each source (`LinkMap`), so no document is read. The work is done in slices, with
 * yields in between.
 */
import { Effect, Stream } from "effect"
import type { Content, Root } from "../content/Content.ts"
import { type DocumentLinks, type Relation, relationOf } from "@lectern/document/DocumentLinks"
import type { ObjectReader } from "../content/store/Objects.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import * as Trie from "../content/store/Trie.ts"
import * as TrieDifferences from "../content/store/TrieDifferences.ts"
import { Slice, sortInSteps } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Addresses } from "./AppUrl.ts"
import * as LinkAnchors from "./LinkAnchors.ts"
import {
  toAbsolute,
  type LinkLocation,
  type LinkTarget,
  type LinkMeaning,
  resolveMeaning,
  type TargetState
} from "./LinkTarget.ts"

/** Number of keys in one lookup. */
const sliceSize = 256

/**
 * Maximum length of a key in characters, since keys are part of page cursors. The rest of a longer key is replaced by a
 * hash.
 */
const maxKeyLength = 256

interface GatheredTarget {
  readonly key: string
  readonly relation: Relation
  readonly meaning: LinkMeaning
  /** Locations in order of their sources. */
  readonly locations: Array<LinkLocation>
}

/** `sources`: sources whose links are returned. Default: all. */
export const targetsOf = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  space: string,
  addresses: Addresses,
  sources?: ReadonlyArray<string>
): Effect.fn.Return<ReadonlyArray<LinkTarget>, StorageError> {
  const links = yield* sources === undefined
    ? LinkMap.allLinks(reader, content)
    : LinkMap.linksOf(reader, content, sources)
  const gatheredTargets = yield* gatherTargets(links, space, addresses)
  const state = yield* targetStates(reader, content, links, gatheredTargets)
  const slice = yield* Slice.start
  const targets: Array<LinkTarget> = []
  for (const { key: fullKey, relation, meaning, locations } of gatheredTargets) {
    const key = fullKey.length <= maxKeyLength ? fullKey : `${fullKey.slice(0, maxKeyLength)} ${reader.sha256(fullKey)}`
    targets.push({ key, relation, ref: meaning.ref, state: state(meaning), locations })
    if (slice.isOver()) yield* slice.pause
  }
  return yield* Slice.run(sortInSteps(targets, (a, b) => (a.key < b.key ? -1 : 1)))
})

const gatherTargets = Effect.fnUntraced(function* (
  links: ReadonlyMap<string, DocumentLinks>,
  space: string,
  addresses: Addresses
) {
  // Grouped by relation, so that links need no combined key.
  const targetsByUrl = { reference: new Map<string, GatheredTarget>(), dependsOn: new Map<string, GatheredTarget>() }
  const slice = yield* Slice.start
  for (const source of yield* Slice.run(sortInSteps([...links.keys()], (a, b) => (a < b ? -1 : 1)))) {
    for (const link of links.get(source)!.links) {
      if (slice.isOver()) yield* slice.pause
      const relation = relationOf(link)
      const url = toAbsolute(link[0], space, source)
      const existing = targetsByUrl[relation].get(url)
      const location = { source, node: link[1] }
      if (existing === undefined) {
        const key = `${url} ${relation}`
        targetsByUrl[relation].set(url, {
          key,
          relation,
          meaning: resolveMeaning(url, addresses),
          locations: [location]
        })
      } else if (existing.locations.at(-1)!.source !== source) {
        // A page is listed once, although URLs of its own space may be written in two ways.
        existing.locations.push(location)
      }
    }
    if (slice.isOver()) yield* slice.pause
  }
  return [...targetsByUrl.reference.values(), ...targetsByUrl.dependsOn.values()]
})

/** Returns a function that determines the state of a target from its meaning. */
const targetStates = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  links: ReadonlyMap<string, DocumentLinks>,
  gatheredTargets: ReadonlyArray<GatheredTarget>
) {
  const requested = { page: new Set<string>(), file: new Set<string>(), "reusable-content": new Set<string>() }
  const anchoredSources = new Set<string>()
  for (const { meaning } of gatheredTargets) {
    if (meaning.targetKind === "outside" || meaning.targetKind === "nothing") continue
    requested[meaning.targetKind].add(meaning.id)
    if ("anchor" in meaning) anchoredSources.add(sourceOf(meaning))
  }
  const [pages, files, contents] = yield* Effect.all([
    keysOf(reader, content.pages, requested.page),
    keysOf(reader, content.files, requested.file),
    keysOf(reader, content.reusableContents, requested["reusable-content"])
  ])
  const computed = new Set((content.computed ?? []).map(({ page }) => page))
  const anchors = yield* LinkAnchors.load(reader, content, [...anchoredSources], links, (source) =>
    computed.has(source)
  )
  const existingIds = { page: pages, file: files, "reusable-content": contents }
  return (meaning: LinkMeaning): TargetState => {
    if (meaning.targetKind === "nothing") return meaning.state
    if (meaning.targetKind === "outside") return "outside"
    // A page without an entry may be a computed page of a spec that not everyone sees.
    if (!existingIds[meaning.targetKind].has(meaning.id))
      return meaning.targetKind === "page" && computed.size > 0 ? "outside" : "broken"
    const anchor = "anchor" in meaning ? meaning.anchor : undefined
    return anchor === undefined || anchors.find(sourceOf(meaning), anchor) !== undefined ? "ok" : "broken"
  }
})

const sourceOf = (meaning: {
  readonly targetKind: "page" | "file" | "reusable-content"
  readonly id: string
}): string => (meaning.targetKind === "reusable-content" ? LinkMap.sourceOfReusable(meaning.id) : meaning.id)

/** Returns the keys that a map contains. Reads the whole map if many keys are requested. */
const keysOf = Effect.fnUntraced(function* (
  reader: ObjectReader,
  root: Root,
  keys: ReadonlySet<string>
): Effect.fn.Return<ReadonlySet<string>, StorageError> {
  const existing = new Set<string>()
  if (keys.size === 0) return existing
  if (keys.size * 4 > (yield* Trie.size(reader, root))) {
    yield* TrieDifferences.inSlices(reader, null, root).pipe(
      Stream.runForEachArray((slices) => {
        for (const slice of slices) for (const { key } of slice) if (keys.has(key)) existing.add(key)
        return Slice.yieldNow
      })
    )
    return existing
  }
  const all = [...keys]
  for (let i = 0; i < all.length; i += sliceSize) {
    const slice = all.slice(i, i + sliceSize)
    const values = yield* Trie.getMany<unknown>(reader, root, slice)
    for (const [n, key] of slice.entries()) if (values[n] !== undefined) existing.add(key)
    if (slice.length === sliceSize) yield* Slice.yieldNow
  }
  return existing
})
