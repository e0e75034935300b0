/**
 * Format of responses to tool calls: JSON or an event stream. The protocol requires clients to accept both. A client
 * that accepts only one format, or any, gets an accepted one.
 *
 * JSON responses contain only the protocol's responses, without the notifications that precede them.
 */
import { Effect, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { accepts } from "./ContentNegotiation.ts"

const json = "application/json"
const events = "text/event-stream"

/** `Accept` header for the protocol server of a client that accepts both formats. */
export const bothTypes = `${json}, ${events}`

export interface ResponseFormat {
  readonly json: boolean
  readonly events: boolean
}

export const acceptedFormat = (accept: string | undefined): ResponseFormat => ({
  json: accepts(accept, json),
  events: accepts(accept, events)
})

/** Returns the response in a format that the client accepts. */
export const convertResponse = Effect.fnUntraced(function* (
  response: HttpServerResponse.HttpServerResponse,
  format: ResponseFormat
) {
  const type = response.headers["content-type"] ?? contentTypeOf(response)
  const isEvents = type.startsWith(events)
  if (isEvents ? format.events : format.json || !type.startsWith(json)) return response
  const text = yield* textOf(response)
  if (text.trim() === "") return response
  const body = isEvents ? HttpBody.text(responsesIn(text), json) : HttpBody.text(`data: ${text.trim()}\n\n`, events)
  return HttpServerResponse.setBody(response, body)
})

const contentTypeOf = ({ body }: HttpServerResponse.HttpServerResponse): string =>
  ("contentType" in body ? body.contentType : undefined) ?? ""

const textOf = Effect.fnUntraced(function* ({ body }: HttpServerResponse.HttpServerResponse) {
  if (body._tag === "Uint8Array") return new TextDecoder().decode(body.body)
  return body._tag === "Stream" ? yield* Effect.orDie(Stream.mkString(Stream.decodeText(body.stream))) : ""
})

/** Returns the responses among messages as JSON; an array unless there is exactly one response. */
const responsesIn = (text: string): string => {
  const messages = text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .flatMap((line): unknown => JSON.parse(line.slice("data:".length)))
  const responses = messages.filter(
    (message) => typeof message === "object" && message !== null && !("method" in message)
  )
  return JSON.stringify(responses.length === 1 ? responses[0] : responses)
}
