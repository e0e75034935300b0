/**
 * Lists the services that evaluate access: access levels of actors on content, cached data for access checks, and
 * counts of the spaces that grants open.
 */
import type { Services } from "../Services.ts"
import { Access } from "./Access.ts"
import { AccessFacts } from "./AccessFacts.ts"
import { GrantedSpaces } from "./GrantedSpaces.ts"

export const accessServices = {
  layers: [Access.layer, AccessFacts.layer, GrantedSpaces.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
