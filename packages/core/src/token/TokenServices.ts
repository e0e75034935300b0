/** Services of API tokens. */
import type { Services } from "../Services.ts"
import { Tokens } from "./Tokens.ts"

export const tokenServices = {
  layers: [Tokens.layer],
  jobs: [],
  offered: { tokens: Tokens }
} as const satisfies Services
