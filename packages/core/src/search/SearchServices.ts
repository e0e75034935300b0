/** Lists the service that searches spaces, organizations and sites, and the job that indexes a space. */
import { offer, type Services } from "../Services.ts"
import { Searches } from "./Searches.ts"
import { indexSpace } from "./indexing/SearchIndexing.ts"

export const searchServices = {
  jobs: [indexSpace],
  offered: {
    search: offer(Searches, {
      space: "outsideTransaction",
      organization: "outsideTransaction",
      site: "outsideTransaction",
      prewarm: "internal"
    })
  }
} as const satisfies Services
