/**
 * `GuardedFetch` on Node's own http and https. What a name resolves to is checked when it is
 * connected to, so that a name can't lead elsewhere between the two; and so is each redirect.
 *
 * Defaults: 20 seconds for all of it, 5 redirects. Unpacks gzip, deflate and Brotli, and counts what
 * comes out. Of the proxies that the environment names none is used: it would connect in its place.
 */
import { Agent as HttpAgent, type IncomingMessage, request as requestHttp } from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"
import type { Readable } from "node:stream"
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import {
  checking,
  type Fetched,
  FetchFailed,
  type FetchOptions,
  GuardedFetch,
  maxRedirects
} from "@lectern/core/fetch/GuardedFetch"
import { Duration, Effect, Layer } from "effect"
import { whatHappened } from "./ConnectionFailure.ts"
import { guarded } from "./GuardedLookup.ts"

export interface NodeFetchOptions {
  /** Names, addresses and ranges (`10.0.0.0/8`) that may be fetched from although they are private. */
  readonly allowedPrivateHosts?: ReadonlyArray<string>
}

const defaultTimeout = Duration.seconds(20)

/** The headers of an answer are no longer than that. */
const maxHeaderSize = 16 * 1024

const layer = (options: NodeFetchOptions = {}) => Layer.succeed(GuardedFetch, make(options))

const make = ({ allowedPrivateHosts = [] }: NodeFetchOptions) => {
  const allowed = new AllowedHosts(allowedPrivateHosts)
  const check = checking(allowed)

  return GuardedFetch.of({
    check,
    fetch: (url, options) => {
      const timeout = options.timeout ?? defaultTimeout
      return check(url).pipe(
        Effect.mapError(({ message }) => new FetchFailed({ reason: "refused", message })),
        Effect.flatMap((start) =>
          Effect.tryPromise({
            try: (signal) => follow(start, options, allowed, signal),
            catch: (error) => (error instanceof FetchFailed ? error : failed(start, error))
          })
        ),
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(
              new FetchFailed({
                reason: "timeout",
                message: `${hostOf(url)} did not answer in full within ${Duration.format(Duration.fromInputUnsafe(timeout))}`
              })
            )
        })
      )
    }
  })
}

export const NodeFetch = { layer }

const hostOf = (url: string) => (URL.canParse(url) ? new URL(url).host.slice(0, 100) : "The host")

const follow = async (
  start: URL,
  options: FetchOptions,
  allowed: AllowedHosts,
  signal: AbortSignal
): Promise<Fetched> => {
  for (let url = start, redirects = 0; ;) {
    const response = await open(url, options, allowed, signal)
    const { statusCode = 0 } = response
    const { location } = response.headers
    if (![301, 302, 303, 307, 308].includes(statusCode) || location === undefined) {
      if (statusCode < 200 || statusCode > 299) {
        response.destroy()
        throw new FetchFailed({
          reason: "status",
          message: `${url.host} answered ${statusCode}`,
          status: statusCode
        })
      }
      const bytes = await content(url, response, options.maxBytes)
      const contentType = response.headers["content-type"]
      return { bytes, url: url.href, ...(contentType !== undefined && { contentType }) }
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

/** Asks for a URL, and gives what is answered once its headers are there. */
const open = (url: URL, options: FetchOptions, allowed: AllowedHosts, signal: AbortSignal) =>
  new Promise<IncomingMessage>((answer, fail) => {
    const secure = url.protocol === "https:"
    const request = (secure ? requestHttps : requestHttp)(url, {
      agent: secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
      lookup: guarded(allowed, allowed.hasName(url.hostname)),
      maxHeaderSize,
      signal,
      headers: {
        accept: options.accept ?? "*/*",
        "accept-encoding": "gzip, deflate, br",
        "user-agent": "Lectern"
      }
    })
    request.on("response", answer)
    request.on("error", fail)
    request.end()
  })

const unpackers = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
} as const

const content = async (url: URL, response: IncomingMessage, maxBytes: number): Promise<Uint8Array> => {
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
    const chunks: Array<Uint8Array> = []
    let size = 0
    for await (const chunk of body as AsyncIterable<Uint8Array>) {
      size += chunk.byteLength
      if (size > maxBytes) throw tooLarge()
      chunks.push(chunk)
    }
    if (!response.complete) throw new Error("The connection ended before the answer did")
    return concatenated(chunks, size)
  } finally {
    unpacker?.destroy()
    response.destroy()
  }
}

/** A copy of its own: what Node gives out may be a part of a larger buffer. */
const concatenated = (chunks: ReadonlyArray<Uint8Array>, size: number): Uint8Array => {
  const bytes = new Uint8Array(size)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.byteLength
  }
  return bytes
}

const failed = (url: URL, error: unknown): FetchFailed =>
  new FetchFailed({ reason: "failed", message: `${url.host} ${whatHappened(error)}` })
