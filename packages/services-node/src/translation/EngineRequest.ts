/**
 * Sends a request to a translation engine over HTTP, with JSON in both directions. The operator sets the engine's URL,
 * so its address may be private. Redirects are not followed, since the request contains the key.
 *
 * Defaults: 60 seconds for a response. Limits: 16 MiB for a response. A busy engine (429, 5xx) or an unreachable one is
 * tried up to four times. The pauses double each time, and `Retry-After` extends them by up to a minute. A timeout is
 * not retried.
 */
import * as RetryAfter from "@lectern/core/fetch/RetryAfter"
import { TranslatorFailed } from "@lectern/core/translation/Translator"
import type { DurationLike } from "@lectern/core/time/DurationLike"
import { Duration, Effect, Redacted, Schedule } from "effect"

export interface EngineOptions {
  /** URL of the engine, such as `https://translate.example.com`. */
  readonly url: string
  readonly key?: Redacted.Redacted
  /** Maximum time for a response. Default: 60 seconds. */
  readonly timeout?: DurationLike
  /** Pause before the second attempt, doubled for each further one. Default: 1 second. */
  readonly pause?: DurationLike
}

const maxBytes = 16 * 1024 * 1024
const longestPause = Duration.seconds(60)
const retries = 3

interface EngineRequest {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers?: Record<string, string>
  readonly body?: unknown
}

/** A failure that another attempt may resolve. */
class RetryableFailure {
  readonly failure: TranslatorFailed
  /** Requested pause (ms). */
  readonly after: number | undefined

  constructor(failure: TranslatorFailed, after?: number) {
    this.failure = failure
    this.after = after
  }
}

export const failed = (reason: TranslatorFailed["reason"], message: string) => new TranslatorFailed({ reason, message })

/** Sends a request, and returns the response parsed as JSON. Retries a busy or unreachable engine up to three times. */
export const sendRequest = (
  options: EngineOptions,
  request: EngineRequest
): Effect.Effect<unknown, TranslatorFailed> => {
  const timeout = options.timeout ?? { seconds: 60 }
  const attempt = Effect.tryPromise({
    try: (signal) => fetchJson(request, options.key, signal),
    catch: (error) =>
      error instanceof RetryableFailure || error instanceof TranslatorFailed ? error : unreachable(error)
  }).pipe(
    Effect.timeoutOrElse({
      duration: timeout,
      orElse: () =>
        Effect.fail(
          failed(
            "timeout",
            `The translation engine did not answer within ${Duration.format(Duration.fromInputUnsafe(timeout))}`
          )
        )
    })
  )
  const withPause = Effect.tapError(attempt, (error) =>
    error instanceof RetryableFailure && error.after !== undefined ? Effect.sleep(error.after) : Effect.void
  )
  return withPause.pipe(
    Effect.retry({
      times: retries,
      while: (error) => error instanceof RetryableFailure,
      schedule: Schedule.exponential(options.pause ?? { seconds: 1 })
    }),
    Effect.mapError((error) => (error instanceof RetryableFailure ? error.failure : error))
  )
}

const fetchJson = async (
  { method, url, headers, body }: EngineRequest,
  key: Redacted.Redacted | undefined,
  signal: AbortSignal
): Promise<unknown> => {
  const response = await fetch(url, {
    method,
    redirect: "manual",
    signal,
    headers: {
      accept: "application/json",
      "user-agent": "Lectern",
      ...(body !== undefined && { "content-type": "application/json" }),
      ...headers
    },
    ...(body !== undefined && { body: JSON.stringify(body) })
  })
  if (response.ok) return json(await textOf(response))
  const { status } = response
  const engineMessage = engineMessageIn(await textOf(response).catch(() => ""), key)
  const failure = failed(
    "refused",
    `The translation engine answered ${status}${engineMessage === "" ? "" : `: ${engineMessage}`}`
  )
  if (status !== 429 && status < 500) throw failure
  throw new RetryableFailure(failure, pauseOf(response.headers.get("retry-after")))
}

const textOf = async (response: Response): Promise<string> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > maxBytes)
      throw failed("invalid", `The translation engine answers more than ${maxBytes / 1024 / 1024} MiB`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks, size))
}

const json = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    throw failed("invalid", "The translation engine does not answer in JSON")
  }
}

/**
 * Returns the pause of a `Retry-After` header in milliseconds, at most 60,000. Undefined if the header is missing or
 * invalid.
 */
const pauseOf = (header: string | null): number | undefined => {
  const pause = RetryAfter.millisOf(header ?? "", Date.now())
  return Number.isFinite(pause) ? Math.min(Math.max(0, pause!), Duration.toMillis(longestPause)) : undefined
}

/**
 * Returns the engine's message about a failure: `error`, or the `message` in it. The key is replaced by `…`, and the
 * message is cut to 300 characters. Empty if the response has no message.
 */
const engineMessageIn = (text: string, key: Redacted.Redacted | undefined): string => {
  let error: unknown
  try {
    error = (JSON.parse(text) as { readonly error?: unknown } | null)?.error
  } catch {
    return ""
  }
  const message = typeof error === "object" && error !== null && "message" in error ? error.message : error
  if (typeof message !== "string") return ""
  const redacted = key === undefined ? message : message.replaceAll(Redacted.value(key), "…")
  return redacted.replace(/\s+/g, " ").slice(0, 300).toWellFormed().replaceAll("\u0000", "")
}

const messagesByCode: { readonly [code: string]: string } = {
  ENOTFOUND: "its host is not known",
  ECONNREFUSED: "it does not take connections",
  ECONNRESET: "it ended the connection",
  UND_ERR_SOCKET: "it ended the connection"
}

const unreachable = (error: unknown): RetryableFailure => {
  const cause = error instanceof Error ? error.cause : undefined
  const code = cause instanceof Error && "code" in cause ? String(cause.code) : ""
  return new RetryableFailure(
    failed(
      "unreachable",
      `The translation engine can't be reached${code === "" ? "" : `: ${messagesByCode[code] ?? code}`}`
    )
  )
}
