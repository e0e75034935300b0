/** Services of jobs, the core's and the host's. */
import type { Services } from "../Services.ts"
import { HostJobs } from "./HostJobs.ts"
import { JobHandlers } from "./JobHandlers.ts"
import { removeOldJobs } from "./JobRetention.ts"
import { JobWorker } from "./JobWorker.ts"
import { Jobs } from "./Jobs.ts"

export const jobServices = {
  layers: [HostJobs.layer, JobHandlers.layer, Jobs.layer],
  jobs: [removeOldJobs],
  offered: { jobs: HostJobs, jobWorker: JobWorker }
} as const satisfies Services
