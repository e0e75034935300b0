/**
 * Lists the services of visitors: signing keys of sites, tokens, and the check whether a visitor is admitted. Hosts get
 * no access to them.
 */
import type { Services } from "../Services.ts"
import { AdmittedVisitors } from "./AdmittedVisitors.ts"
import { VisitorKeys } from "./VisitorKeys.ts"
import { VisitorTokens } from "./VisitorTokens.ts"
import { Visitors } from "./Visitors.ts"

export const visitorServices = {
  layers: [AdmittedVisitors.layer, VisitorKeys.layer, Visitors.layer, VisitorTokens.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
