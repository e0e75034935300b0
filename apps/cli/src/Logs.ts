/** Writes logs to standard error: formatted on a terminal, else as lines of JSON. */
import { Effect, Layer, Logger, LogLevel as Levels, References } from "effect"
import type { Respond } from "@lectern/http/server/HttpApp"

const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export type LogLevel = keyof typeof levels

export const logLevels = Object.keys(levels) as ReadonlyArray<LogLevel>

const toStderr = () => (process.stderr.isTTY ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson))

const layerOf = (logger: Logger.Logger<unknown, void>, level: Levels.LogLevel) =>
  Layer.mergeAll(
    Logger.layer([logger]),
    // The pretty logger reads this reference.
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, level)
  )

export const layer = (level: LogLevel) => layerOf(toStderr(), levels[level])

/** A level that may change while the process runs. */
export interface LiveLevel {
  logLevel: LogLevel
}

/** Returns a logger whose level may change. All entries reach the logger, which drops those below the current level. */
export const layerLive = (live: LiveLevel) => {
  const logger = toStderr()
  return layerOf(
    Logger.make((options) => {
      if (Levels.isGreaterThanOrEqualTo(options.logLevel, levels[live.logLevel])) logger.log(options)
    }),
    "Trace"
  )
}

/** Applies the current log level to requests, so that they do not create entries below it. */
export const atLevel = (live: LiveLevel) => {
  const { logLevel } = live
  return {
    /** Sets the level at the time of the call, which most requests use. */
    context: <A, E, R>(effect: Effect.Effect<A, E, R>) =>
      Effect.provideService(effect, References.MinimumLogLevel, levels[logLevel]),
    /** Overrides the level for a request if it has changed since. */
    respond:
      (respond: Respond): Respond =>
      (request) => {
        const response = respond(request)
        return live.logLevel === logLevel || !Effect.isEffect(response)
          ? response
          : Effect.provideService(response, References.MinimumLogLevel, levels[live.logLevel])
      }
  }
}
