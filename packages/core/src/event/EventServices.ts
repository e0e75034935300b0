/** Lists the services that emit, read and subscribe to events, and the job that removes old events. */
import { offer, type Services } from "../Services.ts"
import { EventReaders } from "./EventReaders.ts"
import { removeOldEvents } from "./EventRetention.ts"

export const eventServices = {
  jobs: [removeOldEvents],
  offered: {
    eventReaders: offer(EventReaders, "outsideTransaction")
  }
} as const satisfies Services
