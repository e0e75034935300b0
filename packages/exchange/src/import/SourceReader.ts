/**
 * Port that converts the sources of imports to pages: HTML, Word documents, archives and sitemaps. Sources are
 * untrusted. So an adapter limits time and memory, and removes active content.
 *
 * The default reads only Markdown. On Node, provide the adapter of `@lectern/services-node`, which reads in a separate
 * thread.
 */
import { Context, Effect, Layer, Schema, type Scope, type Stream } from "effect"
import * as Markdown from "@lectern/document/markdown/Markdown"

/** Raised if a source has an unexpected format or exceeds the limits. */
export class SourceUnreadable extends Schema.TaggedError<SourceUnreadable>()("SourceUnreadable", {
  message: Schema.String
}) {}

export interface SourceFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface SourcePage {
  readonly title?: string
  readonly description?: string
  /** Markdown of the page. URLs are absolute if the URL of the page is known. */
  readonly markdown: string
  /** URLs that the page links to, in order, without fragments. Empty if the page forbids following its links. */
  readonly links: ReadonlyArray<string>
  /** URLs of the images in the page. */
  readonly images: ReadonlyArray<string>
  /** Files embedded in the page. The Markdown refers to them as `embedded:` with their path. */
  readonly files: ReadonlyArray<SourceFile>
  /** Structure of the page that a document can't have, as sentences for the report of the import. Default: none. */
  readonly problems?: ReadonlyArray<string>
}

export interface PageOptions {
  /** URL of the page. */
  readonly url?: string
  /** Media type from the server, including its parameters. */
  readonly contentType?: string
  /** Folder for the embedded files. */
  readonly embedded: string
}

export interface SourceSitemap {
  readonly pages: ReadonlyArray<string>
  /** URLs of further sitemaps. */
  readonly sitemaps: ReadonlyArray<string>
}

/** A file of an archive. It is unpacked each time that its bytes are read. */
export interface ArchivedFile {
  /** Path of the file. */
  readonly path: string
  /** Size in bytes. */
  readonly size: number
  /** Returns the bytes of the file. */
  readonly bytes: ReadEffect<Uint8Array>
}

export interface SourceArchive {
  readonly files: ReadonlyArray<ArchivedFile>
  /** Skipped entries of the archive, with reasons. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

type ReadEffect<A> = Effect.Effect<A, SourceUnreadable>

export interface Reader {
  readonly html: (bytes: Uint8Array, options: PageOptions) => ReadEffect<SourcePage>
  readonly markdown: (bytes: Uint8Array, options: PageOptions) => ReadEffect<SourcePage>
  readonly docx: (bytes: Uint8Array, options: PageOptions) => ReadEffect<SourcePage>
  /** Stores the bytes outside of memory until the scope of the reader ends, and lists the files. */
  readonly archive: <E>(bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<SourceArchive, SourceUnreadable | E>
  readonly sitemap: (bytes: Uint8Array) => ReadEffect<SourceSitemap>
}

const unsupportedSource = (sourceName: string) =>
  Effect.fail(
    new SourceUnreadable({ message: `This instance of Lectern reads no ${sourceName}: its host has no SourceReader` })
  )

const decoder = new TextDecoder()

const markdownOnlyReader: Reader = {
  html: () => unsupportedSource("HTML"),
  markdown: (bytes) => Effect.sync(() => markdownPage(decoder.decode(bytes))),
  docx: () => unsupportedSource("documents of Word"),
  archive: () => unsupportedSource("archives"),
  sitemap: () => unsupportedSource("maps of sites")
}

/** Returns the page for a Markdown text. Shared by all readers. */
export const markdownPage = (markdown: string): SourcePage => {
  const images = new Set<string>()
  Markdown.parse(markdown, {
    nextKey: () => "key",
    resolve: (url, use) => {
      if (use === "image") images.add(url)
      return undefined
    }
  })
  return { markdown, links: [], images: [...images], files: [] }
}

export class SourceReader extends Context.Service<
  SourceReader,
  {
    /** Opens a reader for one import. Its resources are released with the scope. */
    readonly open: Effect.Effect<Reader, never, Scope.Scope>
  }
>()("@lectern/exchange/import/SourceReader") {
  static readonly layer = Layer.succeed(SourceReader, SourceReader.of({ open: Effect.succeed(markdownOnlyReader) }))
}
