/** Declares the events of spaces. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { SpaceId } from "./Space.ts"

const space = { space: SpaceId }

export const spaceConcept = concept({
  events: [
    event("space_created", space),
    event("space_updated", space),
    event("space_visibility_updated", { ...space, previousVisibility: Schema.String, visibility: Schema.String }),
    /** `space` is the new space. */
    event("space_duplicated", { ...space, from: SpaceId }),
    /** `from`: previous organization. */
    event("space_transferred", { ...space, from: OrganizationId }),
    /** Emitted if a space is moved to the trash. */
    event("space_deleted", space),
    event("space_restored", space),
    /** Emitted if a space is permanently removed from the trash. */
    event("space_removed", space)
  ]
})
