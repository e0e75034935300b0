/** Lists the services that search a space or an organization and update the index, and the job that indexes a space. */
import { offer, type Services } from "../Services.ts"
import { OrganizationSearches } from "./OrganizationSearches.ts"
import { Searches } from "./Searches.ts"
import { indexSpace } from "./indexing/SearchIndexing.ts"

export const searchServices = {
  jobs: [indexSpace],
  offered: {
    searches: offer(Searches, "outsideTransaction"),
    organizationSearches: offer(OrganizationSearches, "outsideTransaction")
  }
} as const satisfies Services
