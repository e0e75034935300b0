/**
 * A template is content to begin a space with: pages with their texts, and variables. A host may
 * add its own (`Lectern.layer({ templates })`); one with the id of a built-in one takes its place.
 *
 * What differs from space to space comes in as named references to content. Which names a template
 * knows it says itself; a page of it is made with whatever of them was given.
 *
 * Limits: id 100 characters, 100 references.
 */
import { Schema } from "effect"
import type { ComputedSource } from "../computed/ComputedSource.ts"
import { ContentRef } from "@lectern/document/Document"
import type { Variables } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"

export type ContentRefs = Readonly<Record<string, ContentRef>>

export interface TemplatePage {
  readonly title: string
  /** Default: a document, a computed page where it has such a source, a link where it has a target. */
  readonly type?: "document" | "group"
  /** Name of the page for links within the template: `/pages/<name>`. */
  readonly name?: string
  readonly icon?: string
  readonly description?: string
  readonly markdown?: string
  readonly cover?: ContentRef
  readonly target?: ContentRef
  readonly computed?: ComputedSource
  readonly pages?: ReadonlyArray<TemplatePage>
}

export interface Template {
  readonly id: string
  readonly title: string
  readonly description: string
  /** The names of the references that it knows. Others are ignored. */
  readonly contentRefs?: ReadonlyArray<string>
  /** Those that the space has already keep their values. */
  readonly variables?: Variables
  readonly pages: (refs: ContentRefs) => ReadonlyArray<TemplatePage>
}

const atMostHundred = Schema.makeFilter((refs: ContentRefs) =>
  Object.keys(refs).length <= 100 ? undefined : "Expected at most 100 references"
)

/** A caller's choice of a template, with its parameters. */
export const TemplateApplication = Schema.Struct({
  id: Text.between(1, 100),
  params: Schema.optionalKey(
    Schema.Struct({
      contentRefs: Schema.optionalKey(Schema.Record(Schema.String, ContentRef).check(atMostHundred))
    })
  )
})
export type TemplateApplication = typeof TemplateApplication.Type

export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()(
  "TemplateNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
