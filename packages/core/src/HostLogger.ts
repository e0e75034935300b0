/**
 * A logger of a host that does not use Effect: a function that receives a level, a message, and annotations.
 *
 * ```ts
 * const logger: HostLogger = (level, message, annotations) => pino[level](annotations, message)
 * ```
 *
 * Limits: `info` and above, unless an effect of the host sets a lower level. Errors that the logger throws are ignored.
 */
import { Cause, Context, Logger, type LogLevel as Levels, References } from "effect"

export type LogLevel = "debug" | "info" | "warn" | "error"

/** Receives a log entry. `annotations`: context such as `request` or `job`; `error`: text and stack of a failure. */
export type HostLogger = (level: LogLevel, message: string, annotations: Readonly<Record<string, unknown>>) => void

const levels: Readonly<Record<Levels.LogLevel, LogLevel>> = {
  All: "debug",
  Trace: "debug",
  Debug: "debug",
  Info: "info",
  Warn: "warn",
  Error: "error",
  Fatal: "error",
  None: "error"
}

/** Returns references that send all log entries of effects only to the function. */
export const references = (logger: HostLogger): Context.Context<never> =>
  Context.make(References.CurrentLoggers, new Set([effectLogger(logger)])) as Context.Context<never>

const effectLogger = (logger: HostLogger) =>
  Logger.make(({ logLevel, message, cause, fiber }) => {
    const messages: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const failures = [
      ...messages.filter((one) => one instanceof Error).map((error) => Cause.pretty(Cause.fail(error))),
      ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])
    ]
    try {
      logger(
        levels[logLevel],
        messages
          .filter((one) => !(one instanceof Error))
          .map(textOf)
          .join(" "),
        {
          ...fiber.getRef(References.CurrentLogAnnotations),
          ...(failures.length > 0 && { error: failures.join("\n") })
        }
      )
    } catch {
      // An error of the host's logger is ignored, since it cannot be logged.
    }
  })

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
