/** Lists the services that create, authenticate, list and revoke API tokens, and the job that removes ended tokens. */
import { offer, type Services } from "../Services.ts"
import { removeEndedTokens } from "./TokenRetention.ts"
import { Tokens } from "./Tokens.ts"
import { UserTokens } from "./UserTokens.ts"

export const tokenServices = {
  layers: [Tokens.layer, UserTokens.layer],
  jobs: [removeEndedTokens],
  offered: {
    tokens: offer(Tokens, "apart"),
    userTokens: offer(UserTokens, "apart")
  }
} as const satisfies Services
