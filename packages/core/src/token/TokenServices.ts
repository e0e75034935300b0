/** Lists the services that create, authenticate, list and revoke API tokens, and the job that removes ended tokens. */
import { offer, type Services } from "../Services.ts"
import { removeExpiredTokens } from "./TokenRetention.ts"
import { Tokens } from "./Tokens.ts"
import { UserTokens } from "./UserTokens.ts"

export const tokenServices = {
  jobs: [removeExpiredTokens],
  offered: {
    tokens: offer(Tokens, "outsideTransaction"),
    "users.tokens": offer(UserTokens, "outsideTransaction")
  }
} as const satisfies Services
