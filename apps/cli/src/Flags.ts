/** Flags of several commands. */
import { Flag } from "effect/cli"

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print only one JSON object"),
  Flag.withDefault(false)
)
