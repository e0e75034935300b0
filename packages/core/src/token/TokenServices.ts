/** Services of API tokens. */
import type { Services } from "../Services.ts"
import { removeEndedTokens } from "./TokenRetention.ts"
import { Tokens } from "./Tokens.ts"
import { UserTokens } from "./UserTokens.ts"

export const tokenServices = {
  layers: [Tokens.layer, UserTokens.layer],
  jobs: [removeEndedTokens],
  offered: { tokens: Tokens, userTokens: UserTokens }
} as const satisfies Services
