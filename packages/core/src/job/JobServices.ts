/**
 * Lists the services that enqueue jobs and list them, for the core and for the host, and the job that removes old jobs.
 */
import { offer, type Services } from "../Services.ts"
import { HostJobs } from "./host/HostJobs.ts"
import { removeOldJobs } from "./JobRetention.ts"
import { JobWorker } from "./JobWorker.ts"

export const jobServices = {
  jobs: [removeOldJobs],
  offered: {
    jobs: offer(HostJobs, {
      enqueue: "transactional",
      get: "transactional",
      list: "transactional",
      retry: "outsideTransaction",
      removeReader: "outsideTransaction"
    }),
    "jobs.worker": offer(JobWorker, {
      name: "outsideTransaction",
      takeOverLeases: "outsideTransaction",
      start: "internal",
      runDue: "outsideTransaction"
    })
  }
} as const satisfies Services
