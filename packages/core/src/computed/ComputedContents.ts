/**
 * A content with its computed pages built. A page of type `computed` is presented as a page about its spec, or about
 * the response of its integration, under its own title and path, with generated pages below it. A computed document has
 * the text that the spec or the integration provides. Pages are built on reading, from the last version of the spec or
 * the last response, so nothing is written to the space.
 *
 * The id of a generated page consists of the id of its computed page and a hash of its key in the spec or the response.
 * A new version with the same key keeps the id. A computed page has no generated pages if its spec is missing or not
 * visible, or if its integration is inactive or has never responded. The page then states the reason.
 *
 * Results are cached by the version of the spec or the response, and by the request. Limits: 8 MiB of page lists, 16
 * MiB of documents, and contents with 100,000 built pages in total. One content has at most 100,000 built pages.
 */
import { Context, Effect, Layer } from "effect"
import type { Content } from "../content/Content.ts"
import type { ContentReader } from "../content/ContentReader.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { PageEntry } from "../content/pages/Page.ts"
import {
  empty,
  serialize,
  serializeInSlices,
  isSmall,
  type StoredDocument
} from "../content/documents/StoredDocument.ts"
import type { OpenApiVersionRow } from "../openapi/OpenApiVersion.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import { FindReferences, MapReferences } from "../content/documents/DocumentReferences.ts"
import type { ContentRef } from "@lectern/document/Document"
import * as Fallback from "../thread/Fallback.ts"
import { Threads } from "../thread/Threads.ts"
import * as ResponseOutline from "./ResponseOutline.ts"
import type { ResponseFile } from "./ResponsePages.ts"
import * as GeneratedText from "./GeneratedText.ts"
import * as GeneratedPages from "./GeneratedPages.ts"
import {
  type ComputedPages,
  type ComputedSource,
  type IntegrationSource,
  isIntegration,
  isPages,
  type SpecSource,
  specOf
} from "./ComputedSource.ts"
import { makeComputedSources, type Sources } from "./ComputedSources.ts"
import { ComputedSpecs } from "./ComputedSpecs.ts"
import * as SpecOutline from "./SpecOutline.ts"
import * as SpecPages from "./SpecPages.ts"

const outlineCacheSize = 8 * 1024 * 1024
const documentCacheSize = 16 * 1024 * 1024
const maxPages = 100_000

export interface ComputedContent extends ContentReader {
  /** Returns the stored or computed document of a page. */
  readonly documentOf: (page: PageEntry) => Effect.Effect<StoredDocument, StorageError>
  /** Built pages, in order. */
  readonly generatedPages: ReadonlyArray<PageEntry>
  /** External files of the built pages, by id. */
  readonly generatedFiles: ReadonlyMap<string, Omit<ResponseFile, "id">>
  /** True if the document of the page changes only with the key of the sources. */
  readonly isCacheable: (page: PageEntry) => boolean
  /** Returns a function for the available documents of pages for which `isCacheable` is false. No integration is called. */
  readonly availableDocuments: (
    pages: ReadonlyArray<PageEntry>
  ) => Effect.Effect<(page: PageEntry) => Effect.Effect<StoredDocument | undefined, StorageError>, StorageError>
}

export class ComputedContents extends Context.Service<
  ComputedContents,
  Effect.Success<typeof makeComputedSources> & {
    /**
     * Returns the content with built pages. `visibilityKey`: equal for readers with equal visible pages of the content.
     */
    readonly readerFor: (
      content: Content,
      reader: ContentReader,
      sources: Sources | undefined,
      visibilityKey?: string
    ) => Effect.Effect<ComputedContent, StorageError>
  }
