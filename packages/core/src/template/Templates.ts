/**
 * Applies templates to spaces: all of one in one revision. In a space that has content the pages of
 * the template stand behind those that are there, under slugs of their own.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import * as ContentChanges from "../content/ContentChanges.ts"
import * as ContentReader from "../content/ContentReader.ts"
import type { ContentRef } from "../content/Document.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../content/LiveEdits.ts"
import { Objects } from "../content/Objects.ts"
import { Ids } from "../identity/Ids.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceId } from "../space/Space.ts"
import type { StorageError } from "../storage/Storage.ts"
import { builtIn } from "./BuiltIn.ts"
import { type Template, TemplateApplication, TemplateNotFound } from "./Template.ts"
import * as TemplateChanges from "./TemplateChanges.ts"

/** How often it is tried again where someone else changed the content meanwhile. */
const retries = 3

const accept = accepting(TemplateApplication)

export class Templates extends Context.Service<
  Templates,
  {
    /** What there is to apply, in the order in which a reader would choose. */
    readonly list: Effect.Effect<ReadonlyArray<Pick<Template, "id" | "title" | "description">>>
    /** Applies a template. One without pages and new variables changes nothing. */
    readonly apply: (
      space: SpaceId,
      application: TemplateApplication
    ) => Effect.Effect<void, LiveEditFailure | ContentOutdated | TemplateNotFound | InvalidInput, CurrentActor>
  }
>()("@lectern/core/template/Templates") {
  static readonly layer = (options: { readonly templates?: ReadonlyArray<Template> } = {}) =>
    Layer.effect(
      Templates,
      Effect.gen(function* () {
        const edits = yield* LiveEdits
        const objects = yield* Objects
        const ids = yield* Ids
        const all = new Map([...builtIn, ...(options.templates ?? [])].map((template) => [template.id, template]))

        return Templates.of({
          list: Effect.sync(() =>
            Array.from(all.values(), ({ id, title, description }) => ({ id, title, description }))
          ),

          apply: Effect.fn("Templates.apply")(
            function* (space, wanted) {
              const base = yield* edits.begin(space)
              const { id, params } = yield* accept(wanted)
              const template = all.get(id)
              if (template === undefined) return yield* new TemplateNotFound({ message: `There is no template ${id}` })
              const reader = ContentReader.make(objects, base.content)
              const refs = TemplateChanges.knownRefs(template, params?.contentRefs ?? {})
              yield* checkRefs(reader, refs)
              const changes = TemplateChanges.changesOf(template, refs, yield* reader.variables)
              if (changes.length === 0) return
              const draft = objects.draft()
              const { content } = yield* ContentChanges.apply(draft, base.content, changes, {
                now: yield* Timestamps.now,
                nextId: ids.next,
                nextKey: ids.key,
                putBlob: () => Effect.die(new Error("A template brings no files")),
                contentOf: () => Effect.undefined
              }).pipe(
                // The space may be full; whatever else is wrong with a template is its author's to mend.
                Effect.catchTag("InvalidChange", ({ message }) =>
                  Effect.fail(new InvalidInput({ issues: [{ path: "body.id", message }] }))
                ),
                Effect.catchTags({ ContentPageNotFound: Effect.die, PageCycle: Effect.die, SlugTaken: Effect.die })
              )
              yield* edits.commit({ base, draft, content })
            },
            Effect.retry({ times: retries, while: ({ _tag }) => _tag === "ContentOutdated" })
          )
        })
      })
    )
}

/** What is given must be there: a page that shows nothing is no use to anyone. */
const checkRefs = Effect.fnUntraced(function* (
  reader: ContentReader.ContentReader,
  refs: Readonly<Record<string, ContentRef>>
) {
  for (const [name, ref] of Object.entries(refs)) {
    const missing = yield* missingIn(reader, ref)
    if (missing === undefined) continue
    const path = `body.params.contentRefs.${name}`
    return yield* new InvalidInput({ issues: [{ path, message: `There is no ${missing} in this space` }] })
  }
}) as (
  reader: ContentReader.ContentReader,
  refs: Readonly<Record<string, ContentRef>>
) => Effect.Effect<void, InvalidInput | StorageError>

const missingIn = (
  reader: ContentReader.ContentReader,
  ref: ContentRef
): Effect.Effect<string | undefined, StorageError> => {
  const unless = (found: Effect.Effect<unknown, StorageError>, what: string) =>
    Effect.map(found, (value) => (value === undefined ? what : undefined))
  switch (ref.kind) {
    case "file":
      return ref.space === undefined ? unless(reader.file(ref.file), `file ${ref.file}`) : Effect.undefined
    case "page":
      return ref.space === undefined ? unless(reader.page(ref.page), `page ${ref.page}`) : Effect.undefined
    default:
      return Effect.undefined
  }
}
