/** Lists the services that create, authenticate, list and revoke API tokens and sessions, and the job that removes ended tokens. */
import { offer, type Services } from "../Services.ts"
import { removeExpiredTokens } from "./TokenRetention.ts"
import { Sessions } from "./Sessions.ts"
import { Tokens } from "./Tokens.ts"
import { UserTokens } from "./UserTokens.ts"

export const tokenServices = {
  jobs: [removeExpiredTokens],
  offered: {
<<<<<<< HEAD
    tokens: offer(Tokens, "outsideTransaction"),
    "users.sessions": offer(Sessions, {
      start: "transactional",
      list: "outsideTransaction",
      revoke: "outsideTransaction",
      revokeOthers: "outsideTransaction",
      endAll: "transactional"
=======
    tokens: offer(Tokens, {
      create: "outsideTransaction",
      list: "outsideTransaction",
      revoke: "outsideTransaction",
      authenticate: "outsideTransaction",
      isValid: "internal"
>>>>>>> 87413919 (events: a feed of an organization's events, as pages and as a stream)
    }),
    "users.tokens": offer(UserTokens, "outsideTransaction")
  }
} as const satisfies Services
