/**
 * Reads the body of a request before anything else looks at it: at most `maxBody` bytes (more where
 * files or programs travel), JSON by its content type, valid UTF-8, nested no deeper than `JsonBody.maxDepth`. What
 * is over 256 KiB is read in a thread. No body
 * reads as `{}`, so that where every field is optional the body may be left out. A compressed body is
 * refused: what it comes to could not be bounded before it is there. Where browsers sign
 * on it is a form of at most `maxForm` bytes, which is left to who asks for it. Where a file is uploaded it is the file.
 */
import * as JsonBody from "@lectern/core/schema/JsonBody"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Threads, TooCostly } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ByteSize from "effect/ByteSize"
import { errorResponse } from "./Answers.ts"
import type { Asked } from "./Asked.ts"

export const maxBody = 1024 * 1024
export const maxFileBody = 20 * 1024 * 1024
export const maxProgramBody = 8 * 1024 * 1024
export const maxForm = 512 * 1024

/** Paths whose bodies carry files or specs. */
const carriesFiles =
  /^\/v1\/(spaces\/[^/]+(\/change-requests\/[^/]+)?\/content(\/import)?|orgs\/[^/]+\/openapi(\/[^/]+)?)$/

/** Paths whose bodies carry the program of an integration, and its images. */
const carriesPrograms = /^\/v1\/integrations\/[^/]+$/

/** Paths that a browser posts a form to, of people who have no token yet. */
const takesForms = /^\/saml\/[^/]+\/acs$/

/** Paths whose bodies are the bytes of a file. */
const takesBytes = /^\/v1\/orgs\/[^/]+\/storage\/uploads\/[^/]+$/

const limitOf = (path: string): number => {
  if (takesForms.test(path)) return maxForm
  if (carriesFiles.test(path) || takesBytes.test(path)) return maxFileBody
  return carriesPrograms.test(path) ? maxProgramBody : maxBody
}

/** A body as an operation takes it: JSON, or the bytes of a file. */
export interface Body {
  readonly value: unknown
  /** Parts of the JSON that are too large to be unfolded on the event loop (see `JsonBody`). */
  readonly parts?: JsonBody.Rest["parts"]
}

/** Body of a request without one, and of one whose body is a form. */
const nothing: Body = { value: undefined }

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const hasBody = (request: Request) =>
  request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS"

/** Bodies that are small enough to be read for anyone, in bytes. */
const small = 64 * 1024

/** Bytes of a body above which it is read in a thread. */
const inPlace = 256 * 1024

/** Tells whether the body is, or may be, too large to be read before its sender is known. */
export const isLarge = (request: Request): boolean => {
  if (!hasBody(request) || takesForms.test(pathOf(request.url))) return false
  const { "content-length": length, "transfer-encoding": encoding } = request.headers
  return length === undefined ? encoding !== undefined : Number(length) > small
}

/** The body of a request, or the answer that refuses it. */
export const read = (
  request: Request,
  threads: Threads["Service"]
): Effect.Effect<Body | Response, TooCostly | StorageError> => {
  if (!hasBody(request)) return Effect.succeed(nothing)
  const { headers } = request
  const length = headers["content-length"]
  const path = pathOf(request.url)
  const limit = limitOf(path)
  if (length !== undefined && Number(length) > limit) return Effect.succeed(tooLarge(limit))
  return request.arrayBuffer.pipe(
    Effect.provideService(HttpIncomingMessage.MaxBodySize, ByteSize.fromInputUnsafe(limit + 1)),
    Effect.catch(() => Effect.succeed(undefined)),
    Effect.flatMap((bytes): Effect.Effect<Body | Response, TooCostly | StorageError> => {
      if (bytes === undefined || bytes.byteLength > limit) return Effect.succeed(tooLarge(limit))
      if (takesForms.test(path)) return Effect.succeed(acceptForm(request))
      if (takesBytes.test(path)) return Effect.succeed({ value: new Uint8Array(bytes) })
      if (bytes.byteLength <= inPlace) return Effect.succeed(readJson(request, bytes))
      const refused = unreadable(request)
      return refused !== undefined
        ? Effect.succeed(refused)
        : Effect.map(threads.run(JsonBody.ReadJson, new Uint8Array(bytes)), (body) =>
            "problem" in body
              ? problems[body.problem]()
              : { value: JSON.parse(body.text) as unknown, parts: body.parts }
          )
    })
  )
}

