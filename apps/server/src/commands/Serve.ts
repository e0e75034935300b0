/** `lectern serve` */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Launchers from "../Launchers.ts"
import * as Logs from "../Logs.ts"
import * as Live from "../settings/LiveSettings.ts"
import { serverFlags, serverSettings } from "../settings/Settings.ts"

export const Serve = Command.make(
  "serve",
  serverFlags,
  Effect.fnUntraced(function* (given) {
    const ids = Launchers.launchers()
    const resolved = yield* serverSettings(given)
    const live = Live.make(resolved.values)
    // Loaded here, so that no other command waits for it.
    const { serve } = yield* Effect.promise(() => import("../Serve.ts"))
    const { otlpUrl } = resolved.settings
    const telemetry =
      otlpUrl === undefined
        ? Layer.empty
        : (yield* Effect.promise(() => import("../observe/Telemetry.ts"))).layer(otlpUrl)
    const orphaned = Effect.andThen(
      Launchers.ended(ids),
      Effect.logInfo("The program that started Lectern has ended, so it stops, too")
    )
    return yield* Effect.raceAllFirst([
      serve(resolved, live),
      orphaned,
      Live.reloading(live, resolved.found, serverSettings(given))
    ]).pipe(Effect.provide(telemetry), Effect.provide(Logs.layerLive(live)))
  })
).pipe(Command.withDescription("Start the server"))
