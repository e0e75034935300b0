/** Lists the services that store change requests, read and edit their content, and create their revisions. */
import { offer, type Services } from "../Services.ts"
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
  offered: {
    changeRequests: offer(ChangeRequests, {
      list: "transactional",
      listInOrganization: "outsideTransaction",
      create: "transactional",
      get: "transactional",
      update: "outsideTransaction",
      present: "outsideTransaction"
    }),
    changeRequestContents: offer(ChangeRequestContents, "outsideTransaction")
  }
} as const satisfies Services
