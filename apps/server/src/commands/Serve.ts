/** `lectern serve`: starts the server. */
import { Effect, Layer } from "effect"
import { Command } from "effect/cli"
import * as Launchers from "../Launchers.ts"
import * as Logs from "@lectern/cli/Logs"
import * as Live from "../settings/LiveSettings.ts"
import { serverFlags, serverSettings } from "../settings/Settings.ts"

export const Serve = Command.make(
  "serve",
  serverFlags,
  Effect.fnUntraced(function* (flags) {
    const ids = Launchers.launchers()
    const resolved = yield* serverSettings(flags)
    const live = Live.make(resolved.values)
    // Loaded lazily, so that other commands start faster.
    const { serve } = yield* Effect.promise(() => import("../Serve.ts"))
    const { otlpUrl } = resolved.settings
    const telemetry =
      otlpUrl === undefined
        ? Layer.empty
        : (yield* Effect.promise(() => import("../observe/Telemetry.ts"))).layer(otlpUrl)
    const orphaned = Effect.andThen(
      Launchers.exited(ids),
      Effect.logInfo("Lectern stops because the program that started it has exited")
    )
    return yield* Effect.raceAllFirst([
      serve(resolved, live),
      orphaned,
      Live.reloadOnHangUp(live, resolved.sources, serverSettings(flags))
    ]).pipe(Effect.provide(telemetry), Effect.provide(Logs.layerLive(live)))
  })
).pipe(Command.withDescription("Start the server"))
