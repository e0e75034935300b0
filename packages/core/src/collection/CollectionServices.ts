/** Lists the services that manage collections, their permissions, and the order of content in a collection. */
import { offer, type Services } from "../Services.ts"
import { Collections } from "./Collections.ts"

export const collectionServices = {
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
