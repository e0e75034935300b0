/**
 * Declares the events of translations, that translations are deleted with their space, and the objects that they
 * retain.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { SpaceId } from "../space/Space.ts"
import { UserId } from "../user/User.ts"
import { TranslatedTable, TranslationTable } from "./Translation.ts"

/** `space`: the source. Absent if the translation has no source. */
const translation = { translation: Schema.String, space: Schema.optionalKey(SpaceId) }

export const translationConcept = concept({
  events: [
    event("translation_created", translation),
    event("translation_updated", translation),
    /** Emitted at the end of a run. `startedBy`: user who started the run, or null for the host application. */
    event("translation_finished", {
      ...translation,
      state: Schema.Literals(["success", "failure"]),
      startedBy: Schema.NullOr(UserId)
    }),
    event("translation_deleted", translation)
  ],
  spaceDependents: [
    rowsWhere(TranslationTable, (space) => ({ space })),
    rowsWhere(TranslatedTable, (space) => ({ space }))
  ],
  roots: [
    root(TranslationTable, ({ instructions, made }) => ({ objects: [instructions], contents: [made?.content] })),
    root(TranslatedTable, ({ made, answers }) => ({ objects: [made.document, answers] }))
  ]
})
