/**
 * Lists the services that create, list, change, transfer, trash and restore spaces, and the job that removes a space
 * with its data.
 */
import { offer, type Services } from "../Services.ts"
import { removeSpace } from "./SpaceRemoval.ts"
import { Spaces } from "./Spaces.ts"

export const spaceServices = {
  jobs: [removeSpace],
  offered: {
    spaces: offer(Spaces, {
      get: "transactional",
      list: "transactional",
      listOfMember: "transactional",
      listInCollection: "transactional",
      listDeleted: "transactional",
      create: "transactional",
      update: "transactional",
      remove: "transactional",
      restore: "transactional",
      duplicate: "outsideTransaction",
      move: "transactional",
      transfer: "outsideTransaction"
    })
  }
} as const satisfies Services
