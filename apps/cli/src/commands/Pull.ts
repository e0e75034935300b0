/** `lectern pull [folder]`: writes a space of a server into a folder of Markdown. */
import { resolve } from "node:path"
import { Effect, Option } from "effect"
import { Command, Flag } from "effect/cli"
import { json } from "../Flags.ts"
import * as Output from "../Output.ts"
import { pushFlags } from "./PushFlags.ts"

export const Pull = Command.make(
  "pull",
  {
    ...pushFlags,
    json,
    force: Flag.Boolean("force").pipe(
      Flag.withDescription("Overwrite local changes that were not pushed"),
      Flag.withDefault(false)
    )
  },
  Effect.fnUntraced(function* ({ changeRequest, ...flags }) {
    // Loaded lazily, so that other commands start faster.
    const { run } = yield* Effect.promise(() => import("../push/PullCommand.ts"))
    const folder = resolve(flags.folder)
    const output = yield* run({ ...flags, folder, changeRequest: Option.getOrUndefined(changeRequest) })
    yield* Output.print(flags.json, output)
  })
).pipe(Command.withDescription("Write a space of a server into a folder of Markdown"))
