/**
 * The port that makes pages of what an import found: HTML, documents of Word, archives, maps of
 * sites. All of it comes from strangers, so an adapter bounds what it reads in time and memory, and
 * lets nothing through that runs.
 *
 * The default reads Markdown alone. On Node, provide the adapter of `@lectern/services-node`, which
 * reads in a thread of its own.
 */
import { Context, Effect, Layer, Schema, type Scope, type Stream } from "effect"
import * as Markdown from "@lectern/document/markdown/Markdown"

/** It is not what it was said to be, or more than is read. */
export class SourceUnreadable extends Schema.TaggedError<SourceUnreadable>()("SourceUnreadable", {
  message: Schema.String
}) {}

export interface ReadFile {
  readonly path: string
  readonly bytes: Uint8Array
}

export interface ReadPage {
  readonly title?: string
  readonly description?: string
  /** Its URLs are absolute where it is known where the page stands. */
  readonly markdown: string
  /** URLs that the page links to, in order, without fragments; empty where it asks not to be followed. */
  readonly links: ReadonlyArray<string>
  /** The images it shows. */
  readonly images: ReadonlyArray<string>
  /** Files within the page, which the Markdown names by `embedded:` and their path. */
  readonly files: ReadonlyArray<ReadFile>
  /** Structure of the page that a document can't have, as sentences for the report of the import. Default: none. */
  readonly problems?: ReadonlyArray<string>
}

export interface PageOptions {
  /** URL of the page. */
  readonly url?: string
  /** As the server says, parameters included. */
  readonly contentType?: string
  /** The folder of the files within it. */
  readonly embedded: string
}

export interface ReadSitemap {
  readonly pages: ReadonlyArray<string>
  /** Further maps. */
  readonly sitemaps: ReadonlyArray<string>
}

/** A file of an archive, which is unpacked each time that its bytes are asked for. */
export interface ArchivedFile {
  readonly path: string
  readonly size: number
  readonly bytes: Read<Uint8Array>
}

export interface ReadArchive {
  readonly files: ReadonlyArray<ArchivedFile>
  /** Entries of the archive that were left out, and why. */
  readonly problems: ReadonlyArray<{ readonly path: string; readonly message: string }>
}

type Read<A> = Effect.Effect<A, SourceUnreadable>

export interface Reader {
  readonly html: (bytes: Uint8Array, options: PageOptions) => Read<ReadPage>
  readonly markdown: (bytes: Uint8Array, options: PageOptions) => Read<ReadPage>
  readonly docx: (bytes: Uint8Array, options: PageOptions) => Read<ReadPage>
  /** Keeps the bytes aside, never whole in memory, until the scope of the reader ends. */
  readonly archive: <E>(bytes: Stream.Stream<Uint8Array, E>) => Effect.Effect<ReadArchive, SourceUnreadable | E>
  readonly sitemap: (bytes: Uint8Array) => Read<ReadSitemap>
}

const unknown = (what: string) =>
  Effect.fail(
    new SourceUnreadable({ message: `This instance of Lectern reads no ${what}: its host has no SourceReader` })
  )

const decoder = new TextDecoder()

const plain: Reader = {
  html: () => unknown("HTML"),
  markdown: (bytes) => Effect.sync(() => markdownPage(decoder.decode(bytes))),
  docx: () => unknown("documents of Word"),
  archive: () => unknown("archives"),
  sitemap: () => unknown("maps of sites")
}

/** A page of Markdown, as any reader makes it once its bytes are text. */
export const markdownPage = (markdown: string): ReadPage => {
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
    /** A reader for one import; what it takes ends with the scope. */
    readonly open: Effect.Effect<Reader, never, Scope.Scope>
  }
>()("@lectern/core/content/import/SourceReader") {
  static readonly layer = Layer.succeed(SourceReader, SourceReader.of({ open: Effect.succeed(plain) }))
}
