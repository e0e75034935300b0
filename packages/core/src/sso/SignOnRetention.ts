/** Removes ended sign-ins once an hour: uses, tickets, sessions. */
import { Duration, Effect } from "effect"
import { removeOlder, scheduled } from "../job/Schedule.ts"
import { TokenTable } from "../token/Token.ts"
import { OidcSessionTable } from "./OidcSession.ts"
import { SignOnTicketTable, SignOnUseTable } from "./SignOnRecord.ts"

export const removeEndedSignOns = scheduled(
  "remove-ended-sign-ons",
  { hours: 1 },
  Effect.all([
    removeOlder(SignOnUseTable, Duration.zero, (until) => ({ until })),
    removeOlder(SignOnTicketTable, Duration.zero, (until) => ({ until })),
    removeOlder(OidcSessionTable, Duration.zero, (until) => ({ until })),
    removeOlder(TokenTable, Duration.zero, (sessionEndsAt) => ({ sessionEndsAt }))
  ])
)
