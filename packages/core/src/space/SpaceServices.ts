/** Services of spaces. */
import type { Services } from "../Services.ts"
import { NewSpaces } from "./NewSpaces.ts"
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
    SpacePolicy.layer,
    Spaces.layer,
    SpaceTransfers.layer,
    SpaceTrash.layer
  ],
  jobs: [removeSpace],
  offered: { spaces: Spaces }
} as const satisfies Services
