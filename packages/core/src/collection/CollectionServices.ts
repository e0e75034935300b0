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
      get: "transactional",
      list: "transactional",
      create: "transactional",
      update: "transactional",
      remove: "transactional",
      move: "transactional",
      transfer: "outsideTransaction"
    })
  }
} as const satisfies Services
