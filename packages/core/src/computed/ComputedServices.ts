/** Lists the services of pages that are computed from specs and by integrations. Hosts get no access to them. */
import type { Services } from "../Services.ts"
import { ComputedResponses } from "./ComputedResponses.ts"
import { ComputedContents } from "./ComputedContents.ts"
import { ComputedSearch } from "./ComputedSearch.ts"
import { ComputedSources } from "./ComputedSources.ts"
import { ComputedSpecs } from "./ComputedSpecs.ts"
import { ContentSpecs } from "./ContentSpecs.ts"
import { ContentSources } from "./ContentSources.ts"
import { SourceDependencies } from "./SourceDependencies.ts"

export const computedServices = {
  layers: [
    ComputedResponses.layer,
    ComputedContents.layer,
    ComputedSearch.layer,
    ComputedSources.layer,
    ComputedSpecs.layer,
    ContentSources.layer,
    ContentSpecs.layer,
    SourceDependencies.layer
  ],
  jobs: [],
  offered: {}
} as const satisfies Services
