/** `lectern serve` */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Launchers from "../Launchers.ts"
import * as Logs from "../Logs.ts"
import { serverFlags, settings } from "../Settings.ts"

export const Serve = Command.make(
  "serve",
  serverFlags,
  Effect.fnUntraced(function* (given) {
    const ids = Launchers.launchers()
    const set = yield* settings(given)
    // Loaded here, so that no other command waits for it.
    const { serve } = yield* Effect.promise(() => import("../Serve.ts"))
    const orphaned = Effect.andThen(
      Launchers.ended(ids),
      Effect.logInfo("The program that started Lectern has ended, so it stops, too")
    )
    return yield* Effect.raceFirst(serve(set), orphaned).pipe(Effect.provide(Logs.layer(set.logLevel)))
  })
).pipe(Command.withDescription("Start the server"))
