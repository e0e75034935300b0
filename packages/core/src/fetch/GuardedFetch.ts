/**
 * The port to what lies outside, for what a caller has fetched: the sources of specs, imports. Only
 * http and https, only what the whole internet can reach (see `Addresses`), within a time and a size,
 * through at most five redirects that are each held to the same.
 *
 * Whether a name leads to a private address is known only where a connection is made, which the core
 * can't do: `@lectern/services-node` has the adapter for Node. Without one nothing is fetched, and
 * whoever asks is told so.
 */
import { Context, type Duration, Effect, Layer, Schema, type Scope, type Stream } from "effect"
import { AllowedHosts } from "./Addresses.ts"

export const maxRedirects = 5

/** The URL is none that may be fetched, as far as can be told without asking for it. */
export class UrlRefused extends Schema.TaggedError<UrlRefused>()("UrlRefused", { message: Schema.String }) {}

/**
 * Nothing came of it.
 *
 * - `refused`: it leads to where this server does not fetch from
 * - `timeout`: it took too long
 * - `too-large`: there is more than was asked for
 * - `status`: the answer was another one than success
 * - `unknown-host`: there is no host of that name; `answer` alone looks that closely
 * - `failed`: anything else: no such host, no connection, no sense in what came
 */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  reason: Schema.Literals(["refused", "timeout", "too-large", "status", "unknown-host", "failed"]),
  message: Schema.String,
  /** The status, where the reason is `status`. */
  status: Schema.optionalKey(Schema.Int)
}) {}

export interface FetchOptions {
  /** Of the content as it is when it is unpacked. */
  readonly maxBytes: number
  /** For all of it, redirects included. Default: 20 seconds. */
  readonly timeout?: Duration.Input
  /** Types that are hoped for, as the header `Accept`. */
  readonly accept?: string
}

export interface Fetched {
  readonly bytes: Uint8Array
  /** As the server says, parameters included. */
  readonly contentType?: string
  /** The URL behind all redirects. */
  readonly url: string
}

/** `Fetched`, with bytes that come as they arrive. */
export interface Streamed extends Omit<Fetched, "bytes"> {
  readonly bytes: Stream.Stream<Uint8Array, FetchFailed>
}

export interface AnswerOptions {
  /** Nothing of a body is read, whichever it is. */
  readonly method: "HEAD" | "GET"
  /** For all of it, redirects included. Default: 20 seconds. */
  readonly timeout?: Duration.Input
  /** Name of the requester, as the header `User-Agent`. Default: the name of this software. */
  readonly userAgent?: string
}

/** A host's answer, behind all redirects. */
export interface Answer {
  readonly status: number
  /** When to come back, as the header `Retry-After` says it. */
  readonly retryAfter?: string
}

/** The objection to a URL, as a failure. */
export const checking =
  (allowed: AllowedHosts) =>
  (text: string): Effect.Effect<URL, UrlRefused> =>
    Effect.suspend(() => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      const objection = url === undefined ? "Expected a URL" : allowed.objection(url)
      return objection === undefined ? Effect.succeed(url!) : Effect.fail(new UrlRefused({ message: objection }))
    })

export class GuardedFetch extends Context.Service<
  GuardedFetch,
  {
    /** Checks a URL without asking anyone, for a clear answer when it is given. */
    readonly check: (url: string) => Effect.Effect<URL, UrlRefused>
    readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<Fetched, FetchFailed>
    /** The same of what is too large to be held: the time is for the bytes, too, and the scope ends the connection. */
    readonly stream: (url: string, options: FetchOptions) => Effect.Effect<Streamed, FetchFailed, Scope.Scope>
    /** Asks whether something is there. Any status is an answer, none is a failure. */
    readonly answer: (url: string, options: AnswerOptions) => Effect.Effect<Answer, FetchFailed>
  }
>()("@lectern/core/fetch/GuardedFetch") {
  /** Fetches nothing. */
  static readonly layer = Layer.sync(GuardedFetch, () => {
    const nothing = Effect.fail(
      new FetchFailed({
        reason: "refused",
        message: "This instance of Lectern fetches nothing: its host has given it no GuardedFetch"
      })
    )
    return GuardedFetch.of({
      check: checking(new AllowedHosts()),
      fetch: () => nothing,
      stream: () => nothing,
      answer: () => nothing
    })
  })
}
