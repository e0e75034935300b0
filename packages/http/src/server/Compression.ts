/**
 * Compresses responses of more than 1 KiB with brotli or gzip, by the weights of `Accept-Encoding`. Without compression
 * are: responses to clients that prefer `identity`, responses that are already encoded, and files, since ranges count
 * the bytes of the file. Each encoding has an entity tag of its own: `"…"`, `"…-br"`, `"…-gzip"`.
 *
 * The host provides the compressors, which must not block the event loop. Default: no compression, for hosts whose
 * proxy compresses. A cached response is compressed once for its time in the cache.
 */
import { Context } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as QualityValues from "./QualityValues.ts"

/** In order of preference for equal weights. */
const encodings = ["br", "gzip"] as const
export type Encoding = (typeof encodings)[number]

export interface CompressOptions {
  /** True for bytes that never change, which are worth more time. */
  readonly isImmutable: boolean
}

/** Compressors by encoding. They must not block the event loop. */
export type Compress = {
  readonly [E in Encoding]?: (bytes: Uint8Array, options: CompressOptions) => Promise<Uint8Array>
}

export const Compressors = Context.Reference<Compress>("@lectern/http/server/Compressors", {
  defaultValue: () => ({})
})

/** Size in bytes up to which a response fits into one or two packets and is not compressed. */
const minSize = 1024

const compressible = /^(?:application\/(?:json|javascript|xml|.+\+(?:json|xml))|text\/.+)(?:;|$)/

/** Number of cached `Accept-Encoding` values. */
const maxChoices = 200

/** Returns the entity tag of a response in an encoding. */
const tagOf = (etag: string, encoding: Encoding) => etag.replace(/"$/, `-${encoding}"`)

/** Removes the encoding from an entity tag. */
export const withoutEncoding = (tag: string): string => tag.replace(/-(?:br|gzip)"$/, '"')

/** Returns the weight of each encoding that a client names. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(
    Array.from(QualityValues.qualityValuesOf(header), ([name, weight]) => [name === "x-gzip" ? "gzip" : name, weight])
  )

/** Returns the available encoding that a client prefers; `undefined` for none. */
export const choose = (header: string, available: ReadonlyArray<Encoding>): Encoding | undefined => {
  const weights = weightsOf(header)
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0
  const [bestEncoding] = available
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  // `identity` without a weight is acceptable, but a smaller body is preferred.
  return bestEncoding === undefined || (weights.get("identity") ?? 0) > bestEncoding.weight
    ? undefined
    : bestEncoding.name
}

export interface Compression {
  /** Value of `Vary` for compressed responses. Undefined without compressors. */
  readonly vary: string | undefined
  /** Returns the response for a client, synchronously if nothing has to be compressed, as for most. */
  readonly compress: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse | Promise<HttpServerResponse.HttpServerResponse>
}

type CompressedBodies = { [E in Encoding]?: Promise<HttpBody.HttpBody | undefined> | HttpBody.HttpBody | undefined }

export const make = (compress: Compress): Compression => {
  const available = encodings.filter((encoding) => compress[encoding] !== undefined)
  const choices = new Map<string, Encoding | undefined>()
  const cache = new WeakMap<object, CompressedBodies>()

  const encodingFor = (header: string | undefined): Encoding | undefined => {
    if (header === undefined) return undefined
    if (!choices.has(header)) {
      if (choices.size >= maxChoices) choices.clear()
      choices.set(header, choose(header, available))
    }
    return choices.get(header)
  }

  /** Returns undefined if the compressed body would not be smaller. */
  const make = async (
    body: HttpBody.Uint8Array,
    encoding: Encoding,
    options: CompressOptions
  ): Promise<HttpBody.HttpBody | undefined> => {
    const bytes = await compress[encoding]!(body.body, options)
    return bytes.length < body.contentLength ? HttpBody.uint8Array(bytes, body.contentType) : undefined
  }

  const compressed = (body: HttpBody.Uint8Array, encoding: Encoding, options: CompressOptions) => {
    // Cached bytes can be in a new body each time; text is cached by its body.
    const key = body.text === undefined ? body.body : body
    let bodies = cache.get(key)
    if (bodies === undefined) cache.set(key, (bodies = {}))
    if (Object.hasOwn(bodies, encoding)) return bodies[encoding]
    const compressing = make(body, encoding, options).then(
      (compressedBody) => (bodies[encoding] = compressedBody),
      () => (bodies[encoding] = undefined)
    )
    return (bodies[encoding] = compressing)
  }

  return {
    vary: available.length === 0 ? undefined : "Accept-Encoding",

    compress: (request, response) => {
      const { body, headers, status } = response
      if (body._tag !== "Uint8Array" || body.contentLength <= minSize || (status !== 200 && status < 400)) {
        return response
      }
      const encoding = encodingFor(request.headers["accept-encoding"])
      if (
        encoding === undefined ||
        headers["accept-ranges"] !== undefined ||
        headers["content-encoding"] !== undefined
      ) {
        return response
      }
      if (!compressible.test(body.contentType)) return response
      const responseWith = (compressedBody: HttpBody.HttpBody | undefined) =>
        compressedBody === undefined
          ? response
          : HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, compressedBody), {
              "content-encoding": encoding,
              ...(headers["etag"] !== undefined && { etag: tagOf(headers["etag"], encoding) })
            })
      const isForGood = headers["cache-control"]?.includes("immutable") === true
      const compressedBody = compressed(body, encoding, { isImmutable: isForGood })
      return compressedBody instanceof Promise ? compressedBody.then(responseWith) : responseWith(compressedBody)
    }
  }
}
