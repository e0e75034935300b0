/**
 * The files and reusable contents that a visitor sees: those that the pages it sees refer to, beside
 * their documents or in what the conditions in them leave for it, and those that such reusable
 * contents refer to in turn. What nothing refers to is for members alone.
 *
 * The links of a content say it (see `PlaceLinks`), but for documents in which a condition decides
 * about a reference: those are evaluated, for each kind of visitor whose claims they read. What was
 * found is kept (default: 200,000 references of contents, and of visitors).
 */
import { Effect } from "effect"
import * as Evaluations from "../evaluation/Evaluations.ts"
import type { SpaceVisitor } from "../space/SpacePolicy.ts"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Content, ReusableContentEntry } from "./Content.ts"
import * as ContentReader from "./ContentReader.ts"
import type { ContentRef, Document } from "./Document.ts"
import * as DocumentLinks from "./DocumentLinks.ts"
import * as DocumentRefs from "./DocumentRefs.ts"
import { Lru } from "./Lru.ts"
import * as RefUrl from "./markdown/RefUrl.ts"
import type { ObjectReader } from "./Objects.ts"
import type { PageEntry } from "./Page.ts"
import * as PlaceLinks from "./PlaceLinks.ts"

const keptRefs = 200_000
const keptReach = 200_000
/** Of how many contents is kept that their conditions read claims. */
const keptAdaptive = 10_000
/** How many documents are read at once. */
const batchSize = 16

export interface Reach {
  readonly files: ReadonlySet<string>
  readonly reusableContents: ReadonlySet<string>
}

/** What a page or a reusable content refers to; where it is conditional, the document has to say for whom. */
interface Shown {
  readonly files: ReadonlyArray<string>
  readonly reusableContents: ReadonlyArray<string>
  readonly isConditional: boolean
}

/** A place that is seen: for reusable content on a page that includes it. */
interface Seen {
  readonly shown: Shown
  readonly page: string
  readonly reusableContent?: string
}

/** `hidden`: the pages that the visitor doesn't see, with what is the same for who sees the same pages. */
export type VisitorReach = (
  content: Content,
  visitor: SpaceVisitor,
  hidden: { readonly key: string; readonly pages: ReadonlySet<string> }
) => Effect.Effect<Reach, StorageError>

