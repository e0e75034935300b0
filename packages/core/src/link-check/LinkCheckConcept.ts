/**
 * Declares the events of checked links, and that the stored links of a space to other websites are deleted with the
 * space.
 */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { rowsWhere } from "../space/RemoveSpaceDependents.ts"
import { LinkedSpaceTable } from "./LinkCheck.ts"

const link = { url: Schema.String }

export const linkCheckConcept = concept({
  events: [
    /** Emitted if two checks in a row found that the target of the URL does not exist. */
    event("external_link_broken", link),
    /** Emitted if a broken URL works again. */
    event("external_link_restored", link)
  ],
  spaceDependents: [rowsWhere(LinkedSpaceTable, (space) => ({ space }))]
})
