/**
 * Applies a template to a content: its pages are inserted after existing ones, with unique slugs, and existing
 * variables keep their values.
 */
import { Context, Effect } from "effect"
import type { Content } from "../../content/Content.ts"
import * as ContentChanges from "../../content/edits/ContentChanges.ts"
import * as ContentReader from "../../content/ContentReader.ts"
import type { ContentRef } from "@lectern/document/Document"
import { type ObjectDraft, Objects } from "../../content/store/Objects.ts"
import { Ids } from "../../identity/Ids.ts"
import { InvalidInput } from "../../schema/Input.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { StorageError } from "../../storage/Storage.ts"
import { builtIn } from "../BuiltIn.ts"
import { type ContentRefs, type Template, type TemplateApplication, TemplateNotFound } from "../Template.ts"
import * as TemplateChanges from "../TemplateChanges.ts"

/** A content with its new objects, to be stored with its revision. */
export interface TemplateContent {
  readonly draft: ObjectDraft
  readonly content: Content
}

export type TemplateFailure = TemplateNotFound | InvalidInput | StorageError

/**
 * Templates of the host, in addition to the built-in ones. One with the id of a built-in template replaces it. Default:
 * none.
 */
export const HostTemplates = Context.Reference<ReadonlyArray<Template>>("@lectern/core/template/HostTemplates", {
  defaultValue: () => []
})

export const makeTemplateContents = Effect.gen(function* () {
  const objects = yield* Objects
  const ids = yield* Ids
  const templatesById = new Map([...builtIn, ...(yield* HostTemplates)].map((template) => [template.id, template]))

  /** Returns the content after the pages of a template. */
  const insertPages = Effect.fnUntraced(function* (
    base: Content,
    template: Template,
    refs: ContentRefs,
    at: "body" | "body.template"
  ) {
    const changes = TemplateChanges.changesOf(template, refs, yield* ContentReader.make(objects, base).variables)
    if (changes.length === 0) return undefined
    const draft = objects.draft()
    const { content } = yield* ContentChanges.apply(draft, base, changes, {
      now: yield* Timestamps.now,
      nextId: ids.next,
      nextKey: ids.key,
      putBlob: () => Effect.die(new Error("A template brings no files")),
      contentOf: () => Effect.undefined
    }).pipe(
      // The space may be full. Any other error is a defect of the template.
      Effect.catchTag("InvalidChange", ({ message }) =>
        Effect.fail(new InvalidInput({ issues: [{ path: `${at}.id`, message }] }))
      ),
      Effect.catchTags({
        ContentPageNotFound: Effect.die,
        PageCycle: Effect.die,
        SlugTaken: Effect.die,
        TooCostly: Effect.die
      })
    )
    return { draft, content }
  })

  return {
    all: templatesById,

    /**
     * Returns the content after the template, without storing it; undefined if the template changes nothing. `at`:
     * position of the template in the input, used in paths of issues.
     */
    make: Effect.fn("TemplateContents.make")(function* (
      base: Content,
      { id, params }: TemplateApplication,
      at: "body" | "body.template"
    ) {
      const template = templatesById.get(id)
      if (template === undefined) return yield* new TemplateNotFound({ message: `There is no template ${id}` })
      const refs = TemplateChanges.knownRefs(template, params?.contentRefs ?? {})
      yield* checkRefs(ContentReader.make(objects, base), refs, at)
      return yield* insertPages(base, template, refs, at)
    }),

    /** Like `make`, for a template without references that is not listed. */
    insert: (base: Content, template: Template) => insertPages(base, template, {}, "body")
  }
})

/** Fails if a reference in the parameters does not exist in the space. */
const checkRefs = Effect.fnUntraced(function* (
  reader: ContentReader.ContentReader,
  refs: Readonly<Record<string, ContentRef>>,
  at: string
): Effect.fn.Return<void, InvalidInput | StorageError> {
  for (const [name, ref] of Object.entries(refs)) {
    const missing = yield* missingIn(reader, ref)
    if (missing === undefined) continue
    const path = `${at}.params.contentRefs.${name}`
    return yield* new InvalidInput({ issues: [{ path, message: `There is no ${missing} in this space` }] })
  }
})

const missingIn = (
  reader: ContentReader.ContentReader,
  ref: ContentRef
): Effect.Effect<string | undefined, StorageError> => {
  const failUnless = (found: Effect.Effect<unknown, StorageError>, name: string) =>
    Effect.map(found, (value) => (value === undefined ? name : undefined))
  switch (ref.kind) {
    case "file":
      return ref.space === undefined ? failUnless(reader.file(ref.file), `file ${ref.file}`) : Effect.undefined
    case "page":
      return ref.space === undefined ? failUnless(reader.page(ref.page), `page ${ref.page}`) : Effect.undefined
    default:
      return Effect.undefined
  }
}
