/**
 * Implements `GuardedFetch` with Node's http and https. The addresses of a name are checked when a connection opens, so
 * the name cannot change in between. Each redirect is checked too. Proxies of the environment are not used, since a
 * proxy would open the connection.
 *
 * Defaults: 20 seconds in total. Limits: 5 redirects. gzip, deflate and Brotli are unpacked, and size limits apply to
 * the unpacked bytes.
 *
 * A host is reported as unknown only if the resolver knows another name, `example.com`. Without internet access a
 * resolver knows no names at all.
 */
import { lookup } from "node:dns/promises"
import type { IncomingMessage } from "node:http"
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import {
  type HeadResponse,
  type HeadOptions,
  checking,
  type FetchedFile,
  FetchFailed,
  type FetchOptions,
  GuardedFetch,
  maxRedirects,
  type PostOptions
} from "@lectern/core/fetch/GuardedFetch"
import { Duration, Effect, Layer, Stream } from "effect"
import { describeConnectionFailure } from "./ConnectionFailure.ts"
import { guardedRequest } from "./GuardedRequest.ts"
import { concatenated } from "@lectern/core/schema/Bytes"

export interface NodeFetchOptions {
  /** Private names, addresses and ranges (such as `10.0.0.0/8`) that may be fetched from. Default: none. */
  readonly allowedPrivateHosts?: AllowedHosts | ReadonlyArray<string>
  /** A name that every resolver with internet access knows. Default: `example.com`. */
  readonly existingName?: string
}

const defaultTimeout = Duration.seconds(20)

const layer = (options: NodeFetchOptions = {}) => Layer.succeed(GuardedFetch, make(options))

const make = ({ allowedPrivateHosts, existingName = "example.com" }: NodeFetchOptions) => {
  const allowed = AllowedHosts.from(allowedPrivateHosts)
  const check = checking(allowed)

  /** Runs requests within a timeout, and converts every error to `FetchFailed`. */
  const withTimeout = <A>(
    url: string,
    timeout: Duration.Input = defaultTimeout,
    send: (start: URL, signal: AbortSignal) => Promise<A>
  ) =>
    check(url).pipe(
      Effect.mapError(({ message }) => new FetchFailed({ reason: "refused", message })),
      Effect.flatMap((start) =>
        Effect.tryPromise({
          try: (signal) => send(start, signal),
          catch: (error) => failureOf(start, error)
        })
      ),
      Effect.timeoutOrElse({ duration: timeout, orElse: () => Effect.fail(timeoutFailure(url, timeout)) })
    )

  return GuardedFetch.of({
    check,

    fetch: (url, options) =>
      withTimeout(url, options.timeout, async (start, signal) => {
        const openResponse = await follow(start, { ...options, method: "GET" }, allowed, signal)
        return { ...acceptedHead(openResponse), bytes: await content(openResponse, options.maxBytes) }
      }),

    stream: Effect.fnUntraced(function* (url, { timeout = defaultTimeout, ...options }) {
      const openResponse = yield* Effect.acquireRelease(
        withTimeout(url, timeout, (start, signal) => follow(start, { ...options, method: "GET" }, allowed, signal)),
        ({ response }) => Effect.sync(() => void response.destroy())
      )
      const problem = (error: unknown) => failureOf(openResponse.url, error)
      const head = yield* Effect.try({ try: () => acceptedHead(openResponse), catch: problem })
      yield* Effect.sleep(timeout).pipe(
        Effect.andThen(Effect.sync(() => void openResponse.response.destroy(timeoutFailure(url, timeout)))),
        Effect.forkScoped
      )
      return { ...head, bytes: Stream.fromAsyncIterable(chunksOf(openResponse, options.maxBytes), problem) }
    }),

    requestHead: (url, options) =>
      withTimeout(url, options.timeout, (start, signal) =>
        follow(start, options, allowed, signal).then(headOf, async (error) => {
          if (!isUnknownHost(error) || !(await resolves(existingName))) throw error
          const { message } = fetchFailure(start, error)
          throw new FetchFailed({ reason: "unknown-host", message })
        })
      ),

    post: (url, { maxBytes, timeout, ...options }) =>
      withTimeout(url, timeout, async (start, signal) => {
        const response = await openRequest(start, { ...options, method: "POST" }, allowed, signal)
        return { status: response.statusCode ?? 0, bytes: await firstBytes(response, maxBytes) }
      })
  })
}

export const NodeFetch = { layer }

const timeoutFailure = (url: string, timeout: Duration.Input) =>
  new FetchFailed({
    reason: "timeout",
    message: `${hostOf(url)} did not answer in full within ${Duration.format(Duration.fromInputUnsafe(timeout))}`
  })

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.slice(0, 100) : "The host")

/** A response with its unread body, and its URL after redirects. */
interface OpenResponse {
  readonly url: URL
  readonly response: IncomingMessage
}

