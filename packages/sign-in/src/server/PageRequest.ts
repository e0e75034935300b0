/** A request for a page: its form, the client, and the path to which the browser goes after signing in. */
import { urlOnServer } from "@lectern/core/sso/SignOnRequests"
import { deviceOf } from "@lectern/core/token/Device"
import { cookieName, sessionCookieName } from "@lectern/core/token/SessionCookie"
import { Effect, Option } from "effect"
import * as ByteSize from "effect/ByteSize"
import { HttpIncomingMessage, type HttpServerRequest } from "effect/http"
import { type PageMessages, pageMessages } from "../page/PageMessages.ts"
import type { VerifiedSignIn } from "../step/SignInSteps.ts"

/** Maximum size of a form. */
const maxForm = ByteSize.kibibytes(64)

/** Client of a sign-in: its device and address, and the secret of its earlier session. */
export type Client = Pick<VerifiedSignIn, "device" | "address" | "replaces">

export interface PageRequest {
  readonly path: string
  readonly query: URLSearchParams
  /** Fields of a form that was posted. Empty for other requests. */
  readonly form: URLSearchParams
  readonly client: Client
  /** Secret of the session. Absent without one. */
  readonly session: string | undefined
  /** Path on this server to which the browser goes after signing in. */
  readonly returnTo: string | undefined
  readonly messages: PageMessages
  /** Returns a cookie of this server by its short name. */
  readonly cookie: (name: string) => string | undefined
}

/** Returns the path on this server that a text leads to. Undefined for other servers, and for no text. */
export const pathOnServer = (publicUrl: string, text: string | null): string | undefined => {
  const url = text === null || text === "" ? undefined : urlOnServer(publicUrl, text)
  if (url === undefined) return undefined
  const { pathname, search, hash } = new URL(url)
  // Browsers read a path with two slashes as another host.
  return pathname.startsWith("//") ? undefined : pathname + search + hash
}

/** Reads a request. Fails if the form is too large or can't be read. */
export const readRequest = Effect.fnUntraced(function* (
  publicUrl: string,
  request: HttpServerRequest.HttpServerRequest
) {
  const url = new URL(request.url, publicUrl)
  const text =
    request.method === "POST"
      ? yield* request.text.pipe(Effect.provideService(HttpIncomingMessage.MaxBodySize, maxForm))
      : ""
  const form = new URLSearchParams(text)
  const device = deviceOf(request.headers["user-agent"])
  const address = Option.getOrUndefined(request.remoteAddress)
  const { cookies } = request
  const session = cookies[sessionCookieName(publicUrl)]
  return {
    path: url.pathname,
    query: url.searchParams,
    form,
    client: {
      ...(device !== undefined && { device }),
      ...(address !== undefined && { address }),
      replaces: session
    },
    session,
    returnTo: pathOnServer(publicUrl, form.get("to") ?? url.searchParams.get("to")),
    messages: pageMessages(request.headers["accept-language"]),
    cookie: (name) => cookies[cookieName(publicUrl, name)] || undefined
  } satisfies PageRequest
})
