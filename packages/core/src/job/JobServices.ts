/**
 * Lists the services that enqueue jobs and list them, for the core and for the host, and the job that removes old jobs.
 */
import { offer, type Services } from "../Services.ts"
import { HostJobs } from "./HostJobs.ts"
import { JobHandlers } from "./JobHandlers.ts"
import { removeOldJobs } from "./JobRetention.ts"
import { JobWorker } from "./JobWorker.ts"
import { Jobs } from "./Jobs.ts"

export const jobServices = {
  layers: [HostJobs.layer, JobHandlers.layer, Jobs.layer],
  jobs: [removeOldJobs],
  offered: {
    jobs: offer(HostJobs, {
      enqueue: "transactional",
      get: "transactional",
      list: "transactional",
      retry: "outsideTransaction"
    }),
    jobWorker: offer(JobWorker, "outsideTransaction")
  }
} as const satisfies Services