type RequestOptions = Pick<FetchOptions, "accept"> &
  Pick<HeadOptions, "userAgent"> &
  Partial<Pick<PostOptions, "body" | "headers">> & { readonly method: HeadOptions["method"] | "POST" }

const follow = async (
  start: URL,
  options: RequestOptions,
  allowed: AllowedHosts,
  signal: AbortSignal
): Promise<OpenResponse> => {
  for (let url = start, redirects = 0; ;) {
    const response = await openRequest(url, options, allowed, signal)
    const { location } = response.headers
    if (![301, 302, 303, 307, 308].includes(response.statusCode ?? 0) || location === undefined) {
      return { url, response }
    }
    response.destroy()
    if (++redirects > maxRedirects) {
      throw new FetchFailed({ reason: "failed", message: `${start.host} redirects more than ${maxRedirects} times` })
    }
    if (!URL.canParse(location, url)) {
      throw new FetchFailed({ reason: "failed", message: `${url.host} redirects to what is no URL` })
    }
    url = new URL(location, url)
    const objection = allowed.objection(url)
    if (objection !== undefined) {
      throw new FetchFailed({ reason: "refused", message: `It is redirected to what is not fetched: ${objection}` })
    }
  }
}

/** Returns a response without its body. Throws if its status is not 2xx. */
const acceptedHead = ({ url, response }: OpenResponse): Omit<FetchedFile, "bytes"> => {
  const { statusCode = 0 } = response
  if (statusCode < 200 || statusCode > 299) {
    response.destroy()
    throw new FetchFailed({ reason: "status", message: `${url.host} answered ${statusCode}`, status: statusCode })
  }
  const contentType = response.headers["content-type"]
  return { url: url.href, ...(contentType !== undefined && { contentType }) }
}

const headOf = ({ response }: OpenResponse): HeadResponse => {
  response.destroy()
  const { "retry-after": retryAfter } = response.headers
  return { status: response.statusCode ?? 0, ...(retryAfter !== undefined && { retryAfter }) }
}

const isUnknownHost = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === "ENOTFOUND"

const resolves = (name: string): Promise<boolean> =>
  lookup(name).then(
    () => true,
    () => false
  )

/** Sends a request, and returns the response when its headers have arrived. */
const openRequest = (url: URL, options: RequestOptions, allowed: AllowedHosts, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, fail) => {
    const request = guardedRequest(url, allowed, {
      method: options.method,
      signal,
      headers: {
        accept: options.accept ?? "*/*",
        "accept-encoding": options.method === "POST" ? "identity" : "gzip, deflate, br",
        "user-agent": options.userAgent ?? "Lectern",
        ...options.headers
      }
    })
    request.on("response", resolve)
    request.on("error", fail)
    request.end(options.body)
  })

/** Reads the first bytes of a body, and closes the connection. */
const firstBytes = async (response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  let size = 0
  for await (const chunk of response as AsyncIterable<Uint8Array>) {
    chunks.push(chunk)
    size += chunk.byteLength
    if (size >= maxBytes) break
  }
  response.destroy()
  return concatenated(chunks).slice(0, maxBytes)
}

const unpackers = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
} as const

/** Reads the body into a new array, since Node's chunks may be parts of larger buffers. */
const content = async (openResponse: OpenResponse, maxBytes: number): Promise<Uint8Array> => {
  const chunks: Array<Uint8Array> = []
  for await (const chunk of chunksOf(openResponse, maxBytes)) chunks.push(chunk)
  return concatenated(chunks)
}

export async function* chunksOf({ url, response }: OpenResponse, maxBytes: number): AsyncGenerator<Uint8Array> {
  const tooLarge = () =>
    new FetchFailed({
      reason: "too-large",
      message: `${url.host} answers more than ${Math.floor(maxBytes / 1024 / 1024)} MiB`
    })
  const encoding = response.headers["content-encoding"]?.trim().toLowerCase() ?? "identity"
  const unpacker = Object.hasOwn(unpackers, encoding) ? unpackers[encoding as keyof typeof unpackers]() : undefined
  try {
    if (unpacker === undefined && encoding !== "identity" && encoding !== "") {
      throw new FetchFailed({ reason: "failed", message: `${url.host} answers packed as nothing that is known` })
    }
    if (unpacker === undefined && Number(response.headers["content-length"] ?? 0) > maxBytes) throw tooLarge()
    let body: Readable = response
    if (unpacker !== undefined) {
      response.on("error", (error) => unpacker.destroy(error))
      body = response.pipe(unpacker)
    }
    let size = 0
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge()
      yield chunk
    }
    if (!response.complete) throw new Error("The connection ended before the answer did")
  } finally {
    unpacker?.destroy()
    response.destroy()
  }
}

const failureOf = (url: URL, error: unknown): FetchFailed =>
  error instanceof FetchFailed ? error : fetchFailure(url, error)

const fetchFailure = (url: URL, error: unknown): FetchFailed =>
  new FetchFailed({ reason: "failed", message: `${url.host} ${describeConnectionFailure(error)}` })
