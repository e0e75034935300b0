/**
 * A template is the initial content of a space: pages with their texts, and variables. A host may add templates
 * (`Lectern.layer({ templates })`); one with the id of a built-in template replaces it.
 *
 * Space-specific content is passed as named references. A template declares the names that it uses, and its pages adapt
 * to the references that are given.
 *
 * Limits: id 100 characters, 100 references.
 */
import { Schema } from "effect"
import type { ComputedSource } from "../computed/ComputedSource.ts"
import { ContentRef } from "@lectern/document/ContentRef"
import type { Variables } from "../content/pages/Page.ts"
import * as Text from "../schema/Text.ts"

export type ContentRefs = Readonly<Record<string, ContentRef>>

export interface TemplatePage {
  readonly title: string
  /** Default: `document`, a computed page if `computed` is set, a link if `target` is set. */
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
  /** Names of references that the template uses. Others are ignored. */
  readonly contentRefs?: ReadonlyArray<string>
  /** Variables to add. Existing ones keep their values. */
  readonly variables?: Variables
  readonly pages: (refs: ContentRefs) => ReadonlyArray<TemplatePage>
}

const atMostHundred = Schema.makeFilter((refs: ContentRefs) =>
  Object.keys(refs).length <= 100 ? undefined : "Expected at most 100 references"
)

/** A template to apply, with its parameters. */
export const TemplateApplication = Schema.Struct({
  /** Id of the template. */
  id: Text.between(1, 100),
  /** `contentRefs`: contents that the pages of the template refer to, by name. Default: none. */
  params: Schema.optionalKey(
    Schema.Struct({
      contentRefs: Schema.optionalKey(Schema.Record(Schema.String, ContentRef).check(atMostHundred))
    })
  )
})
export type TemplateApplication = typeof TemplateApplication.Type

/** Raised if no template has the id. */
export class TemplateNotFound extends Schema.TaggedError<TemplateNotFound>()(
  "TemplateNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}
