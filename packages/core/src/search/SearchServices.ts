/** Services of search. */
import type { Services } from "../Services.ts"
import { Searches } from "./Searches.ts"
import { SearchIndexing, indexSpace } from "./indexing/SearchIndexing.ts"

export const searchServices = {
  layers: [Searches.layer, SearchIndexing.layer],
  jobs: [indexSpace],
  offered: { searches: Searches }
} as const satisfies Services
