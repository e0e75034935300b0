/** A complete response: status, all headers, and a body in memory. */
import type { HttpServerResponse } from "effect/http"

export interface WireResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** Converts a response and adds headers. A streamed body is left out. */
export const wireResponse = (
  { status, headers, body }: HttpServerResponse.HttpServerResponse,
  added: Readonly<Record<string, string>>
): WireResponse => ({
  status,
  headers: { ...headers, ...added },
  body: body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined
})

/** A response, and additional headers to send with it. */
export interface ResponseWithHeaders {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly headers: Readonly<Record<string, string>>
}
