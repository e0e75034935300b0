/** Services of import runs. */
import { offer, type Services } from "../Services.ts"
import { runImport } from "./ImportRunning.ts"
import { ImportRuns } from "./ImportRuns.ts"

export const importRunServices = {
  layers: [ImportRuns.layer],
  jobs: [runImport],
  offered: {
    importRuns: offer(ImportRuns, "apart")
  }
} as const satisfies Services
