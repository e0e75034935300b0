/** Lists the service of teams. */
import { offer, type Services } from "../Services.ts"
import { Teams } from "./Teams.ts"

export const teamServices = {
  jobs: [],
  offered: {
    teams: offer(Teams, "transactional")
  }
} as const satisfies Services
