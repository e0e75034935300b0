/**
 * Applies templates to spaces, each as one revision. Pages of the template are inserted after existing ones, with
 * unique slugs.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import { type ContentOutdated, type LiveEditFailure, LiveEdits } from "../content/edits/LiveEdits.ts"
import { WriteLocks } from "../content/edits/WriteLocks.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import type { SpaceId } from "../space/Space.ts"
import { type Template, TemplateApplication, type TemplateNotFound } from "./Template.ts"
import { makeTemplateContents } from "./contents/TemplateContents.ts"

const accept = accepting(TemplateApplication)

export class Templates extends Context.Service<
  Templates,
  {
    /** Lists all templates, in order of usefulness. */
    readonly list: Effect.Effect<ReadonlyArray<Pick<Template, "id" | "title" | "description">>>
    /**
     * Adds the pages of a template after the pages of a space. A template without pages and new variables changes
     * nothing.
     *
     * @throws {ContentOutdated}
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SpaceLocked}
     * @throws {SpaceNotFound}
     * @throws {TemplateNotFound}
     */
    readonly apply: (
      space: SpaceId,
      application: TemplateApplication
    ) => Effect.Effect<void, LiveEditFailure | ContentOutdated | TemplateNotFound | InvalidInput, CurrentActor>
  }
>()("@lectern/core/template/Templates") {
  static readonly layer = Layer.effect(
    Templates,
    Effect.gen(function* () {
      const edits = yield* LiveEdits
      const contents = yield* makeTemplateContents
      const writeLocks = yield* WriteLocks

      return Templates.of({
        list: Effect.sync(() =>
          Array.from(contents.all.values(), ({ id, title, description }) => ({ id, title, description }))
        ),

        apply: Effect.fn("Templates.apply")(function* (space, rawInput) {
          const input = yield* accept(rawInput)
          // Checked before waiting, so that actors without permission do not enter the queue.
          yield* edits.begin(space)
          yield* writeLocks.withSpaceLock(space, () =>
            edits.retry(
              space,
              Effect.fnUntraced(function* (base) {
                const pages = yield* contents.make(base.content, input, "body")
                if (pages !== undefined) yield* edits.commit({ base, ...pages })
              })
            )
          )
        })
      })
    })
  )
}
