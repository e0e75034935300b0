/**
 * Lists the services of teams: policy, presentation, members, and the teams themselves. `teams` and `teamMembers` are
 * offered to hosts.
 */
import { offer, type Services } from "../Services.ts"
import { TeamMembers } from "./TeamMembers.ts"
import { Teams } from "./Teams.ts"

export const teamServices = {
  jobs: [],
  offered: {
    teams: offer(Teams, "transactional"),
    teamMembers: offer(TeamMembers, "transactional")
  }
} as const satisfies Services
