/** Lists the job that removes old events. */
import type { Services } from "../Services.ts"
import { removeOldEvents } from "./EventRetention.ts"

export const eventServices = {
  jobs: [removeOldEvents],
  offered: {}
} as const satisfies Services
