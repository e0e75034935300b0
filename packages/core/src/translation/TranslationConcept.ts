/**
 * Declares the events of translations, that translations are deleted with their space, and the objects that they
 * retain.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { TranslatedTable, TranslationTable } from "./Translation.ts"

const translation = { translation: Schema.String }

export const translationConcept = concept({
  events: [
    event("translation_created", translation),
    event("translation_updated", translation),
    /** Emitted at the end of a run, with or without a new result. */
    event("translation_finished", translation),
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