export const make = (objects: ObjectReader): VisitorReach => {
  const scans = new Lru<string, ReadonlyMap<string, Shown>>(keptRefs)
  const reached = new Lru<string, Reach>(keptReach)
  const adaptive = new Lru<string, true>(keptAdaptive)

  /** By place, for those that refer to any. */
  const scan = Effect.fnUntraced(function* (content: Content) {
    const key = `${content.links} ${content.pages} ${content.reusableContents}`
    const known = scans.get(key)
    if (known !== undefined) return known
    const found = new Map<string, Shown>()
    const slice = yield* Slice.begin
    let size = 1
    for (const [place, { links }] of yield* PlaceLinks.all(objects, content)) {
      const wanted = links.filter(([url]) => url.includes("/files/") || url.includes("/reusable-contents/"))
      if (wanted.length > 0) {
        const shown = shownBy(wanted.map(([url]) => RefUrl.fromUrl(url)))
        found.set(place, { ...shown, isConditional: !wanted.every(DocumentLinks.isForAll) })
        size += wanted.length
      }
      if (slice.isOver()) yield* slice.rest
    }
    scans.set(key, found, size)
    return found
  })

  const find = Effect.fnUntraced(function* (content: Content, { claims }: SpaceVisitor, hidden: ReadonlySet<string>) {
    const places = yield* scan(content)
    const reader = ContentReader.make(objects, content)
    const slice = yield* Slice.begin
    const files = new Set<string>()
    const reusableContents = new Set<string>()
    const open: Array<Seen> = []
    for (const [place, shown] of places) {
      if (PlaceLinks.reusableAt(place) === undefined && !hidden.has(place)) open.push({ shown, page: place })
    }
    const inside = yield* insideOf(reader, claims)
    const asked = new Set<string>()
    while (open.length > 0) {
      const batch = open.splice(-batchSize)
      const pages = new Map<string, PageEntry>()
      const read = batch.filter(({ shown }) => shown.isConditional || shown.reusableContents.length > 0)
      const ids = [...new Set(read.map(({ page }) => page))]
      for (const page of ids.length === 0 ? [] : yield* reader.pages(ids)) if (page) pages.set(page.id, page)
      const evaluated = yield* inside.shown(batch, pages)
      for (const [i, { page, shown }] of batch.entries()) {
        const refs = evaluated[i] ?? shown
        for (const file of refs.files) files.add(file)
        for (const id of refs.reusableContents) {
          // The conditions in it read the variables of the page that includes it.
          const variables = pages.get(page)?.variables
          const key = variables === undefined ? id : `${id} ${JSON.stringify(variables)}`
          if (asked.has(key)) continue
          asked.add(key)
          reusableContents.add(id)
          const there = places.get(PlaceLinks.placeOfReusable(id))
          if (there !== undefined) open.push({ shown: there, page, reusableContent: id })
        }
        if (slice.isOver()) yield* slice.rest
      }
    }
    return { files, reusableContents, readsClaims: inside.readsClaims() }
  })

  /** What documents with conditions show. */
  const insideOf = Effect.fnUntraced(function* (reader: ContentReader.ContentReader, claims: SpaceVisitor["claims"]) {
    const evaluable = { ...reader, variables: Effect.succeed(yield* reader.variables) }
    let readsClaims = false
    return {
      readsClaims: () => readsClaims,

      /** For each of them, undefined where no condition decides about it. */
      shown: Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>, pages: ReadonlyMap<string, PageEntry>) {
        const entries = new Map<Seen, PageEntry | ReusableContentEntry>()
        for (const one of seen) {
          if (!one.shown.isConditional) continue
          const id = one.reusableContent
          const entry = id === undefined ? pages.get(one.page) : yield* reader.reusableContent(id)
          if (entry !== undefined) entries.set(one, entry)
        }
        const hashes = [...new Set(Array.from(entries.values()).flatMap(({ document }) => document ?? []))]
        const documents = new Map<ObjectHash, Document>()
        for (const [i, document] of (yield* objects.readAll<Document>(hashes)).entries()) {
          documents.set(hashes[i]!, document)
        }
        return yield* Effect.forEach(
          seen,
          Effect.fnUntraced(function* (one) {
            const entry = entries.get(one)
            const page = pages.get(one.page)
            if (entry === undefined || page === undefined) return undefined
            const beside = "type" in entry ? refsBeside(entry) : []
            if (entry.document === undefined) return shownBy(beside)
            const options = { evaluated: false, space: "", page, claims }
            const evaluated = yield* Evaluations.evaluate(evaluable, documents.get(entry.document)!, options)
            readsClaims ||= evaluated.readsClaims
            return shownBy([...beside, ...DocumentRefs.refs(evaluated.document)])
          })
        )
      })
    }
  })

  return Effect.fnUntraced(function* (content, visitor, hidden) {
    const forAll = `${content.pages} ${content.reusableContents} ${content.variables} ${hidden.key}`
    const forKind = `${forAll} ${visitor.kind}`
    const known = reached.get(adaptive.get(forAll) === true ? forKind : forAll)
    if (known !== undefined) return known
    const { readsClaims, ...reach } = yield* find(content, visitor, hidden.pages)
    if (readsClaims) adaptive.set(forAll, true, 1)
    reached.set(readsClaims ? forKind : forAll, reach, 1 + reach.files.size + reach.reusableContents.size)
    return reach
  })
}

const refsBeside = ({ cover, target }: Pick<PageEntry, "cover" | "target">): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark, target].filter((ref) => ref !== undefined)

const shownBy = (refs: ReadonlyArray<ContentRef>): Omit<Shown, "isConditional"> => ({
  files: refs.flatMap((ref) => (ref.kind === "file" ? ref.file : [])),
  reusableContents: refs.flatMap((ref) => (ref.kind === "reusable-content" ? ref.reusableContent : []))
})
