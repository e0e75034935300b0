/** Lists the services that store change requests, read and edit their content, and create their revisions. */
import { offer, type Services } from "../Services.ts"
import { ChangeRequests } from "./ChangeRequests.ts"
import { ChangeRequestContents } from "./contents/ChangeRequestContents.ts"

export const changeRequestServices = {
  jobs: [],
  offered: {
    changeRequests: offer(ChangeRequests, {
      list: "transactional",
      listInOrganization: "outsideTransaction",
      create: "transactional",
      revert: "outsideTransaction",
      get: "transactional",
      update: "outsideTransaction",
      contributors: "outsideTransaction"
    }),
    "changeRequests.content": offer(ChangeRequestContents, "outsideTransaction")
  }
} as const satisfies Services
