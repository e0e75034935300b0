/**
 * Applies templates to spaces: all of one in one revision. In a space that has content the pages of
 * the template stand behind those that are there, under slugs of their own.
 */
import { Context, Effect } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../content/edits/LiveEdits.ts"
import { WriteTurns } from "../content/edits/WriteTurns.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SpaceId } from "../space/Space.ts"
import { type Template, TemplateApplication, type TemplateNotFound } from "./Template.ts"
import { TemplateContents } from "./contents/TemplateContents.ts"
import { wired } from "../wiring/Wired.ts"

const accept = accepting(TemplateApplication)

export class Templates extends Context.Service<
  Templates,
  {
    /** All templates, in the order in which a reader would choose. */
    readonly list: Effect.Effect<ReadonlyArray<Pick<Template, "id" | "title" | "description">>>
    /** Applies a template. One without pages and new variables changes nothing. */
    readonly apply: (
      space: SpaceId,
      application: TemplateApplication
    ) => Effect.Effect<void, LiveEditFailure | ContentOutdated | TemplateNotFound | InvalidInput, CurrentActor>
  }
>()("@lectern/core/template/Templates") {
  static readonly layer = wired(
    Templates,
    Effect.gen(function* () {
      const edits = yield* LiveEdits
      const contents = yield* TemplateContents
      const turns = yield* WriteTurns

      return Templates.of({
        list: Effect.sync(() =>
          Array.from(contents.all.values(), ({ id, title, description }) => ({ id, title, description }))
        ),

        apply: Effect.fn("Templates.apply")(function* (space, wanted) {
          const input = yield* accept(wanted)
          // Before it waits: who may not do it takes no place in the queue.
          yield* edits.begin(space)
          yield* turns.ofSpace(space, () =>
            edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const made = yield* contents.make(base.content, input, "body")
                if (made !== undefined) yield* edits.commit({ base, ...made })
              })
            )
          )
        })
      })
    }),
    [LiveEdits.layer, TemplateContents.layer, WriteTurns.layer]
  )
}
