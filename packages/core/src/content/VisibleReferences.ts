/**
 * The files, reusable contents, users, specs and variables that a visitor may read: references of visible pages. These
 * include references in page fields and in the visible parts of documents with conditions, and references of visible
 * reusable contents. Unreferenced objects, and variables that only conditions read, are visible only to members.
 *
 * The references come from the links of a content (see `LinkMap`). Documents in which a condition decides about a
 * reference are evaluated, once for each kind of visitor whose claims they read. Results are cached (default: 200,000
 * references of contents, and 200,000 of visitors).
 */
import { Effect } from "effect"
import * as Evaluations from "../evaluation/Evaluations.ts"
import { ShowReferences } from "../evaluation/ShowReferences.ts"
import type { SpaceVisitor } from "../space/SpacePolicy.ts"
import { SingleFlight } from "../storage/SingleFlight.ts"
import { Slice } from "../storage/Slice.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as Fallback from "../thread/Fallback.ts"
import type { Content, ReusableContentEntry } from "./Content.ts"
import * as ContentReader from "./ContentReader.ts"
import type { ContentRef } from "@lectern/document/Document"
import * as DocumentLinks from "@lectern/document/DocumentLinks"
import { LruCache } from "../storage/LruCache.ts"
import { VisitorKindCache } from "./VisitorKindCache.ts"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import type { ObjectReader } from "./store/Objects.ts"
import type { PageEntry } from "./pages/Page.ts"
import * as LinkMap from "./pages/LinkMap.ts"

/** URLs of references that make otherwise hidden objects visible to visitors. */
const decidedBy = /\/(?:files|reusable-contents|users|openapi)\//
const keptRefs = 200_000
const keptReach = 200_000
/** Number of documents that are read at once. */
const batchSize = 16

export interface Reach {
  readonly files: ReadonlySet<string>
  readonly reusableContents: ReadonlySet<string>
  /** Ids of mentioned users. */
  readonly users: ReadonlySet<string>
  /** Names of API specs. */
  readonly specs: ReadonlySet<string>
  /** Names of variables of the space. */
  readonly variables: ReadonlySet<string>
  /** Names of page variables, by page id. */
  readonly pageVariables: ReadonlyMap<string, ReadonlySet<string>>
  /** True if visitors with other claims who see the same pages may reach other references. */
  readonly readsClaims: boolean
}

export const none: Reach = {
  files: new Set(),
  reusableContents: new Set(),
  users: new Set(),
  specs: new Set(),
  variables: new Set(),
  pageVariables: new Map(),
  readsClaims: false
}

/**
 * References of a page or reusable content. If a reference is conditional, the document must be evaluated for the
 * visitor.
 */
interface Shown {
  readonly files: ReadonlyArray<string>
  readonly reusableContents: ReadonlyArray<string>
  readonly users: ReadonlyArray<string>
  readonly specs: ReadonlyArray<string>
  readonly variables: ReadonlyArray<DocumentLinks.DocumentVariable>
  readonly isConditional: boolean
}

/** A visible source of links. Reusable content is combined with a page that includes it. */
interface Seen {
  readonly shown: Shown
  readonly page: string
  readonly reusableContent?: string
}

/**
 * Computes the references that a visitor reaches. `hidden`: pages that the visitor does not see, with a key that is
 * equal for visitors who see the same pages.
 */
export type FindVisibleReferences = (
  content: Content,
  visitor: SpaceVisitor,
  hidden: { readonly key: string; readonly pages: ReadonlySet<string> }
) => Effect.Effect<Reach, StorageError>

