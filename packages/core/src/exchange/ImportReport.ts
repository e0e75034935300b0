/**
 * Schema of the report of an import: imported content, skipped files with reasons, markup that stayed text, and missing
 * specs. Imports of folders, archives and Git share one format, as data and as sentences.
 */
import { Schema } from "effect"

/**
 * Kinds of markup. `directive`: `:::`; `template`: `{{ … }}` and `{% … %}`; `wikilink`: `[[ … ]]`; `jsx`: `<Tag>`;
 * `shortcode`: `{{< … >}}`; `callout`: `[!name]` with a name that no hint has; `highlight`: `==text==`. Of components
 * and shortcodes in files, only the content is displayed.
 */
export const markupKinds = ["directive", "template", "wikilink", "jsx", "shortcode", "callout", "highlight"] as const
export type MarkupKind = (typeof markupKinds)[number]

const Problem = Schema.Struct({
  path: Schema.String,
  line: Schema.optionalKey(Schema.Int),
  message: Schema.String,
  /** Paths of the files, if the problem concerns several files. */
  files: Schema.optionalKey(Schema.Array(Schema.String))
})

/** Markup of another program that is not converted to blocks. */
export const Markup = Schema.Struct({
  kind: Schema.Literals(markupKinds),
  count: Schema.Int,
  places: Schema.Array(
    Schema.Struct({ path: Schema.String, line: Schema.optionalKey(Schema.Int), text: Schema.String })
  )
})
export type Markup = typeof Markup.Type

/** A spec that blocks reference and the organization lacks. */
export const MissingSpec = Schema.Struct({
  spec: Schema.String,
  /** The URL that the blocks link to. */
  url: Schema.optionalKey(Schema.String),
  /** Number of pages whose blocks reference the spec. */
  pages: Schema.Int,
  /** True if the import registered the spec. */
  registered: Schema.optionalKey(Schema.Literal(true))
})
export type MissingSpec = typeof MissingSpec.Type

/** A language that the import guessed from the text, with the number of pages read. */
const GuessedLanguage = Schema.Struct({ language: Schema.String, pages: Schema.Int })

export const ImportReport = Schema.Struct({
  pages: Schema.Int,
  files: Schema.Int,
  reusableContents: Schema.Int,
  problems: Schema.Array(Problem),
  /** Total number of problems, including those not listed. */
  problemCount: Schema.Int,
  markup: Schema.Array(Markup),
  specs: Schema.Array(MissingSpec),
  languages: Schema.optionalKey(Schema.Array(GuessedLanguage)),
  /** The report as sentences. */
  sentences: Schema.Array(Schema.String)
})
export type ImportReport = typeof ImportReport.Type
