/**
 * Answers of more than 1 KiB go out compressed to those who take it: brotli, else gzip, by the weights of
 * `Accept-Encoding`; as they are to whoever rather wants that. What is compressed already is not, nor are
 * files, whose parts are asked for by their bytes. Each encoding has a tag of its own: `"…"`, `"…-br"`,
 * `"…-gzip"`.
 *
 * What compresses is brought by the host, such that it holds nobody up (default: nothing does, and what
 * stands before `fetch` may). An answer that is kept is compressed once, for as long as it is kept.
 */
import { Context } from "effect"
import { HttpBody, type HttpServerRequest, HttpServerResponse } from "effect/http"
import * as Weights from "./Weights.ts"

/** The one that is preferred among equals first. */
const encodings = ["br", "gzip"] as const
export type Encoding = (typeof encodings)[number]

export interface CompressOptions {
  /** True of bytes that never change, which are worth more time. */
  readonly isForGood: boolean
}

/** Compresses bytes, by encoding. No function may hold the event loop. */
export type Compress = {
  readonly [E in Encoding]?: (bytes: Uint8Array, options: CompressOptions) => Promise<Uint8Array>
}

export const Compressors = Context.Reference<Compress>("@lectern/http/server/Compressors", {
  defaultValue: () => ({})
})

/** Up to here an answer fits into a packet or two anyway (bytes). */
const small = 1024

const compressible = /^(?:application\/(?:json|javascript|xml|.+\+(?:json|xml))|text\/.+)(?:;|$)/

/** Of how many values of the header is kept what they come to. */
const keptChoices = 200

/** The tag of the same answer in this encoding. */
const tagOf = (etag: string, encoding: Encoding) => etag.replace(/"$/, `-${encoding}"`)

/** A tag as it is without an encoding. */
export const withoutEncoding = (tag: string): string => tag.replace(/-(?:br|gzip)"$/, '"')

/** The weight of each encoding that a client names. */
const weightsOf = (header: string): ReadonlyMap<string, number> =>
  new Map(Array.from(Weights.of(header), ([name, weight]) => [name === "x-gzip" ? "gzip" : name, weight]))

/** The encoding that a client wants of those that there are; undefined: none. */
export const choose = (header: string, there: ReadonlyArray<Encoding>): Encoding | undefined => {
  const weights = weightsOf(header)
  const weightOf = (name: string) => weights.get(name) ?? weights.get("*") ?? 0
  const [best] = there
    .map((name) => ({ name, weight: weightOf(name) }))
    .filter(({ weight }) => weight > 0)
    .sort((a, b) => b.weight - a.weight)
  // Who names no weight for it takes it, and likes what is smaller as much.
  return best === undefined || (weights.get("identity") ?? 0) > best.weight ? undefined : best.name
}

export interface Compression {
  /** The value of `Vary` for compressed answers; undefined where nothing is compressed. */
  readonly vary: string | undefined
  /** The answer as this client gets it: at once where there is nothing to do, as for most. */
  readonly of: (
    request: HttpServerRequest.HttpServerRequest,
    response: HttpServerResponse.HttpServerResponse
  ) => HttpServerResponse.HttpServerResponse | Promise<HttpServerResponse.HttpServerResponse>
}

type Kept = { [E in Encoding]?: Promise<HttpBody.HttpBody | undefined> | HttpBody.HttpBody | undefined }

export const make = (compress: Compress): Compression => {
  const there = encodings.filter((encoding) => compress[encoding] !== undefined)
  const choices = new Map<string, Encoding | undefined>()
  const kept = new WeakMap<object, Kept>()

  const wanted = (header: string | undefined): Encoding | undefined => {
    if (header === undefined) return undefined
    if (!choices.has(header)) {
      if (choices.size >= keptChoices) choices.clear()
      choices.set(header, choose(header, there))
    }
    return choices.get(header)
  }

  /** Undefined where it would be no smaller. */
  const make = async (
    body: HttpBody.Uint8Array,
    encoding: Encoding,
    options: CompressOptions
  ): Promise<HttpBody.HttpBody | undefined> => {
    const bytes = await compress[encoding]!(body.body, options)
    return bytes.length < body.contentLength ? HttpBody.uint8Array(bytes, body.contentType) : undefined
  }

  const compressed = (body: HttpBody.Uint8Array, encoding: Encoding, options: CompressOptions) => {
    // Bytes that are kept may be in another body each time, text is kept in its body.
    const key = body.text === undefined ? body.body : body
    let known = kept.get(key)
    if (known === undefined) kept.set(key, (known = {}))
    if (Object.hasOwn(known, encoding)) return known[encoding]
    const making = make(body, encoding, options).then(
      (made) => (known[encoding] = made),
      () => (known[encoding] = undefined)
    )
    return (known[encoding] = making)
  }

  return {
    vary: there.length === 0 ? undefined : "Accept-Encoding",

    of: (request, response) => {
      const { body, headers, status } = response
      if (body._tag !== "Uint8Array" || body.contentLength <= small || (status !== 200 && status < 400)) {
        return response
      }
      const encoding = wanted(request.headers["accept-encoding"])
      if (
        encoding === undefined ||
        headers["accept-ranges"] !== undefined ||
        headers["content-encoding"] !== undefined
      ) {
        return response
      }
      if (!compressible.test(body.contentType)) return response
      const answer = (made: HttpBody.HttpBody | undefined) =>
        made === undefined
          ? response
          : HttpServerResponse.setHeaders(HttpServerResponse.setBody(response, made), {
              "content-encoding": encoding,
              ...(headers["etag"] !== undefined && { etag: tagOf(headers["etag"], encoding) })
            })
      const isForGood = headers["cache-control"]?.includes("immutable") === true
      const made = compressed(body, encoding, { isForGood })
      return made instanceof Promise ? made.then(answer) : answer(made)
    }
  }
}
