/**
 * Authorization of file uploads. They carry no token, so the signature of the URL is verified before the body is read.
 * The declared content type is ignored; the bytes decide.
 */
import { signedUrls } from "@lectern/core/identity/SignedUrls"
import { Effect } from "effect"
import { type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "./Responses.ts"
import { pathOf } from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Returns an error response for an upload without a valid signature; `undefined` otherwise. */
export const rejectUnsigned = Effect.map(signedUrls, (urls) => (request: Request) => {
  const query = new URL(request.url, "http://host.invalid").searchParams
  const expires = Number(query.get("expires"))
  const signature = query.get("signature") ?? ""
  return Effect.map(
    Number.isSafeInteger(expires) ? urls.isValid(pathOf(request.url), { expires, signature }) : Effect.succeed(false),
    (isGood): HttpServerResponse.HttpServerResponse | undefined =>
      isGood ? undefined : errorResponse(404, "There is no such file, or its URL has expired", closeConnection)
  )
})

/** The body stays unread, so the connection can't be reused. */
const closeConnection = { headers: { connection: "close" } }