>()("@lectern/core/computed/ComputedContents") {
  static readonly layer = Layer.effect(
    ComputedContents,
    Effect.gen(function* () {
      const specs = yield* ComputedSpecs
      const hasher = yield* Hasher
      const threads = yield* Threads
      const outlines = new LruCache<string, ReadonlyArray<SpecOutline.OutlinePage>>(outlineCacheSize)
      const documents = new LruCache<string, StoredDocument>(documentCacheSize)
      const contents = new LruCache<string, GeneratedPages.GeneratedPages>(maxPages)

      const outlineOf = Effect.fnUntraced(function* (version: OpenApiVersionRow, props: ComputedPages["props"]) {
        const key = `${version.id} ${props.models} ${props.grouping ?? ""}`
        const cached = outlines.get(key)
        if (cached !== undefined) return cached
        const outline = SpecOutline.outline(yield* specs.read(version), props)
        outlines.set(key, outline, JSON.stringify(outline).length)
        return outline
      })

      const specDocument = Effect.fnUntraced(function* (source: SpecSource, sources: Sources) {
        const name = specOf(source)
        const specState = sources.stateOf(name)
        if (specState.state === "missing")
          return serialize(SpecPages.notice("The OpenAPI spec of this page is missing."))
        if (specState.state === "empty")
          return serialize(SpecPages.notice("The OpenAPI spec of this page has no version yet."))
        const key = JSON.stringify([specState.version.id, name, source.props])
        const cached = documents.get(key)
        if (cached !== undefined) return cached
        const spec = yield* specs.read(specState.version)
        const rendered = isPages(source)
          ? SpecPages.ofSpec(spec, { source, downloadLink: source.props.downloadLink === true })
          : yield* SpecPages.document(spec, source.props, { source })
        const document = yield* serializeInSlices(rendered)
        documents.set(key, document, isSmall(document) ? JSON.stringify(document).length : document.json.length)
        return document
      })

      /** Returns a document in which names of pages and files of its source are replaced by references. */
      const resolveReferences = Effect.fnUntraced(function* (
        document: StoredDocument,
        meaning: (ref: ContentRef) => ContentRef
      ) {
        const refs = yield* threads.run(FindReferences, { document, stored: empty })
        return yield* threads.run(MapReferences, { document, refs: new Map(mapRefs(refs, meaning)) })
      })

      const integrationDocument = Effect.fnUntraced(function* (
        page: PageEntry,
        source: IntegrationSource,
        sources: Sources,
        generatedPages: GeneratedPages.GeneratedPages,
        reader: ContentReader
      ) {
        if (generatedPages.placeholders.has(page.id)) {
          const { state } = sources.responses?.pagesOf(source) ?? { state: "absent" }
          return state === "ready"
            ? serialize(GeneratedText.linksTo(generatedPages.childrenOf(page.id)))
            : serialize(GeneratedText.notice(state))
        }
        const response = yield* sources.responses?.documentOf(source) ?? absent
        if (response.state !== "ready") return serialize(GeneratedText.notice(response.state))
        const document = yield* reader.document(response.object)
        const meaning = generatedPages.referenceResolverOf(page.id)
        if (meaning === undefined) return document
        return yield* Fallback.withFallback(
          "Could not read the references in a page from an integration",
          resolveReferences(document, meaning),
          Effect.succeed(document)
        )
      })

      /** Returns the pages of one source, and the time of the version or response that they were built from. */
      const pagesOf = Effect.fnUntraced(function* (source: ComputedSource, sources: Sources) {
        if (isIntegration(source)) {
          const response = sources.responses?.pagesOf(source)
          if (response?.state !== "ready") return undefined
          const { pages, files } = response.response
          return { pages: ResponseOutline.outline(pages), since: response.since, files }
        }
        const specState = isPages(source) ? sources.stateOf(specOf(source)) : undefined
        if (!isPages(source) || specState?.state !== "ready") return undefined
        const { type, dependencies } = source
        const pages = (yield* outlineOf(specState.version, source.props)).map(({ props, ...page }) => ({
          ...page,
          type: "document" as const,
          computed: { type, dependencies, props }
        }))
        return { pages, since: specState.version.createdAt, files: undefined }
      })

      /** Builds the pages below each visible computed page, and below computed pages among them. */
      const build = Effect.fnUntraced(function* (content: Content, reader: ContentReader, sources: Sources) {
        const generatedPages = new GeneratedPages.GeneratedPages((text) => hasher.sha256(text))
        const entries = yield* reader.pages((content.computed ?? []).map(({ page }) => page))
        const pendingEntries = entries.filter((entry) => entry?.type === "computed").reverse()
        for (let entry = pendingEntries.pop(); entry !== undefined; entry = pendingEntries.pop()) {
          if (entry.computed === undefined) continue
          if (isIntegration(entry.computed)) generatedPages.placeholders.add(entry.id)
          const generated = yield* pagesOf(entry.computed, sources)
          if (generated === undefined || generatedPages.count + generated.pages.length > maxPages) continue
          const added = generatedPages.add(entry, generated.pages, generated.since, generated.files)
          for (const page of added.reverse()) if (page.type === "computed") pendingEntries.push(page)
          yield* Effect.yieldNow
        }
        return generatedPages
      })

      return ComputedContents.of({
        ...(yield* makeComputedSources),
        readerFor: Effect.fnUntraced(function* (content, reader, sources, visibilityKey = "") {
          const storedDocument = (page: PageEntry) => reader.document(page.document)
          if (sources === undefined) {
            return {
              ...reader,
              documentOf: storedDocument,
              generatedPages: [],
              generatedFiles: noFiles,
              isCacheable: () => true,
              availableDocuments: () => noDocuments
            }
          }
          const key = `${content.pages} ${sources.key} ${visibilityKey}`
          let computedContent = contents.get(key)
          if (computedContent === undefined) {
            computedContent = yield* build(content, reader, sources)
            contents.set(key, computedContent, 1 + computedContent.count)
          }
          const pages = computedContent
          const withGenerated = GeneratedPages.withGeneratedPages(reader, pages)
          const dependsOnResponse = ({ id, computed }: PageEntry) =>
            computed !== undefined && isIntegration(computed) && !pages.placeholders.has(id)
          return {
            ...withGenerated,
            generatedPages: pages.entries,
            generatedFiles: pages.files,
            isCacheable: (page) => !dependsOnResponse(page),
            availableDocuments: Effect.fnUntraced(function* (requestedPages) {
              const responsePages = requestedPages.filter(dependsOnResponse)
              const responses = yield* (
                sources.responses?.availableDocuments(responsePages.map(sourceOf)) ?? Effect.succeed([])
              )
              const responsesById = new Map(responsePages.map(({ id }, i) => [id, responses[i]]))
              return ({ id }) => {
                const response = responsesById.get(id)
                return response?.state === "ready" ? reader.document(response.object) : Effect.succeed(undefined)
              }
            }),
            documentOf: (page) =>
              page.computed === undefined
                ? storedDocument(page)
                : isIntegration(page.computed)
                  ? integrationDocument(page, page.computed, sources, pages, withGenerated)
                  : specDocument(page.computed, sources)
          }
        })
      })
    })
  )
}

function* mapRefs(refs: ReadonlyMap<string, ContentRef>, meaning: (ref: ContentRef) => ContentRef) {
  for (const [key, ref] of refs) yield [key, meaning(ref)] as const
}

const sourceOf = ({ computed }: PageEntry) => computed as IntegrationSource

const noDocuments = Effect.succeed(() => Effect.succeed(undefined))

const noFiles: ComputedContent["generatedFiles"] = new Map()

const absent = Effect.succeed({ state: "absent" } as const)
