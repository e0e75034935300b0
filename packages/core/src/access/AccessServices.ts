/** Services of access control. */
import type { Services } from "../Services.ts"
import { Access } from "./Access.ts"
import { AccessFacts } from "./AccessFacts.ts"
import { GrantedSpaces } from "./GrantedSpaces.ts"

export const accessServices = {
  layers: [Access.layer, AccessFacts.layer, GrantedSpaces.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
