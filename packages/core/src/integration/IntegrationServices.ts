/**
 * Lists the services that publish, install, place and run integrations, and the jobs that deliver events, run tasks and
 * remove data.
 */
import { offer, type Services } from "../Services.ts"
import { endExpiredDevelopment } from "./DevelopmentTermination.ts"
import { Installations } from "./Installations.ts"
import { deliverIntegrationEvents } from "./IntegrationDelivery.ts"
import { IntegrationDevelopment } from "./IntegrationDevelopment.ts"
import { IntegrationLog } from "./IntegrationLog.ts"
import { removeInstallations } from "./IntegrationRemoval.ts"
import { removeOldIntegrationEvents } from "./IntegrationRetention.ts"
import { IntegrationTasks, runTask } from "./IntegrationTasks.ts"
import { Integrations } from "./Integrations.ts"
import { unfurlLinks } from "./LinkUnfurling.ts"
import { IntegrationRenders } from "./placement/IntegrationRenders.ts"
import { Placements } from "./placement/Placements.ts"

export const integrationServices = {
  jobs: [
    deliverIntegrationEvents,
    endExpiredDevelopment,
    removeInstallations,
    removeOldIntegrationEvents,
    runTask,
    unfurlLinks
  ],
  offered: {
    integrations: offer(Integrations, "outsideTransaction"),
    "integrations.installations": offer(Installations, "outsideTransaction"),
    "integrations.placements": offer(Placements, "outsideTransaction"),
    "integrations.renders": offer(IntegrationRenders, "outsideTransaction"),
    "integrations.log": offer(IntegrationLog, "outsideTransaction"),
    "integrations.tasks": offer(IntegrationTasks, "outsideTransaction"),
    "integrations.development": offer(IntegrationDevelopment, "outsideTransaction")
  }
} as const satisfies Services
