/** Lists the service that starts, reads and cancels import runs, and the job that runs an import. */
import { offer, type Services } from "../Services.ts"
import { runImport } from "./ImportRunJob.ts"
import { ImportRuns } from "./ImportRuns.ts"

export const importRunServices = {
  jobs: [runImport],
  offered: {
    importRuns: offer(ImportRuns, "outsideTransaction")
  }
} as const satisfies Services
