/**
 * Requests to the API of a server. A request is sent again if the server limits requests (429), is unavailable (502,
 * 503, 504) or can't be reached. All requests of a push can be repeated.
 *
 * Limits: 9 attempts within about two minutes. The interval doubles, unless the server states it (`Retry-After`).
 */
import { Data, Duration, Effect, Redacted } from "effect"
import { CommandFailed } from "../CommandFailed.ts"

const maxAttempts = 9
const firstInterval = 500
const maxInterval = 30_000
const retriedStatuses = new Set([429, 502, 503, 504])

/** The server refused a request. `message`: the sentence of the server. */
export class RequestRefused extends Data.TaggedError("RequestRefused")<{
  readonly status: number
  readonly message: string
}> {}

/** The request may succeed later. `retryAfter` in milliseconds. */
class Unavailable extends Data.TaggedError("Unavailable")<{
  readonly message: string
  readonly retryAfter?: number | undefined
}> {}

interface RequestOptions {
  readonly method?: "GET" | "POST"
  /** JSON, or the bytes of an archive. */
  readonly body?: object | Uint8Array<ArrayBuffer>
}

export interface ServerApi {
  /** Sends a request and returns the JSON of the response. */
  readonly json: <A>(path: string, options?: RequestOptions) => Effect.Effect<A, RequestRefused | CommandFailed>
  /** Sends a request and processes the response. `use` runs again if the connection is lost. */
  readonly stream: <A>(
    path: string,
    use: (response: Response) => Promise<A>
  ) => Effect.Effect<A, RequestRefused | CommandFailed>
}

export const make = (server: string, token: Redacted.Redacted): Effect.Effect<ServerApi, CommandFailed> =>
  Effect.suspend(() => {
    const url = URL.parse(server)
    if (url === null || !/^https?:$/.test(url.protocol)) {
      return Effect.fail(new CommandFailed({ message: "--server must be an http or https URL" }))
    }
    const base = `${url.origin}${url.pathname.replace(/\/+$/, "")}/v1`

    const attempt = <A>(
      path: string,
      { method = "GET", body }: RequestOptions,
      use: (response: Response) => Promise<A>
    ) =>
      Effect.tryPromise({
        try: async (signal) => {
          const isArchive = body instanceof Uint8Array
          const response = await fetch(base + path, {
            method,
            signal,
            redirect: "error",
            headers: {
              authorization: `Bearer ${Redacted.value(token)}`,
              ...(body !== undefined && { "content-type": isArchive ? "application/x-tar" : "application/json" })
            },
            ...(body !== undefined && { body: isArchive ? body : JSON.stringify(body) })
          })
          if (response.ok) return await use(response)
          const message = messageIn(await response.text()) ?? `The server responded with ${response.status}`
          if (!retriedStatuses.has(response.status)) throw new RequestRefused({ status: response.status, message })
          throw new Unavailable({ message, retryAfter: retryAfterOf(response) })
        },
        catch: (cause) =>
          cause instanceof RequestRefused || cause instanceof Unavailable || cause instanceof CommandFailed
            ? cause
            : new Unavailable({ message: `${url.origin} can't be reached: ${reasonOf(cause)}` })
      })

    const send = <A>(
      path: string,
      options: RequestOptions,
      use: (response: Response) => Promise<A>,
      failedCount = 0
    ): Effect.Effect<A, RequestRefused | CommandFailed> =>
      attempt(path, options, use).pipe(
        Effect.catchTag("Unavailable", ({ message, retryAfter }) => {
          if (failedCount + 1 >= maxAttempts) return Effect.fail(new CommandFailed({ message }))
          const interval = Math.min(maxInterval, retryAfter ?? firstInterval * 2 ** failedCount)
          return Effect.andThen(Effect.sleep(Duration.millis(interval)), send(path, options, use, failedCount + 1))
        })
      )

    return Effect.succeed({
      json: <A>(path: string, options: RequestOptions = {}) =>
        send(path, options, (response) => response.json() as Promise<A>),
      stream: (path, use) => send(path, {}, use)
    } satisfies ServerApi)
  })

const messageIn = (text: string): string | undefined => {
  try {
    return (JSON.parse(text) as { readonly error?: { readonly message?: string } }).error?.message
  } catch {
    return undefined
  }
}

const retryAfterOf = (response: Response): number | undefined => {
  const seconds = Number(response.headers.get("retry-after") ?? Number.NaN)
  return Number.isFinite(seconds) ? seconds * 1_000 : undefined
}

const reasonOf = (cause: unknown): string => {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause
  return inner instanceof Error ? inner.message || inner.name : String(inner)
}

/** Converts a refusal to the failure of the command, in the words of the server. */
export const orFail = <A, E extends { readonly _tag: string }, R>(
  effect: Effect.Effect<A, E | RequestRefused, R>
): Effect.Effect<A, Exclude<E, RequestRefused> | CommandFailed, R> =>
  Effect.catch(effect, (error) =>
    Effect.fail(
      error instanceof RequestRefused
        ? new CommandFailed({ message: error.message })
        : (error as Exclude<E, RequestRefused>)
    )
  )
