/** Lists the services that emit, read and subscribe to events, and the job that removes old events. */
import { offer, type Services } from "../Services.ts"
import { EventReaders } from "./EventReaders.ts"
import { removeOldEvents } from "./EventRetention.ts"
import { EventSubscriptions } from "./EventSubscriptions.ts"
import { Events } from "./Events.ts"

export const eventServices = {
  layers: [EventReaders.layer, Events.layer, EventSubscriptions.layer],
  jobs: [removeOldEvents],
  offered: {
    eventReaders: offer(EventReaders, "outsideTransaction")
  }
} as const satisfies Services
