/** Logs on standard error: for people on a terminal, else as lines of JSON. */
import { Effect, Layer, Logger, LogLevel as Levels, References } from "effect"
import type { LogLevel } from "./settings/SettingTable.ts"

const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

const toStderr = () => (process.stderr.isTTY ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson))

const layerOf = (logger: Logger.Logger<unknown, void>, level: Levels.LogLevel) =>
  Layer.mergeAll(
    Logger.layer([logger]),
    // The pretty logger asks where to write.
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, level)
  )

export const layer = (level: LogLevel) => layerOf(toStderr(), levels[level])

/** A level that may change while the process runs. */
export interface LiveLevel {
  logLevel: LogLevel
}

/** Whoever logs is asked for all of it, and the logger drops what is below the level of the moment. */
export const layerLive = (live: LiveLevel) => {
  const logger = toStderr()
  return layerOf(
    Logger.make((options) => {
      if (Levels.isGreaterThanOrEqualTo(options.logLevel, levels[live.logLevel])) logger.log(options)
    }),
    "Trace"
  )
}

/** Requests log at the level of the moment: to ask each of them for all of it would cost. */
export const atLevel = (live: LiveLevel) => {
  const { logLevel } = live
  return {
    /** The level that holds for most requests. */
    context: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, References.MinimumLogLevel, levels[logLevel]),
    app: <A, E, R>(app: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
      Effect.suspend(() =>
        live.logLevel === logLevel ? app : Effect.provideService(app, References.MinimumLogLevel, levels[live.logLevel])
      )
  }
}
