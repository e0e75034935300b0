/**
 * Bodies that are bytes of uploaded files. No token tells who sends one, so the URL must be signed for it before any of
 * it is read. Whatever type it is sent as, the bytes decide.
 */
import { signedUrls } from "@lectern/core/identity/SignedUrls"
import { Effect } from "effect"
import { type HttpServerRequest, type HttpServerResponse } from "effect/http"
import { errorResponse } from "./Answers.ts"
import { pathOf } from "./RequestBody.ts"

type Request = HttpServerRequest.HttpServerRequest

/** Tells the answer to who may not upload by this URL; undefined for who may. */
export const refusing = Effect.map(signedUrls, (urls) => (request: Request) => {
  const query = new URL(request.url, "http://host.invalid").searchParams
  const expires = Number(query.get("expires"))
  const signature = query.get("signature") ?? ""
  return Effect.map(
    Number.isSafeInteger(expires) ? urls.isGood(pathOf(request.url), { expires, signature }) : Effect.succeed(false),
    (isGood): HttpServerResponse.HttpServerResponse | undefined =>
      isGood ? undefined : errorResponse(404, "There is no such file, or its URL has expired", closing)
  )
})

/** The body stays unread, so nothing follows on the connection. */
const closing = { headers: { connection: "close" } }
