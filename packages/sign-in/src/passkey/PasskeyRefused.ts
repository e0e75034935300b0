/** The refusal of a passkey, with its reason for the log. */
import { Schema } from "effect"

/**
 * Raised if the response of a passkey is refused.
 *
 * - `malformed`: the response has not the form that browsers send
 * - `challenge`: this instance made no such challenge for this purpose and person
 * - `expired`: the challenge is too old
 * - `browser`: another browser got the challenge
 * - `used`: the challenge was used before
 * - `verification`: the origin, the domain, the signature or the verification of the person is wrong
 * - `unknown`: no user has this passkey
 * - `person`: the passkey belongs to another person
 * - `counter`: the number of uses did not grow, so the passkey may have been copied
 */
export class PasskeyRefused extends Schema.TaggedError<PasskeyRefused>()(
  "PasskeyRefused",
  {
    reason: Schema.Literals([
      "malformed",
      "challenge",
      "expired",
      "browser",
      "used",
      "verification",
      "unknown",
      "person",
      "counter"
    ]),
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}

export const refused = (reason: PasskeyRefused["reason"], message: string) => new PasskeyRefused({ reason, message })
