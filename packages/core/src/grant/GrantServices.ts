/** Lists the service that grants, changes, revokes and lists roles on content (see `Grants`). */
import { offer, type Services } from "../Services.ts"
import { Grants } from "./Grants.ts"

export const grantServices = {
  layers: [Grants.layer],
  jobs: [],
  offered: {
    grants: offer(Grants, {
      give: "short",
      change: "short",
      remove: "short",
      listUsers: "short",
      listTeams: "short",
      aggregate: "apart"
    })
  }
} as const satisfies Services
