/** Flags of several commands. */
import { Flag } from "effect/cli"

export const json = Flag.Boolean("json").pipe(
  Flag.withDescription("Print only one JSON object"),
  Flag.withDefault(false)
)

export const title = Flag.String("title").pipe(
  Flag.withDescription("Title of the site; default: the title in site.yaml, or the name of the folder"),
  Flag.optional
)
