/**
 * Lists the services that create, authenticate, list and revoke API tokens and sessions, and the job that removes ended
 * tokens.
 */
import { offer, type Services } from "../Services.ts"
import { removeExpiredTokens } from "./TokenRetention.ts"
import { Sessions } from "./Sessions.ts"
import { Tokens } from "./Tokens.ts"
import { UserTokens } from "./UserTokens.ts"

export const tokenServices = {
  jobs: [removeExpiredTokens],
  offered: {
    tokens: offer(Tokens, {
      create: "outsideTransaction",
      list: "outsideTransaction",
      revoke: "outsideTransaction",
      authenticate: "outsideTransaction",
      isValid: "internal"
    }),
    "users.sessions": offer(Sessions, "outsideTransaction"),
    "users.tokens": offer(UserTokens, "outsideTransaction")
  }
} as const satisfies Services
