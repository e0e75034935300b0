/** Lists the service that sets, lists and removes checks of change requests. */
import { offer, type Services } from "../Services.ts"
import { MergeChecks } from "./MergeChecks.ts"

export const mergeCheckServices = {
  jobs: [],
  offered: {
    "changeRequests.checks": offer(MergeChecks, "transactional")
  }
} as const satisfies Services
