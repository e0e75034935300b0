/**
 * Port for fetching URLs of callers: sources of specs, imports. Only http and https, only public addresses (see
 * `Addresses`), with limits of time and size, and with at most five redirects under the same rules.
 *
 * Whether a host name resolves to a private address is known only when connecting, which the core cannot do.
 * `@lectern/services-node` has the adapter for Node. Without an adapter every fetch fails.
 */
import { Context, type Duration, Effect, Layer, Schema, type Scope, type Stream } from "effect"
import { AllowedHosts } from "./Addresses.ts"

export const maxRedirects = 5

/** Raised if the URL must not be fetched, as far as the URL itself shows. */
export class UrlNotAllowed extends Schema.TaggedError<UrlNotAllowed>()("UrlNotAllowed", { message: Schema.String }) {}

/**
 * Raised if a fetch fails.
 *
 * - `refused`: the URL leads to an address that is not allowed
 * - `timeout`: the time limit was exceeded
 * - `too-large`: the response exceeds the size limit
 * - `status`: the response was not successful
 * - `unknown-host`: the host name does not exist; reported by `requestHead` only
 * - `failed`: any other failure, such as no connection or an invalid response
 */
export class FetchFailed extends Schema.TaggedError<FetchFailed>()("FetchFailed", {
  reason: Schema.Literals(["refused", "timeout", "too-large", "status", "unknown-host", "failed"]),
  message: Schema.String,
  /** Status code, if the reason is `status`. */
  status: Schema.optionalKey(Schema.Int)
}) {}

export interface FetchOptions {
  /** Maximum size after decompression (bytes). */
  readonly maxBytes: number
  /** Total timeout, including redirects. Default: 20 seconds. */
  readonly timeout?: Duration.Input
  /** Value of the `Accept` header. */
  readonly accept?: string
}

export interface FetchedFile {
  readonly bytes: Uint8Array
  /** Content type of the response, including parameters. */
  readonly contentType?: string
  /** Final URL after redirects. */
  readonly url: string
}

/** Like `FetchedFile`, with the bytes as a stream. */
export interface StreamedFile extends Omit<FetchedFile, "bytes"> {
  readonly bytes: Stream.Stream<Uint8Array, FetchFailed>
}

export interface HeadOptions {
  /** Method of the request. The body of the response is never read. */
  readonly method: "HEAD" | "GET"
  /** Total timeout, including redirects. Default: 20 seconds. */
  readonly timeout?: Duration.Input
  /** Value of the `User-Agent` header. Default: the name of this software. */
  readonly userAgent?: string
}

/** Response of a host, after redirects. */
export interface HeadResponse {
  readonly status: number
  /** Value of the `Retry-After` header. */
  readonly retryAfter?: string
}

export interface PostOptions {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
  readonly timeout: Duration.Input
  /** Number of bytes of the response that are read (without decompression). The rest is discarded. */
  readonly maxBytes: number
}

/** Response to a `POST`, with the start of its body. */
export interface PostResponse {
  readonly status: number
  readonly bytes: Uint8Array
}

/** Checks a URL against the allowed hosts, without a request. */
export const checking =
  (allowed: AllowedHosts) =>
  (text: string): Effect.Effect<URL, UrlNotAllowed> =>
    Effect.suspend(() => {
      const url = URL.canParse(text) ? new URL(text) : undefined
      const objection = url === undefined ? "Expected a URL" : allowed.objection(url)
      return objection === undefined ? Effect.succeed(url!) : Effect.fail(new UrlNotAllowed({ message: objection }))
    })

export class GuardedFetch extends Context.Service<
  GuardedFetch,
  {
    /** Checks a URL without a request, for early error messages. */
    readonly check: (url: string) => Effect.Effect<URL, UrlNotAllowed>
    readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<FetchedFile, FetchFailed>
    /**
     * Like `fetch`, for content that is too large for memory. The timeout covers the bytes. The scope closes the
     * connection.
     */
    readonly stream: (url: string, options: FetchOptions) => Effect.Effect<StreamedFile, FetchFailed, Scope.Scope>
    /** Requests a URL and returns its status. Every status is a success; only a missing response is a failure. */
    readonly requestHead: (url: string, options: HeadOptions) => Effect.Effect<HeadResponse, FetchFailed>
    /**
     * Sends a body, and returns the status with the start of the response. Every status is a success; redirects are not
     * followed.
     */
    readonly post: (url: string, options: PostOptions) => Effect.Effect<PostResponse, FetchFailed>
  }
>()("@lectern/core/fetch/GuardedFetch") {
  /** Rejects every fetch. */
  static readonly layer = Layer.sync(GuardedFetch, () => {
    const noAdapter = Effect.fail(
      new FetchFailed({
        reason: "refused",
        message: "This instance of Lectern fetches nothing: its host has given it no GuardedFetch"
      })
    )
    return GuardedFetch.of({
      check: checking(new AllowedHosts()),
      fetch: () => noAdapter,
      stream: () => noAdapter,
      requestHead: () => noAdapter,
      post: () => noAdapter
    })
  })
}
