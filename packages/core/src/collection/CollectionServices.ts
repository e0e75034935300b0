/** Services of collections. */
import type { Services } from "../Services.ts"
import { CollectionPolicy } from "./CollectionPolicy.ts"
import { Collections } from "./Collections.ts"
import { SiblingPositions } from "./SiblingPositions.ts"

export const collectionServices = {
  layers: [CollectionPolicy.layer, Collections.layer, SiblingPositions.layer],
  jobs: [],
  offered: { collections: Collections }
} as const satisfies Services
