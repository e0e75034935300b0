/** The refusal of a code of a second factor. */
import { Timestamp } from "@lectern/core/schema/Text"
import { Schema } from "effect"

/**
 * Raised if a code is refused.
 *
 * - `wrong`: the code is not one of the app or a recovery code
 * - `used`: the code of the app was entered before. Enter the next one
 * - `paused`: after several wrong codes no code is checked until `until`
 */
export class CodeRefused extends Schema.TaggedError<CodeRefused>()(
  "CodeRefused",
  {
    reason: Schema.Literals(["wrong", "used", "paused"]),
    until: Schema.optionalKey(Timestamp),
    message: Schema.String
  },
  { httpApiStatus: 403 }
) {}

export const wrongCode = new CodeRefused({ reason: "wrong", message: "This code is wrong" })

export const usedCode = new CodeRefused({
  reason: "used",
  message: "This code was used before. Enter the next one that the app shows"
})

export const paused = (until: Timestamp) =>
  new CodeRefused({ reason: "paused", until, message: `Too many wrong codes. Try again after ${until}` })
