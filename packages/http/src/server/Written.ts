/** An answer as a server sends it: with all of its headers, and a body that is there. */
import type { HttpServerResponse } from "effect/http"

export interface Written {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array | undefined
}

/** An answer as it is sent, with more headers than its own. A body that is streamed is left out. */
export const written = (
  { status, headers, body }: HttpServerResponse.HttpServerResponse,
  more: Readonly<Record<string, string>>
): Written => ({
  status,
  headers: { ...headers, ...more },
  body: body._tag === "Uint8Array" ? (body.text ?? body.body) : undefined
})

/** An answer, and headers that it is sent with beside its own. */
export interface ShortAnswer {
  readonly response: HttpServerResponse.HttpServerResponse
  readonly headers: Readonly<Record<string, string>>
}
