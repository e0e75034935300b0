/**
 * What a page is computed from. A page of type `computed` stands for a part of the tree that a spec
 * decides: a page about the spec, one for each tag below it (or each operation), and its models. A
 * page of type `document` may be computed too: then the spec decides its text alone.
 *
 * The spec is named by its slug, or its id, among those of the space's organization. What is built
 * follows the last version of it (see `ComputedContents`).
 *
 * Limits: 100 computed pages in a space, names 1,024 characters.
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

/** What a page of type `computed` is built from. */
export const ComputedPages = Schema.Struct({
  ...openApi,
  props: Schema.Struct({
    /** Whether there is a page with the models. */
    models: Schema.Boolean,
    /** Whether the page about the spec links to it. Default: false. */
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

/** What the text of a page of type `document` is built from. */
export const ComputedDocument = Schema.Struct({ ...openApi, props: ComputedDocumentProps })
export type ComputedDocument = typeof ComputedDocument.Type

export const ComputedSource = Schema.Union([ComputedPages, ComputedDocument])
export type ComputedSource = typeof ComputedSource.Type

/** The name of the spec that it is built from. */
export const specOf = ({ dependencies }: Pick<ComputedSource, "dependencies">): string => dependencies.spec.ref.spec

export const isPages = (source: ComputedSource): source is ComputedPages => !("doc" in source.props)

/** A page of a content that is computed, with the name of its spec. */
export const ComputedUse = Schema.Struct({ page: Schema.String, spec: Schema.String })
export type ComputedUse = typeof ComputedUse.Type

/** The uses after some pages were edited (undefined: removed), in the order of the pages' ids. */
export const usesAfter = (
  uses: ReadonlyArray<ComputedUse>,
  edited: ReadonlyMap<string, { readonly computed?: ComputedSource } | undefined>
): ReadonlyArray<ComputedUse> => {
  const after = uses.filter(({ page }) => !edited.has(page))
  for (const [page, entry] of edited) {
    if (entry?.computed !== undefined) after.push({ page, spec: specOf(entry.computed) })
  }
  return after.sort((a, b) => (a.page < b.page ? -1 : 1))
}
