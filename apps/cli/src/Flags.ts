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

export const drafts = Flag.Boolean("drafts").pipe(
  Flag.withDescription("Show drafts: pages with draft: true or published: false in their front matter"),
  Flag.withDefault(false)
)
