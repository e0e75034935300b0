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
import { VisibleReferences } from "../evaluation/VisibleReferences.ts"
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
const revealingUrl = /\/(?:files|reusable-contents|users|openapi)\//
const maxCachedReferences = 200_000
const maxCachedResults = 200_000
/** Number of documents that are read at once. */
const batchSize = 16

export interface VisibleReferences {
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
  /** True if an expression or condition reads claims, so that two visitors with different claims may get other references. */
  readonly readsClaims: boolean
}

export const noReferences: VisibleReferences = {
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
interface SourceReferences {
  readonly files: ReadonlyArray<string>
  readonly reusableContents: ReadonlyArray<string>
  readonly users: ReadonlyArray<string>
  readonly specs: ReadonlyArray<string>
  readonly variables: ReadonlyArray<DocumentLinks.DocumentVariable>
  readonly isConditional: boolean
}

/**
 * A visible page or reusable content whose links are followed. Reusable content is listed once for each page that
 * includes it.
 */
interface VisibleSource {
  readonly references: SourceReferences
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
) => Effect.Effect<VisibleReferences, StorageError>

export const make = (objects: ObjectReader): FindVisibleReferences => {
  const sourceCache = new LruCache<string, ReadonlyMap<string, SourceReferences>>(maxCachedReferences)
  const resultCache = new VisitorKindCache<VisibleReferences, StorageError>(maxCachedResults)
  const scanFlights = new SingleFlight<string, ReadonlyMap<string, SourceReferences>, StorageError>()

  /** Returns the references by source. Sources without references are missing. */
  const referencesBySource = (content: Content) => {
    const key = `${content.links} ${content.pages} ${content.reusableContents}`
    const cached = sourceCache.get(key)
    return cached === undefined ? scanFlights.run(key, computeReferencesBySource(content, key)) : Effect.succeed(cached)
  }

  const computeReferencesBySource = Effect.fnUntraced(function* (content: Content, key: string) {
    const bySource = new Map<string, SourceReferences>()
    const slice = yield* Slice.start
    let size = 1
    for (const [source, { links, variables }] of yield* LinkMap.allLinks(objects, content)) {
      const revealingLinks = links.filter(([url]) => revealingUrl.test(url))
      if (revealingLinks.length + variables.length > 0) {
        const references = referencesFrom(
          revealingLinks.map(([url]) => RefUrl.fromUrl(url)),
          variables
        )
        const isConditional =
          !revealingLinks.every(DocumentLinks.isUnconditional) || variables.some(DocumentLinks.isConditionalVariable)
        bySource.set(source, { ...references, isConditional })
        size += revealingLinks.length + variables.length
      }
      if (slice.isOver()) yield* slice.pause
    }
    sourceCache.set(key, bySource, size)
    return bySource
  })

  const computeVisible = Effect.fnUntraced(function* (
    content: Content,
    { claims }: SpaceVisitor,
    hidden: ReadonlySet<string>
  ) {
    const sources = yield* referencesBySource(content)
    const reader = ContentReader.make(objects, content)
    const slice = yield* Slice.start
    const files = new Set<string>()
    const reusableContents = new Set<string>()
    const users = new Set<string>()
    const specs = new Set<string>()
    const variables = new Set<string>()
    const pageVariables = new Map<string, Set<string>>()
    const pending: Array<VisibleSource> = []
    for (const [source, references] of sources) {
      if (LinkMap.reusableOf(source) === undefined && !hidden.has(source)) pending.push({ references, page: source })
    }
    const evaluator = yield* makeEvaluator(reader, claims)
    const visited = new Set<string>()
    while (pending.length > 0) {
      const batch = pending.splice(-batchSize)
      const pages = new Map<string, PageEntry>()
      const toRead = batch.filter(
        ({ references }) => references.isConditional || references.reusableContents.length > 0
      )
      const ids = [...new Set(toRead.map(({ page }) => page))]
      for (const page of ids.length === 0 ? [] : yield* reader.pages(ids)) if (page) pages.set(page.id, page)
      const evaluated = yield* evaluator.visibleReferences(batch, pages)
      for (const [i, { page, references }] of batch.entries()) {
        const refs = evaluated[i] ?? references
        for (const file of refs.files) files.add(file)
        for (const user of refs.users) users.add(user)
        for (const spec of refs.specs) specs.add(spec)
        for (const variable of refs.variables) {
          if (variable.startsWith(spacePrefix)) variables.add(variable.slice(spacePrefix.length))
          else if (variable.startsWith(pagePrefix)) {
            const names = pageVariables.get(page) ?? new Set()
            pageVariables.set(page, names.add(variable.slice(pagePrefix.length)))
          }
        }
        for (const id of refs.reusableContents) {
          // Reusable content can read the variables of the page that includes it, so each such page is evaluated
          // separately.
          const key = pages.get(page)?.variables === undefined ? id : `${id} ${page}`
          if (visited.has(key)) continue
          visited.add(key)
          reusableContents.add(id)
          const included = sources.get(LinkMap.sourceOfReusable(id))
          if (included !== undefined) pending.push({ references: included, page, reusableContent: id })
        }
        if (slice.isOver()) yield* slice.pause
      }
    }
    return { files, reusableContents, users, specs, variables, pageVariables, readsClaims: evaluator.readsClaims() }
  })

  /** Evaluates documents with conditions, and finds the references in their visible parts. */
  const makeEvaluator = Effect.fnUntraced(function* (
    reader: ContentReader.ContentReader,
    claims: SpaceVisitor["claims"]
  ) {
    const evaluable = { ...reader, variables: Effect.succeed(yield* reader.variables) }
    let readsClaims = false
    return {
      readsClaims: () => readsClaims,

      /** Returns the references of each source. Undefined if no condition decides about them. */
      visibleReferences: Effect.fnUntraced(function* (
        sources: ReadonlyArray<VisibleSource>,
        pages: ReadonlyMap<string, PageEntry>
      ) {
        const entries = new Map<VisibleSource, PageEntry | ReusableContentEntry>()
        for (const source of sources) {
          if (!source.references.isConditional) continue
          const id = source.reusableContent
          const entry = id === undefined ? pages.get(source.page) : yield* reader.reusableContent(id)
          if (entry !== undefined) entries.set(source, entry)
        }
        const hashes = [...new Set(Array.from(entries.values()).flatMap(({ document }) => document ?? []))]
        const parsed = yield* objects.documents(hashes)
        const documents = new Map(hashes.map((hash, i) => [hash, parsed[i]!]))
        return yield* Effect.forEach(
          sources,
          Effect.fnUntraced(function* (source) {
            const entry = entries.get(source)
            const page = pages.get(source.page)
            if (entry === undefined || page === undefined) return undefined
            const fieldRefs = "type" in entry ? fieldRefsOf(entry) : []
            if (entry.document === undefined) return referencesFrom(fieldRefs, [])
            const options = { evaluated: false, space: "", page, claims }
            const document = documents.get(entry.document)!
            const setting = yield* Evaluations.evaluationOf(evaluable, document, options)
            const evaluated = yield* Fallback.withFallback(
              "The visible references of a document could not be determined",
              objects.threads.run(VisibleReferences, { document, setting }),
              Effect.succeed(evaluationFallback)
            )
            readsClaims ||= evaluated.readsClaims
            return referencesFrom([...fieldRefs, ...evaluated.refs], evaluated.variables)
          })
        )
      })
    }
  })

  return Effect.fnUntraced(function* (content, visitor, hidden) {
    const name = `${content.pages} ${content.reusableContents} ${content.variables} ${hidden.key}`
    // The name contains the hashes of the content, so it needs no version.
    const key = { name, version: "" }
    return yield* resultCache.getOrCompute(
      key,
      visitor.kind,
      Effect.map(computeVisible(content, visitor, hidden.pages), (references) => ({
        value: references,
        readsClaims: references.readsClaims,
        size: sizeOf(references)
      }))
    )
  })
}

const evaluationFallback = { refs: [], variables: [], readsClaims: true }

const fieldRefsOf = ({ cover, target }: Pick<PageEntry, "cover" | "target">): ReadonlyArray<ContentRef> =>
  [cover?.ref, cover?.refDark, target].filter((ref) => ref !== undefined)

const spacePrefix = "space."
const pagePrefix = "page."

const sizeOf = ({ files, reusableContents, users, specs, variables, pageVariables }: VisibleReferences): number => {
  let size = 1 + files.size + reusableContents.size + users.size + specs.size + variables.size
  for (const names of pageVariables.values()) size += names.size
  return size
}

const referencesFrom = (
  refs: ReadonlyArray<ContentRef>,
  variables: ReadonlyArray<DocumentLinks.DocumentVariable>
): Omit<SourceReferences, "isConditional"> => ({
  files: refs.flatMap((ref) => (ref.kind === "file" ? ref.file : [])),
  reusableContents: refs.flatMap((ref) => (ref.kind === "reusable-content" ? ref.reusableContent : [])),
  users: refs.flatMap((ref) => (ref.kind === "user" ? ref.user : [])),
  specs: refs.flatMap((ref) => (ref.kind === "openapi" ? ref.spec : [])),
  variables
})
