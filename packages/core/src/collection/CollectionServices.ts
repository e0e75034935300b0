/** Services of collections. */
import type { Services } from "../Services.ts"
import { CollectionPolicy } from "./CollectionPolicy.ts"
import { Collections } from "./Collections.ts"
import { Placement } from "./Placement.ts"

export const collectionServices = {
  layers: [CollectionPolicy.layer, Collections.layer, Placement.layer],
  jobs: [],
  offered: { collections: Collections }
} as const satisfies Services
