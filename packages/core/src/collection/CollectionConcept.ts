/** Events of collections. */
import { concept } from "../Concept.ts"
import { event } from "../event/EventKind.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { CollectionId } from "./Collection.ts"

const collection = { collection: CollectionId }

export const collectionConcept = concept({
  events: [
    event("collection_created", collection),
    event("collection_updated", collection),
    /** Into another one, or to another place in the same. */
    event("collection_moved", collection),
    /** Each one that goes along is told of, and each space. `from`: the organization it was of before. */
    event("collection_transferred", { ...collection, from: OrganizationId }),
    /** Each one in it is told of, and each space: those are in the trash. */
    event("collection_deleted", collection)
  ]
})
