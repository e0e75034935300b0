/** Logs on standard error: for people on a terminal, else as lines of JSON. */
import { Layer, Logger, References } from "effect"
import type { LogLevel } from "./Settings.ts"

const levels = { trace: "Trace", debug: "Debug", info: "Info", warn: "Warn", error: "Error", none: "None" } as const

export const layer = (level: LogLevel) =>
  Layer.mergeAll(
    Logger.layer([process.stderr.isTTY ? Logger.consolePretty() : Logger.withConsoleError(Logger.formatJson)]),
    // The pretty logger asks where to write.
    Layer.succeed(Logger.LogToStderr, true),
    Layer.succeed(References.MinimumLogLevel, levels[level])
  )
