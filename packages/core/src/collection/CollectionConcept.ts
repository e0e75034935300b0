/** Declares the events of collections. */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { CollectionId } from "./Collection.ts"

const collection = { collection: CollectionId }

export const collectionConcept = concept({
  events: [
    event("collection_created", collection),
    event("collection_updated", collection),
    /** Emitted if the parent or the position changes. */
    event("collection_moved", collection),
    /**
     * Emitted for each transferred collection. The spaces in a transferred collection emit events of their own. `from`:
     * previous organization.
     */
    event("collection_transferred", { ...collection, from: OrganizationId }),
    /**
     * Emitted for each deleted collection. The spaces in a deleted collection are moved to the trash and emit events of
     * their own.
     */
    event("collection_deleted", collection)
  ]
})