export const make = (objects: ObjectReader): FindVisibleReferences => {
  const scans = new LruCache<string, ReadonlyMap<string, Shown>>(keptRefs)
  const reached = new VisitorKindCache<Reach, StorageError>(keptReach)
  const scanning = new SingleFlight<string, ReadonlyMap<string, Shown>, StorageError>()

  /** Returns the references by source. Sources without references are missing. */
  const scan = (content: Content) => {
    const key = `${content.links} ${content.pages} ${content.reusableContents}`
    const known = scans.get(key)
    return known === undefined ? scanning.run(key, scanAll(content, key)) : Effect.succeed(known)
  }

  const scanAll = Effect.fnUntraced(function* (content: Content, key: string) {
    const found = new Map<string, Shown>()
    const slice = yield* Slice.start
    let size = 1
    for (const [source, { links, variables }] of yield* LinkMap.all(objects, content)) {
      const wanted = links.filter(([url]) => decidedBy.test(url))
      if (wanted.length + variables.length > 0) {
        const shown = shownBy(
          wanted.map(([url]) => RefUrl.fromUrl(url)),
          variables
        )
        const isConditional =
          !wanted.every(DocumentLinks.isUnconditional) || variables.some(DocumentLinks.isConditionalVariable)
        found.set(source, { ...shown, isConditional })
        size += wanted.length + variables.length
      }
      if (slice.isOver()) yield* slice.pause
    }
    scans.set(key, found, size)
    return found
  })

  const find = Effect.fnUntraced(function* (content: Content, { claims }: SpaceVisitor, hidden: ReadonlySet<string>) {
    const sources = yield* scan(content)
    const reader = ContentReader.make(objects, content)
    const slice = yield* Slice.start
    const files = new Set<string>()
    const reusableContents = new Set<string>()
    const users = new Set<string>()
    const specs = new Set<string>()
    const variables = new Set<string>()
    const pageVariables = new Map<string, Set<string>>()
    const open: Array<Seen> = []
    for (const [source, shown] of sources) {
      if (LinkMap.reusableOf(source) === undefined && !hidden.has(source)) open.push({ shown, page: source })
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
        for (const user of refs.users) users.add(user)
        for (const spec of refs.specs) specs.add(spec)
        for (const variable of refs.variables) {
          if (variable.startsWith(ofSpace)) variables.add(variable.slice(ofSpace.length))
          else if (variable.startsWith(ofPage)) {
            const names = pageVariables.get(page) ?? new Set()
            pageVariables.set(page, names.add(variable.slice(ofPage.length)))
          }
        }
        for (const id of refs.reusableContents) {
          // Reusable content can read the variables of the page that includes it, so each such page is evaluated
          // separately.
          const key = pages.get(page)?.variables === undefined ? id : `${id} ${page}`
          if (asked.has(key)) continue
          asked.add(key)
          reusableContents.add(id)
          const there = sources.get(LinkMap.sourceOfReusable(id))
          if (there !== undefined) open.push({ shown: there, page, reusableContent: id })
        }
        if (slice.isOver()) yield* slice.pause
      }
    }
    return { files, reusableContents, users, specs, variables, pageVariables, readsClaims: inside.readsClaims() }
  })

  /** Evaluates documents with conditions, and finds the references that they show. */
  const insideOf = Effect.fnUntraced(function* (reader: ContentReader.ContentReader, claims: SpaceVisitor["claims"]) {
    const evaluable = { ...reader, variables: Effect.succeed(yield* reader.variables) }
    let readsClaims = false
    return {
      readsClaims: () => readsClaims,

      /** Returns the references of each source. Undefined if no condition decides about them. */
      shown: Effect.fnUntraced(function* (seen: ReadonlyArray<Seen>, pages: ReadonlyMap<string, PageEntry>) {
        const entries = new Map<Seen, PageEntry | ReusableContentEntry>()
        for (const one of seen) {
          if (!one.shown.isConditional) continue
          const id = one.reusableContent
          const entry = id === undefined ? pages.get(one.page) : yield* reader.reusableContent(id)
          if (entry !== undefined) entries.set(one, entry)
        }
        const hashes = [...new Set(Array.from(entries.values()).flatMap(({ document }) => document ?? []))]
        const read = yield* objects.documents(hashes)
        const documents = new Map(hashes.map((hash, i) => [hash, read[i]!]))
        return yield* Effect.forEach(
          seen,
          Effect.fnUntraced(function* (one) {
            const entry = entries.get(one)
            const page = pages.get(one.page)
            if (entry === undefined || page === undefined) return undefined
            const beside = "type" in entry ? refsBeside(entry) : []
            if (entry.document === undefined) return shownBy(beside, [])
            const options = { evaluated: false, space: "", page, claims }
            const document = documents.get(entry.document)!
            const setting = yield* Evaluations.evaluationOf(evaluable, document, options)
            const found = yield* Fallback.withFallback(
              "What a document shows a visitor could not be found out",
              objects.threads.run(ShowReferences, { document, setting }),
              Effect.succeed(nothing)
            )
            readsClaims ||= found.readsClaims
            return shownBy([...beside, ...found.refs], found.variables)
          })
        )
      })
    }
  })

  return Effect.fnUntraced(function* (content, visitor, hidden) {
    const name = `${content.pages} ${content.reusableContents} ${content.variables} ${hidden.key}`
    // The name contains the hashes of the content, so it needs no version.
    const key = { name, version: "" }
    return yield* reached.of(
      key,
      visitor.kind,
      Effect.map(find(content, visitor, hidden.pages), (reach) => ({
        answer: reach,
        readsClaims: reach.readsClaims,
        size: sizeOf(reach)
      }))
    )
  })
}

const nothing = { refs: [], variables: [], readsClaims: true }

const refsBeside = ({ cover, target }: Pick<PageEntry, "cover" | "target">): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark, target].filter((ref) => ref !== undefined)

const ofSpace = "space."
const ofPage = "page."

const sizeOf = ({ files, reusableContents, users, specs, variables, pageVariables }: Reach): number => {
  let size = 1 + files.size + reusableContents.size + users.size + specs.size + variables.size
  for (const names of pageVariables.values()) size += names.size
  return size
}

const shownBy = (
  refs: ReadonlyArray<ContentRef>,
  variables: ReadonlyArray<DocumentLinks.DocumentVariable>
): Omit<Shown, "isConditional"> => ({
  files: refs.flatMap((ref) => (ref.kind === "file" ? ref.file : [])),
  reusableContents: refs.flatMap((ref) => (ref.kind === "reusable-content" ? ref.reusableContent : [])),
  users: refs.flatMap((ref) => (ref.kind === "user" ? ref.user : [])),
  specs: refs.flatMap((ref) => (ref.kind === "openapi" ? ref.spec : [])),
  variables
})
