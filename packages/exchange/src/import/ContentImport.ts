/**
 * An import by a URL into a space or a change request: input, outcome, and errors.
 *
 * Limits: 500 resources (pages and files), 60 seconds, 20 MiB for a file, 5 MiB for a web page, 100 MiB in total, 4
 * imports at once. An archive is limited to 500 MiB, 10 minutes, the limits of a folder (see `Folder`), and 100 MiB of
 * pages that are converted to Markdown.
 */
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Context, Schema } from "effect"
import { ImportReport } from "@lectern/core/exchange/ImportReport"
import { RevisionId } from "@lectern/core/content/revisions/Revision"
import { Issues } from "@lectern/core/schema/Input"

export const ImportSource = Schema.Literals([
  "website",
  "docx",
  "markdown",
  "html",
  "zip",
  "confluence",
  "github-wiki",
  "notion",
  "google-docs"
])
export type ImportSource = typeof ImportSource.Type

/** Content to import. */
export const ContentImport = Schema.Struct({
  /** URL of the content. A `data:` URL contains the content itself. */
  url: Schema.String,
  /** Kind of the source. */
  source: ImportSource,
  /** True if the import registers specs that blocks reference by URL and the organization lacks. Default: false. */
  registerSpecs: Schema.optionalKey(Schema.Boolean)
})
export type ContentImport = typeof ContentImport.Type

export const ContentImportResult = Schema.Struct({
  revision: RevisionId,
  /** Number of imported pages and files. */
  importedResources: Schema.Int,
  /** Number of found pages and files, including those that were not imported. */
  totalResources: Schema.Int,
  report: ImportReport
})
export interface ContentImportResult extends Schema.Schema.Type<typeof ContentImportResult> {}

export interface ImportLimits {
  readonly resources: number
  /** Maximum duration of the whole import, until the revision is stored. */
  readonly time: DurationLike
  /** Maximum duration of reading. The remaining time is for storing the content. */
  readonly readingTime: DurationLike
  readonly pageBytes: number
  readonly fileBytes: number
  readonly totalBytes: number
  /** Maximum size of a packed archive (bytes). */
  readonly archiveBytes: number
  /** Maximum duration of the import of an archive. */
  readonly archiveTime: DurationLike
  /** Maximum number of pages and files of an archive. */
  readonly archiveResources: number
  /** Imports that this process reads at once; others wait. */
  readonly concurrency: number
}

export const ImportLimits = Context.Reference<ImportLimits>("@lectern/exchange/import/ImportLimits", {
  defaultValue: () => ({
    resources: 500,
    time: { seconds: 60 },
    readingTime: { seconds: 45 },
    pageBytes: 5 * 1024 * 1024,
    fileBytes: 20 * 1024 * 1024,
    totalBytes: 100 * 1024 * 1024,
    archiveBytes: 500 * 1024 * 1024,
    archiveTime: { minutes: 10 },
    archiveResources: 200_000,
    concurrency: 4
  })
})

/** Raised before any import if the source cannot be imported. */
export class ImportRefused extends Schema.TaggedError<ImportRefused>()(
  "ImportRefused",
  { issues: Issues },
  { httpApiStatus: 400 }
) {
  override get message(): string {
    return this.issues[0]?.message ?? "It can't be imported"
  }
}

export const importRefused = (message: string, field: "url" | "source" = "url") =>
  new ImportRefused({ issues: [{ path: `body.${field}`, message }] })

/** Advice for sources that cannot be imported by URL. */
export const unsupportedAdvice: { readonly [source in ImportSource]?: string } = {
  confluence: "Confluence is not imported from itself: export the space as HTML and import it as `zip`",
  notion: "Notion is not imported from itself: export it as Markdown and CSV and import it as `zip`",
  "github-wiki": "GitHub wikis are not imported from themselves: pack a clone of the wiki and import it as `zip`",
  "google-docs": "Google Docs is not imported from itself: download the document as .docx and import it as `docx`"
}
