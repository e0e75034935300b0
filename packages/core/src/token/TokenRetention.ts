/**
 * Removes tokens 30 days after their end, once a day. Tokens of sessions are removed earlier (see `SignOnRetention`).
 */
import { Duration } from "effect"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { TokenTable } from "./Token.ts"

export const removeExpiredTokens = scheduled(
  "remove-ended-tokens",
  { days: 1 },
  removeOlder(TokenTable, Duration.days(30), (endsAt) => ({ endsAt }))
)
