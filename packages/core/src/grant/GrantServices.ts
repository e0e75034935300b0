/** Lists the service that grants, changes, revokes and lists roles on content (see `Grants`). */
import { offer, type Services } from "../Services.ts"
import { Grants } from "./Grants.ts"

export const grantServices = {
  jobs: [],
  offered: {
    grants: offer(Grants, {
      grant: "transactional",
      change: "transactional",
      remove: "transactional",
      listUsers: "transactional",
      listTeams: "transactional",
      aggregate: "outsideTransaction"
    })
  }
} as const satisfies Services
