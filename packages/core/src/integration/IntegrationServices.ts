/**
 * Lists the services that publish, install, place and run integrations, and the jobs that deliver events, run tasks and
 * remove data.
 */
import { offer, type Services } from "../Services.ts"
import { Configurations } from "./Configurations.ts"
import { DevelopmentTermination, endExpiredDevelopment } from "./DevelopmentTermination.ts"
import { EventPayloads } from "./EventPayloads.ts"
import { InstallationAccess } from "./InstallationAccess.ts"
import { InstallationRemoval } from "./InstallationRemoval.ts"
import { Installations } from "./Installations.ts"
import { InstalledBlocks } from "./InstalledBlocks.ts"
import { InstalledSpaces } from "./InstalledSpaces.ts"
import { deliverIntegrationEvents } from "./IntegrationDelivery.ts"
import { IntegrationDevelopment } from "./IntegrationDevelopment.ts"
import { IntegrationEnvironments } from "./IntegrationEnvironments.ts"
import { IntegrationFetches } from "./IntegrationFetches.ts"
import { IntegrationLog } from "./IntegrationLog.ts"
import { IntegrationPolicy } from "./IntegrationPolicy.ts"
import { IntegrationPresenter } from "./IntegrationPresenter.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { IntegrationRecords } from "./IntegrationRecords.ts"
import { IntegrationRemoval, removeInstallations } from "./IntegrationRemoval.ts"
import { removeOldIntegrationEvents } from "./IntegrationRetention.ts"
import { IntegrationRuns } from "./IntegrationRuns.ts"
import { IntegrationSubscriptions } from "./IntegrationSubscriptions.ts"
import { IntegrationTasks, runTask } from "./IntegrationTasks.ts"
import { IntegrationTokens } from "./IntegrationTokens.ts"
import { Integrations } from "./Integrations.ts"
import { ActiveIntegrations } from "./ActiveIntegrations.ts"
import { LinkUnfurling, unfurlLinks } from "./LinkUnfurling.ts"
import { IntegrationRenders } from "./placement/IntegrationRenders.ts"
import { PlacedContents } from "./placement/PlacedContents.ts"
import { PlacedIntegrations } from "./placement/PlacedIntegrations.ts"
import { Placements } from "./placement/Placements.ts"
import { ReceiverQueues } from "./ReceiverQueues.ts"
import { RecordAllowance } from "./RecordAllowance.ts"
import { TaskAllowance } from "./TaskAllowance.ts"
import { SharedEvents } from "./SharedEvents.ts"

export const integrationServices = {
  layers: [
    Configurations.layer,
    DevelopmentTermination.layer,
    EventPayloads.layer,
    InstallationAccess.layer,
    InstallationRemoval.layer,
    Installations.layer,
    InstalledBlocks.layer,
    InstalledSpaces.layer,
    IntegrationDevelopment.layer,
    IntegrationEnvironments.layer,
    IntegrationFetches.layer,
    IntegrationLog.layer,
    IntegrationPolicy.layer,
    IntegrationPresenter.layer,
    IntegrationQueue.layer,
    IntegrationRecords.layer,
    IntegrationRemoval.layer,
    IntegrationRenders.layer,
    IntegrationRuns.layer,
    Integrations.layer,
    ActiveIntegrations.layer,
    IntegrationSubscriptions,
    IntegrationTasks.layer,
    IntegrationTokens.layer,
    LinkUnfurling,
    PlacedContents.layer,
    PlacedIntegrations.layer,
    Placements.layer,
    ReceiverQueues.layer,
    RecordAllowance.layer,
    TaskAllowance.layer,
    SharedEvents.layer
  ],
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
    installations: offer(Installations, "outsideTransaction"),
    placements: offer(Placements, "outsideTransaction"),
    placedIntegrations: offer(PlacedIntegrations, "outsideTransaction"),
    integrationRenders: offer(IntegrationRenders, "outsideTransaction"),
    integrationLog: offer(IntegrationLog, "outsideTransaction"),
    integrationTasks: offer(IntegrationTasks, "outsideTransaction"),
    integrationDevelopment: offer(IntegrationDevelopment, "outsideTransaction")
  }
} as const satisfies Services
