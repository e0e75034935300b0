/** Services of change requests. */
import type { Services } from "../Services.ts"
import { ChangeRequestLookup } from "./ChangeRequestLookup.ts"
import { ChangeRequestRevisions } from "./ChangeRequestRevisions.ts"
import { ChangeRequestStore } from "./ChangeRequestStore.ts"
import { ChangeRequests } from "./ChangeRequests.ts"
import { ChangeRequestContents } from "./contents/ChangeRequestContents.ts"

export const changeRequestServices = {
  layers: [
    ChangeRequestContents.layer,
    ChangeRequestLookup.layer,
    ChangeRequestRevisions.layer,
    ChangeRequests.layer,
    ChangeRequestStore.layer
  ],
  jobs: [],
  offered: { changeRequests: ChangeRequests, changeRequestContents: ChangeRequestContents }
} as const satisfies Services
