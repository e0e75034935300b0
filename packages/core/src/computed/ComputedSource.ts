/**
 * Sources that pages are computed from. A page of type `computed` stands for a part of the tree that a spec or
 * an integration decides: of a spec a page about it, one for each tag below it (or each operation), and its
 * models; of an integration the pages that one of its content sources answers. A page of type `document` may
 * be computed too: then its text alone is decided.
 *
 * The spec is named by its slug, or its id, among those of the space's organization. What is built
 * follows the last version of it (see `ComputedContents`), or what the integration answers (see
 * `ComputedAnswers`).
 *
 * Limits: 100 computed pages in a space, names 1,024 characters; of an integration's source, props of
 * 16 KiB as JSON and 10 dependencies.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

/** How many pages of a space may be computed. */
export const maxComputedPages = 100

const Name = Text.between(1, 1024)

const openApi = {
  type: Schema.Literal("builtin:openapi"),
  dependencies: Schema.Struct({
    spec: Schema.Struct({ ref: Schema.Struct({ kind: Schema.Literal("openapi"), spec: Name }) })
  })
}

/** Source of a page of type `computed`. */
export const ComputedPages = Schema.Struct({
  ...openApi,
  props: Schema.Struct({
    /** True for a page with the models. */
    models: Schema.Boolean,
    /** True where the page about the spec links to the spec. Default: false. */
    downloadLink: Schema.optionalKey(Schema.Boolean),
    /** A page for each tag, or one for each operation too. Default: `by-tag`. */
    grouping: Schema.optionalKey(Schema.Literals(["by-tag", "by-operation"]))
  })
})
export type ComputedPages = typeof ComputedPages.Type

/** `hook` is a webhook, which is found by its name instead of a path. */
export const ComputedMethod = Schema.Literals([
  "get",
  "post",
  "put",
  "delete",
  "patch",
  "options",
  "head",
  "trace",
  "hook"
])
export type ComputedMethod = typeof ComputedMethod.Type

export const ComputedDocumentProps = Schema.Union([
  Schema.Struct({ doc: Schema.Literal("models") }),
  /** The operations of a tag, or what the spec says of one (of itself, where there is no such tag). */
  Schema.Struct({ doc: Schema.Literals(["operations", "info", "tag"]), page: Name }),
  /** One operation: `page` is its path, or the name of a webhook. */
  Schema.Struct({
    doc: Schema.Literal("operation"),
    page: Name,
    method: ComputedMethod,
    deprecated: Schema.optionalKey(Schema.Boolean)
  })
])
export type ComputedDocumentProps = typeof ComputedDocumentProps.Type

/** Source of the text of a page of type `document`. */
export const ComputedDocument = Schema.Struct({ ...openApi, props: ComputedDocumentProps })
export type ComputedDocument = typeof ComputedDocument.Type

/** Something that a computation follows: it is told how that is, and done again when it has changed. */
export const DependencyRef = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("space"), space: Name }),
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: Name }),
  Schema.Struct({ kind: Schema.Literal("translation"), translation: Name })
])
export type DependencyRef = typeof DependencyRef.Type

const maxPropsLength = 16 * 1024
const maxDependencies = 10

const sourceType = /^integration:[^:]{1,100}:[^:]{1,100}$/u

/** A content source of an integration. What it is made of is the integration's own. */
export const IntegrationSource = Schema.Struct({
  /** `integration:<name>:<id of the content source>` */
  type: Schema.String.pipe(
    Schema.refine((type): type is `integration:${string}:${string}` => sourceType.test(type), {
      message: "Expected integration:<name>:<content source>",
      toJsonSchema: () => ({ pattern: sourceType.source })
    })
  ),
  props: Schema.Record(Schema.String, Schema.Json).check(
    Schema.makeFilter((props) =>
      JSON.stringify(props).length > maxPropsLength ? "Expected at most 16 KiB of JSON" : undefined
    )
  ),
  /** By the names that the integration knows them by. */
  dependencies: Schema.optionalKey(
    Schema.Record(Schema.String, Schema.Struct({ ref: DependencyRef })).check(
      Schema.makeFilter((dependencies) => {
        const names = Object.keys(dependencies)
        if (names.length > maxDependencies) return `Expected at most ${maxDependencies} dependencies`
        return names.every((name) => name.length <= 100) ? undefined : "Expected names of at most 100 characters"
      })
    )
  )
})
export type IntegrationSource = typeof IntegrationSource.Type

export const SpecSource = Schema.Union([ComputedPages, ComputedDocument])
export type SpecSource = typeof SpecSource.Type

export const ComputedSource = Schema.Union([ComputedPages, ComputedDocument, IntegrationSource])
export type ComputedSource = typeof ComputedSource.Type

/** The name of the spec that it is built from. */
export const specOf = ({ dependencies }: Pick<SpecSource, "dependencies">): string => dependencies.spec.ref.spec

export const isIntegration = (source: ComputedSource): source is IntegrationSource => source.type !== "builtin:openapi"

/**
 * Tells whether a spec's source gives pages, and not a text. An integration's may give both, and doesn't count
 * here.
 */
export const isPages = (source: ComputedSource): source is ComputedPages =>
  !isIntegration(source) && !("doc" in source.props)

/** Tells whether a page that stands for others may be built from the source. */
export const givesPages = (source: ComputedSource): boolean => isIntegration(source) || isPages(source)

/** Tells whether the text of a document may be built from the source. */
export const givesText = (source: ComputedSource): boolean => isIntegration(source) || !isPages(source)

/** A page of a content that is computed, with the name of its spec; without one, of an integration. */
export const ComputedUse = Schema.Struct({ page: Schema.String, spec: Schema.optionalKey(Schema.String) })
export type ComputedUse = typeof ComputedUse.Type

/** The uses after some pages were edited (undefined: removed), in the order of the pages' ids. */
export const usesAfter = (
  uses: ReadonlyArray<ComputedUse>,
  edited: ReadonlyMap<string, { readonly computed?: ComputedSource } | undefined>
): ReadonlyArray<ComputedUse> => {
  const after = uses.filter(({ page }) => !edited.has(page))
  for (const [page, entry] of edited) {
    if (entry?.computed === undefined) continue
    after.push(isIntegration(entry.computed) ? { page } : { page, spec: specOf(entry.computed) })
  }
  return after.sort((a, b) => (a.page < b.page ? -1 : 1))
}
