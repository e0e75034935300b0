/**
 * Lists the services that create, list, change, transfer, trash and restore spaces, and the job that removes a space
 * with its data.
 */
import { offer, type Services } from "../Services.ts"
import { NewSpaces } from "./NewSpaces.ts"
import { SpaceLists } from "./SpaceLists.ts"
import { SpacePolicy } from "./SpacePolicy.ts"
import { removeSpace } from "./SpaceRemoval.ts"
import { Spaces } from "./Spaces.ts"
import { SpaceFollowers } from "./leaving/SpaceFollowers.ts"
import { SpaceTransfers } from "./leaving/SpaceTransfers.ts"
import { SpaceTrash } from "./leaving/SpaceTrash.ts"

export const spaceServices = {
  layers: [
    NewSpaces.layer,
    SpaceFollowers.layer,
    SpaceLists.layer,
    SpacePolicy.layer,
    Spaces.layer,
    SpaceTransfers.layer,
    SpaceTrash.layer
  ],
  jobs: [removeSpace],
  offered: {
    spaces: offer(Spaces, {
      get: "transactional",
      list: "transactional",
      listOfMember: "transactional",
      listInCollection: "transactional",
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
