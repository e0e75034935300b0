/** The `lectern` command without its server. */
import { run } from "./CommandRun.ts"
import { commands } from "./commands/Commands.ts"
import { Command } from "effect/cli"
import * as SiteFiles from "./SiteFiles.ts"

run(
  Command.make("lectern").pipe(
    Command.withDescription("Shows, checks and publishes a folder of Markdown"),
    Command.withSubcommands(commands(SiteFiles))
  )
)
