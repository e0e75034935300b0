/** `lectern serve` */
import { Effect } from "effect"
import { Command } from "effect/cli"
import * as Logs from "../Logs.ts"
import { serverFlags, settings } from "../Settings.ts"

export const Serve = Command.make(
  "serve",
  serverFlags,
  Effect.fnUntraced(function* (given) {
    const set = yield* settings(given)
    // Loaded here, so that no other command waits for it.
    const { serve } = yield* Effect.promise(() => import("../Serve.ts"))
    return yield* serve(set).pipe(Effect.provide(Logs.layer(set.logLevel)))
  })
).pipe(Command.withDescription("Start the server"))
