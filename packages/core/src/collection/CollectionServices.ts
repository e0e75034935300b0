/** Lists the services that manage collections, their permissions, and the order of content in a collection. */
import { offer, type Services } from "../Services.ts"
import { CollectionPolicy } from "./CollectionPolicy.ts"
import { Collections } from "./Collections.ts"
import { SiblingPositions } from "./SiblingPositions.ts"

export const collectionServices = {
  layers: [CollectionPolicy.layer, Collections.layer, SiblingPositions.layer],
  jobs: [],
  offered: {
    collections: offer(Collections, {
      get: "short",
      list: "short",
      create: "short",
      update: "short",
      remove: "short",
      move: "short",
      transfer: "apart"
    })
  }
} as const satisfies Services
