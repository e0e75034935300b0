/**
 * A logger of a host that does not use Effect: a function that takes a level, a sentence, and what belongs to it.
 *
 * ```ts
 * const logger: HostLogger = (level, message, annotations) => pino[level](annotations, message)
 * ```
 *
 * Limits: `info` and above, unless an effect of the host asks for more. One that throws has logged nothing, and that changes nothing else.
 */
import { Cause, Context, Logger, type LogLevel as Levels, References } from "effect"

export type LogLevel = "debug" | "info" | "warn" | "error"

/**
 * Takes what is logged. `annotations`: what it is about, such as `request` or `job`; where something failed, `error` is
 * the text of that, with its stack.
 */
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

/** The references by which everything that effects log goes to the function alone. */
export const references = (logger: HostLogger): Context.Context<never> =>
  Context.make(References.CurrentLoggers, new Set([effectLogger(logger)])) as Context.Context<never>

const effectLogger = (logger: HostLogger) =>
  Logger.make(({ logLevel, message, cause, fiber }) => {
    const said: ReadonlyArray<unknown> = Array.isArray(message) ? message : [message]
    const failures = [
      ...said.filter((one) => one instanceof Error).map((error) => Cause.pretty(Cause.fail(error))),
      ...(cause.reasons.length === 0 ? [] : [Cause.pretty(cause)])
    ]
    try {
      logger(
        levels[logLevel],
        said
          .filter((one) => !(one instanceof Error))
          .map(textOf)
          .join(" "),
        {
          ...fiber.getRef(References.CurrentLogAnnotations),
          ...(failures.length > 0 && { error: failures.join("\n") })
        }
      )
    } catch {
      // There is nowhere left to say so.
    }
  })

const textOf = (value: unknown): string => (typeof value === "string" ? value : JSON.stringify(value))
