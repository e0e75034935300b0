/**
 * Sources from which pages are computed. A page of type `computed` is a placeholder for pages that a spec or an
 * integration defines. A spec results in a page about the spec, with pages for its tags or operations and its models
 * below. An integration results in the pages of one of its content sources. The text of a page of type `document` may
 * be computed as well.
 *
 * A spec is named by its slug or id in the space's organization. Built pages follow its last version (see
 * `ComputedContents`), or the response of the integration (see `ComputedResponses`).
 *
 * Limits: 100 computed pages in a space, names 1,024 characters; props of an integration's source 16 KiB as JSON, and
 * 10 dependencies.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"

/** Maximum number of computed pages of a space. */
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
    /** True to include a page with the models. */
    models: Schema.Boolean,
    /** True to link from the page about the spec to the spec. Default: false. */
    downloadLink: Schema.optionalKey(Schema.Boolean),
    /** `by-tag`: one page for each tag. `by-operation`: also one page for each operation. Default: `by-tag`. */
    grouping: Schema.optionalKey(Schema.Literals(["by-tag", "by-operation"]))
  })
})
export type ComputedPages = typeof ComputedPages.Type

/** `hook`: a webhook, which is identified by its name instead of a path. */
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
  /** `operations`: the operations of a tag. `tag`: the description of a tag. `info`: the description of the spec. */
  Schema.Struct({ doc: Schema.Literals(["operations", "info", "tag"]), page: Name }),
  /** One operation of the spec. `page`: the path of the operation, or the name of a webhook. */
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

/**
 * A dependency of a computed page. The integration's program receives the current value of the dependency, and is
 * called again after the value has changed.
 */
export const DependencyRef = Schema.Union([
  Schema.Struct({ kind: Schema.Literal("space"), space: Name }),
  Schema.Struct({ kind: Schema.Literal("openapi"), spec: Name }),
  Schema.Struct({ kind: Schema.Literal("translation"), translation: Name })
])
export type DependencyRef = typeof DependencyRef.Type

const maxPropsLength = 16 * 1024
const maxDependencies = 10

const sourceType = /^integration:[^:]{1,100}:[^:]{1,100}$/u

/** A content source of an integration, which defines the meaning of the props. */
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
  /** Dependencies by the names that the integration uses. */
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

/** Returns the name of the spec. */
export const specOf = ({ dependencies }: Pick<SpecSource, "dependencies">): string => dependencies.spec.ref.spec

export const isIntegration = (source: ComputedSource): source is IntegrationSource => source.type !== "builtin:openapi"

/**
 * Returns true for a source that builds pages from a spec. False for sources of integrations, which may return pages or
 * a text.
 */
export const isPages = (source: ComputedSource): source is ComputedPages =>
  !isIntegration(source) && !("doc" in source.props)

/** Returns true if pages may be built from the source. */
export const providesPages = (source: ComputedSource): boolean => isIntegration(source) || isPages(source)

/** Returns true if the text of a document may be built from the source. */
export const providesText = (source: ComputedSource): boolean => isIntegration(source) || !isPages(source)

/** A computed page of a content, with the name of its spec; undefined for an integration. */
export const ComputedUse = Schema.Struct({ page: Schema.String, spec: Schema.optionalKey(Schema.String) })
export type ComputedUse = typeof ComputedUse.Type

/** Returns the uses after pages were edited (undefined: removed), sorted by page id. */
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
