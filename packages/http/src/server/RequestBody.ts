/**
 * Reads request bodies before any other processing. A body is JSON by its content type, valid UTF-8, at most `maxBody`
 * bytes (more for files and integration programs) and at most `JsonBody.maxDepth` levels deep. Bodies of more than 256
 * KiB are parsed in a thread. A missing body counts as `{}`, so it can be left out if all fields are optional.
 *
 * Compressed bodies are rejected, since their size is unknown before they are decompressed. Sign-on forms have at most
 * `maxForm` bytes and are parsed by their handler. The body of an upload is the file, or a tar archive of files.
 */
import { maxPartBytes } from "@lectern/exchange/push/Push"
import * as JsonBody from "@lectern/core/schema/JsonBody"
import type { StorageError } from "@lectern/core/storage/Storage"
import type { Threads, TooCostly } from "@lectern/core/thread/Threads"
import { Effect } from "effect"
import { HttpIncomingMessage, HttpServerRequest, HttpServerResponse } from "effect/http"
import * as ByteSize from "effect/ByteSize"
import { errorResponse } from "./Responses.ts"

export const maxBody = 1024 * 1024
export const maxFileBody = 20 * 1024 * 1024
export const maxProgramBody = 8 * 1024 * 1024
export const maxForm = 512 * 1024

/** Paths whose bodies contain files, lists of files, or specs. */
const carriesFiles =
  /^\/v1\/(spaces\/[^/]+(\/change-requests\/[^/]+)?\/(content(\/import)?|push)|orgs\/[^/]+\/openapi(\/[^/]+)?)$/

/** Path whose body contains the program of an integration and its images. */
const carriesPrograms = /^\/v1\/integrations\/[^/]+$/

/** Paths for forms of browsers without a token, of identity providers, and for ending mails. */
const takesForms = /^\/(saml\/[^/]+\/acs|oidc\/[^/]+\/(backchannel-logout|sign-out)|mail\/unsubscribe)$/

/** Path whose body is the bytes of a file, authorized by a signed URL. */
const takesFile = /^\/v1\/orgs\/[^/]+\/storage\/uploads\/[^/]+$/

/** Path whose body is a tar archive of files. */
const takesArchive = /^\/v1\/spaces\/[^/]+\/push\/files$/

const limitOf = (path: string): number => {
  if (takesForms.test(path)) return maxForm
  if (takesArchive.test(path)) return maxPartBytes
  if (carriesFiles.test(path) || takesFile.test(path)) return maxFileBody
  return carriesPrograms.test(path) ? maxProgramBody : maxBody
}

/** Body of an operation: JSON, or the bytes of a file. */
export interface Body {
  readonly value: unknown
  /** Parts of the JSON that are too large to parse on the event loop (see `JsonBody`). */
  readonly parts?: JsonBody.BodyRemainder["parts"]
}

/** Body of a request without one, or with a form. */
const noBody: Body = { value: undefined }

type Request = HttpServerRequest.HttpServerRequest
type Response = HttpServerResponse.HttpServerResponse

const hasBody = (request: Request) =>
  request.method !== "GET" && request.method !== "HEAD" && request.method !== "OPTIONS"

/** Maximum size in bytes of a body that is read without authentication. */
const maxShortBody = 64 * 1024

/** Maximum size in bytes of a body that is parsed on the event loop. */
const maxInlineBody = 256 * 1024

/** Returns true if the sender must be authenticated before the body is read, because it is or may be too large. */
export const isLarge = (request: Request): boolean => {
  if (!hasBody(request) || takesForms.test(pathOf(request.url))) return false
  const { "content-length": length, "transfer-encoding": encoding } = request.headers
  return length === undefined ? encoding !== undefined : Number(length) > maxShortBody
}

/** Returns the body of a request, or an error response. */
export const read = (
  request: Request,
  threads: Threads["Service"]
): Effect.Effect<Body | Response, TooCostly | StorageError> => {
  if (!hasBody(request)) return Effect.succeed(noBody)
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
      if (takesFile.test(path) || takesArchive.test(path)) return Effect.succeed({ value: new Uint8Array(bytes) })
      if (bytes.byteLength <= maxInlineBody) return Effect.succeed(readJson(request, bytes))
      const rejection = unsupportedMediaType(request)
      return rejection !== undefined
        ? Effect.succeed(rejection)
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
    ? noBody
    : errorResponse(415, "The body of the request must be a form: Content-Type: application/x-www-form-urlencoded")

/** Returns an error response if the content type or the encoding of a body is not supported. */
const unsupportedMediaType = (request: Pick<Request, "headers">): Response | undefined => {
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

/** Returns the JSON of a small body, or an error response; `{}` for an empty body. */
const readJson = (request: Pick<Request, "headers">, bytes: Uint8Array | ArrayBuffer): Body | Response => {
  if (bytes.byteLength === 0) return { value: {} }
  const rejection = unsupportedMediaType(request)
  if (rejection !== undefined) return rejection
  const text = JsonBody.decode(bytes)
  if (text === undefined) return problems["not UTF-8"]()
  if (JsonBody.isTooDeep(text)) return problems["too deep"]()
  try {
    return { value: JSON.parse(text) }
  } catch {
    return problems["not JSON"]()
  }
}

const invalidBody = (message: string) => errorResponse(400, message, { issues: [{ path: "body", message }] })

/** Created when needed: the first number formatted with `toLocaleString` takes 7 MB of memory. */
const problems: Record<JsonBody.Problem, () => Response> = {
  "not UTF-8": () => invalidBody("The body is not valid UTF-8"),
  "too deep": () => invalidBody(`The body is nested more than ${JsonBody.maxDepth} levels deep`),
  "not JSON": () => invalidBody("The body is not valid JSON"),
  "too many values": () =>
    errorResponse(
      413,
      `The body contains more than ${JsonBody.maxValues.toLocaleString("en")} values, not counting texts and documents`
    )
}

const tooLarge = (limit: number) =>
  errorResponse(413, `The body is larger than ${limit / 1024 / 1024} MiB`, { headers: { connection: "close" } })

/** Returns true if the body is the bytes of a file, which is authorized by a signed URL instead of a token. */
export const isBytes = ({ method, url }: Readonly<Record<"method" | "url", string>>): boolean =>
  method === "PUT" && takesFile.test(pathOf(url))

/** Returns the path of a request; "" if it has none, such as `OPTIONS *`. */
export const pathOf = (url: string): string => {
  const path = url.startsWith("/") ? url : (URL.parse(url)?.pathname ?? "")
  const end = path.search(/[?#]/)
  return end === -1 ? path : path.slice(0, end)
}
