/**
 * Lists the pages of a spec: a page for each tag, with its operations or with a page below for each operation, and a
 * page with the models.
 *
 * Limits: 1,000 pages.
 */
import * as Slug from "../content/pages/Slug.ts"
import { UniqueSlugs } from "./UniqueSlugs.ts"
import type { ComputedDocumentProps, ComputedPages } from "./ComputedSource.ts"
import type { Spec, SpecOperation, SpecTag } from "./SpecParser.ts"

export const maxPages = 1_000

export interface OutlinePage {
  /** Identifies the page across versions. Unique among the pages of the spec. */
  readonly key: string
  readonly title: string
  readonly slug: string
  readonly icon?: string
  readonly description?: string
  /** Key of the parent; null for the computed page. */
  readonly parent: string | null
  readonly props: ComputedDocumentProps
}

export const outline = (spec: Spec, { grouping, models }: ComputedPages["props"]): ReadonlyArray<OutlinePage> => {
  const pages: Array<OutlinePage> = []
  const slugs = new UniqueSlugs()
  for (const tag of spec.tags) {
    if (tag.operations.length === 0 && tag.description.trim() === "") continue
    const key = keyOf("tag", tag.name)
    const doc = tag.operations.length === 0 ? "info" : grouping === "by-operation" ? "tag" : "operations"
    pages.push({
      key,
      title: tag.title,
      slug: slugs.free(tag.title),
      ...(tag.icon !== undefined && { icon: tag.icon }),
      ...(tag.summary !== undefined && { description: tag.summary }),
      parent: null,
      props: { doc, page: tag.name }
    })
    if (doc === "tag") for (const page of operationPages(tag, key)) pages.push(page)
  }
  // The page with the models comes last. It is built even if the other pages exceed the limit.
  const last: ReadonlyArray<OutlinePage> =
    models && spec.schemas.size > 0
      ? [{ key: keyOf("models"), title: "Models", slug: slugs.free("Models"), parent: null, props: { doc: "models" } }]
      : []
  return [...pages.slice(0, maxPages - last.length), ...last]
}

const keyOf = (...parts: ReadonlyArray<string>): string => JSON.stringify(parts)

const operationPages = (tag: SpecTag, parent: string): ReadonlyArray<OutlinePage> => {
  const slugs = new UniqueSlugs()
  return tag.operations.map(({ method, verb, path, title, operation }) => ({
    key: keyOf("operation", tag.name, method, verb, path),
    title,
    slug: slugs.free(title),
    parent,
    props: { doc: "operation", page: path, method, ...(operation.deprecated === true && { deprecated: true }) }
  }))
}

/** Returns the operation of a page; for webhooks the first one with the name. */
export const operationOf = (
  spec: Spec,
  { page, method }: { readonly page: string; readonly method: SpecOperation["method"] }
): SpecOperation | undefined => {
  for (const { operations } of spec.tags) {
    const operation = operations.find((candidate) => candidate.path === page && candidate.method === method)
    if (operation !== undefined) return operation
  }
  return undefined
}

/** Returns a tag by name, or by the slug of its title. */
export const tagOf = (spec: Spec, name: string): SpecTag | undefined =>
  spec.tags.find((tag) => tag.name === name) ?? spec.tags.find((tag) => Slug.fromTitle(tag.title) === name)
