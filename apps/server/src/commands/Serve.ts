/** `lectern serve` */
import { Effect, Layer } from "effect"
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
    const { otlpUrl } = set
    const telemetry =
      otlpUrl === undefined
        ? Layer.empty
        : (yield* Effect.promise(() => import("../observe/Telemetry.ts"))).layer(otlpUrl)
    const orphaned = Effect.andThen(
      Launchers.ended(ids),
      Effect.logInfo("The program that started Lectern has ended, so it stops, too")
    )
    return yield* Effect.raceFirst(serve(set), orphaned).pipe(
      Effect.provide(telemetry),
      Effect.provide(Logs.layer(set.logLevel))
    )
  })
).pipe(Command.withDescription("Start the server"))
