/** `lectern push [folder]`: sends a folder of Markdown to a server, as a change request. */
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { CommandFailed } from "../CommandFailed.ts"
import { json } from "../Flags.ts"
import * as Output from "../Output.ts"
import * as MarkdownFolder from "./MarkdownFolder.ts"
import { pushFlags } from "./PushFlags.ts"

export const Push = Command.make(
  "push",
  {
    ...pushFlags,
    json,
    merge: Flag.Boolean("merge").pipe(
      Flag.withDescription("Merge the change request after the push"),
      Flag.withDefault(false)
    ),
    dryRun: Flag.Boolean("dry-run").pipe(
      Flag.withDescription("Print the changes without making them"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ changeRequest, merge, dryRun, ...flags }) {
    const folder = yield* MarkdownFolder.resolve(flags.folder)
    // Loaded lazily, so that other commands start faster.
    const { run } = yield* Effect.promise(() => import("../push/PushCommand.ts"))
    if (merge && dryRun) {
      return yield* new CommandFailed({ message: "--merge and --dry-run exclude each other" })
    }
    const output = yield* run({ ...flags, folder, changeRequest: Option.getOrUndefined(changeRequest), merge, dryRun })
    yield* Output.print(flags.json, output)
  })
).pipe(Command.withDescription("Send a folder of Markdown to a server, as a change request of a space"))
