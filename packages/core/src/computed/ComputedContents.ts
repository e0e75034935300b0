/**
 * A content with its computed pages built. A page of type `computed` is shown as a page about its
 * spec, under its own title and path, with the pages of the spec below it; a document that is
 * computed has the text that the spec gives it. They are built from the last version of the spec
 * when they are read, and follow it: nothing is written to the space.
 *
 * A page that is built has an id of its own, made of the id of the page that stands for it and what
 * it shows: it stays from version to version. Where a spec is missing, or may not be seen, the page
 * that stands for it says so, and nothing is below it.
 *
 * What was built is kept by the version of the spec and what was asked for: 8 MiB of outlines, 16 MiB
 * of documents, contents of 100,000 built pages.
 */
import { Context, Effect, Layer } from "effect"
import type { Content } from "../content/Content.ts"
import type { ContentReader } from "../content/ContentReader.ts"
import { Lru } from "../content/Lru.ts"
import type { PageEntry } from "../content/Page.ts"
import { smallJson, type StoredDocument } from "../content/StoredDocument.ts"
import type { OpenApiVersionRow } from "../openapi/OpenApiVersion.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { StorageError } from "../storage/Storage.ts"
import * as BuiltPages from "./BuiltPages.ts"
import { type ComputedPages, isPages, specOf } from "./ComputedSource.ts"
import { ComputedSpecs, type Sources } from "./ComputedSpecs.ts"
import * as SpecOutline from "./SpecOutline.ts"
import * as SpecPages from "./SpecPages.ts"

const keptOutlines = 8 * 1024 * 1024
const keptDocuments = 16 * 1024 * 1024
const keptPages = 100_000

export interface ComputedContent extends ContentReader {
  /** The document of a page: what it holds, or what is computed for it. */
  readonly documentOf: (page: PageEntry) => Effect.Effect<StoredDocument, StorageError>
  /** The pages that are built for it, in order. */
  readonly built: ReadonlyArray<PageEntry>
}

export class ComputedContents extends Context.Service<
  ComputedContents,
  {
    /** `seen` is the same for readers that give the same pages of the content. */
    readonly see: (
      content: Content,
      reader: ContentReader,
      sources: Sources | undefined,
      seen?: string
    ) => Effect.Effect<ComputedContent, StorageError>
  }
>()("@lectern/core/computed/ComputedContents") {
  static readonly layer = Layer.effect(
    ComputedContents,
    Effect.gen(function* () {
      const specs = yield* ComputedSpecs
      const hasher = yield* Hasher
      const outlines = new Lru<string, ReadonlyArray<SpecOutline.OutlinePage>>(keptOutlines)
      const documents = new Lru<string, StoredDocument>(keptDocuments)
      const contents = new Lru<string, BuiltPages.BuiltPages>(keptPages)

      const outlineOf = Effect.fnUntraced(function* (version: OpenApiVersionRow, props: ComputedPages["props"]) {
        const key = `${version.id} ${props.models} ${props.grouping ?? ""}`
        const known = outlines.get(key)
        if (known !== undefined) return known
        const outline = SpecOutline.outline(yield* specs.read(version), props)
        outlines.set(key, outline, JSON.stringify(outline).length)
        return outline
      })

      const documentOf = Effect.fnUntraced(function* (source: NonNullable<PageEntry["computed"]>, sources: Sources) {
        const name = specOf(source)
        const found = sources.of(name)
        if (found.state === "missing") return SpecPages.notice("The spec that this page is made of is not here.")
        if (found.state === "empty") return SpecPages.notice("The spec that this page is made of has no version yet.")
        const key = JSON.stringify([found.version.id, name, source.props])
        const known = documents.get(key)
        if (known !== undefined) return known
        const spec = yield* specs.read(found.version)
        const made = isPages(source)
          ? SpecPages.ofSpec(spec, { source, downloadLink: source.props.downloadLink === true })
          : yield* SpecPages.document(spec, source.props, { source })
        const json = JSON.stringify(made)
        const document = json.length <= smallJson ? made : { json }
        documents.set(key, document, json.length)
        return document
      })

      /** The pages below each computed page that the reader gives. */
      const build = Effect.fnUntraced(function* (content: Content, reader: ContentReader, sources: Sources) {
        const built = new BuiltPages.BuiltPages((text) => hasher.sha256(text))
        const entries = yield* reader.pages((content.computed ?? []).map(({ page }) => page))
        for (const entry of entries) {
          if (entry?.type !== "computed" || entry.computed === undefined || !isPages(entry.computed)) continue
          const found = sources.of(specOf(entry.computed))
          if (found.state !== "ready") continue
          built.add(
            entry,
            entry.computed,
            yield* outlineOf(found.version, entry.computed.props),
            found.version.createdAt
          )
          yield* Effect.yieldNow
        }
        return built
      })

      return ComputedContents.of({
        see: Effect.fnUntraced(function* (content, reader, sources, seen = "") {
          const stored = (page: PageEntry) => reader.document(page.document)
          if (sources === undefined) return { ...reader, documentOf: stored, built: [] }
          const key = `${content.pages} ${sources.key} ${seen}`
          let built = contents.get(key)
          if (built === undefined) {
            built = yield* build(content, reader, sources)
            contents.set(key, built, 1 + built.count)
          }
          return {
            ...BuiltPages.laidOver(reader, built),
            built: built.entries,
            documentOf: (page) => (page.computed === undefined ? stored(page) : documentOf(page.computed, sources))
          }
        })
      })
    })
  )
}