const acceptForm = (request: Request): Body | Response =>
  /^application\/x-www-form-urlencoded\s*(;|$)/i.test(request.headers["content-type"] ?? "")
    ? nothing
    : errorResponse(415, "The body of the request must be a form: Content-Type: application/x-www-form-urlencoded")

/** The answer that refuses a body for what its headers say it is. */
const unreadable = (request: Pick<Request, "headers">): Response | undefined => {
  const type = request.headers["content-type"]
  if (type !== undefined && !/^application\/(json|[a-z0-9.+-]+\+json)\s*(;|$)/i.test(type)) {
    return errorResponse(415, "The body of the request must be JSON: Content-Type: application/json")
  }
  const encoding = request.headers["content-encoding"]
  if (encoding !== undefined && !/^(identity)?$/i.test(encoding.trim())) {
    return errorResponse(415, "The body of the request must not be compressed: leave out Content-Encoding", {
      headers: { "accept-encoding": "identity" }
    })
  }
  return undefined
}

/** Headers of which one may make a request unusual. */
const otherHeaders = ["transfer-encoding", "expect", "upgrade"] as const

const shortMethods: ReadonlySet<string> = new Set(["GET", "POST", "PUT", "PATCH", "DELETE"])

/**
 * Tells whether a request may ask for an operation, and has either no body or a short one of JSON whose length is told:
 * then it is all there soon, and `readJson` may take it as it came.
 */
export const isShort = ({ method, url, headers }: Asked): boolean => {
  if (method === undefined || url === undefined || headers["host"] === undefined) return false
  if (!shortMethods.has(method) || !url.startsWith("/v1/") || isBytes({ method, url })) return false
  for (const name of otherHeaders) if (headers[name] !== undefined) return false
  const length = headers["content-length"]
  if (length === undefined) return true
  return method !== "GET" && typeof length === "string" && /^\d{1,5}$/.test(length) && Number(length) <= small
}

/** The JSON of a body that is not large, or the answer that refuses it; `{}` where there is none. */
export const readJson = (request: Pick<Request, "headers">, bytes: Uint8Array | ArrayBuffer): Body | Response => {
  if (bytes.byteLength === 0) return { value: {} }
  const refused = unreadable(request)
  if (refused !== undefined) return refused
  const text = JsonBody.decode(bytes)
  if (text === undefined) return problems["not UTF-8"]()
  if (JsonBody.isTooDeep(text)) return problems["too deep"]()
  try {
    return { value: JSON.parse(text) }
  } catch {
    return problems["not JSON"]()
  }
}

const invalid = (message: string) => errorResponse(400, message, { issues: [{ path: "body", message }] })

/** Made when they are needed: the first number that is written for people takes 7 MB of memory. */
const problems: Record<JsonBody.Problem, () => Response> = {
  "not UTF-8": () => invalid("The body is not valid UTF-8"),
  "too deep": () => invalid(`The body is nested deeper than ${JsonBody.maxDepth}`),
  "not JSON": () => invalid("The body is not valid JSON"),
  "too many values": () =>
    errorResponse(
      413,
      `The body holds more than ${JsonBody.maxValues.toLocaleString("en")} values beside its texts and documents`
    )
}

const tooLarge = (limit: number) =>
  errorResponse(413, `The body is larger than ${limit / 1024 / 1024} MiB`, { headers: { connection: "close" } })

/** Tells whether the body is the bytes of a file, which a signed URL admits and no token. */
export const isBytes = ({ method, url }: Readonly<Record<"method" | "url", string>>): boolean =>
  method === "PUT" && takesBytes.test(pathOf(url))

/** The path that a request asks for; "" where it names none, as `OPTIONS *` does. */
export const pathOf = (url: string): string => {
  const path = url.startsWith("/") ? url : (URL.parse(url)?.pathname ?? "")
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}
