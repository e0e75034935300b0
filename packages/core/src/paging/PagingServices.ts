/** Lists the service that paginates lists (see `Paging`). */
import type { Services } from "../Services.ts"
import { Paging } from "./Paging.ts"

export const pagingServices = {
  layers: [Paging.layer],
  jobs: [],
  offered: {}
} as const satisfies Services
