/** Lists the services that search a space or an organization and update the index, and the job that indexes a space. */
import { offer, type Services } from "../Services.ts"
import { OrganizationSearches } from "./OrganizationSearches.ts"
import { PageSearch } from "./PageSearch.ts"
import { Searches } from "./Searches.ts"
import { SearchIndexing, indexSpace } from "./indexing/SearchIndexing.ts"

export const searchServices = {
  layers: [OrganizationSearches.layer, PageSearch.layer, Searches.layer, SearchIndexing.layer],
  jobs: [indexSpace],
  offered: {
    searches: offer(Searches, "outsideTransaction"),
    organizationSearches: offer(OrganizationSearches, "outsideTransaction")
  }
} as const satisfies Services
