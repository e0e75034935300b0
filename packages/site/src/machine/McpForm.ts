/**
 * The form of answers to calls of tools: JSON, or events of a stream. The protocol wants clients to accept both; one that
 * accepts one of them, or anything, gets that.
 *
 * As JSON an answer holds the responses alone: notifications before them are left out.
 */
import { Effect, Stream } from "effect"
import { HttpBody, HttpServerResponse } from "effect/http"
import { takes } from "./Accept.ts"

const json = "application/json"
const events = "text/event-stream"

/** The header by which the server of the protocol knows a client that accepts both. */
export const both = `${json}, ${events}`

export interface Form {
  readonly json: boolean
  readonly events: boolean
}

export const accepted = (accept: string | undefined): Form => ({
  json: takes(accept, json),
  events: takes(accept, events)
})

/** The same answer in a form that the client accepts. */
export const answered = Effect.fnUntraced(function* (response: HttpServerResponse.HttpServerResponse, form: Form) {
  const type = response.headers["content-type"] ?? contentTypeOf(response)
  const isEvents = type.startsWith(events)
  if (isEvents ? form.events : form.json || !type.startsWith(json)) return response
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

/** The responses among messages, in an array where there are several. */
const responsesIn = (text: string): string => {
  const messages = text
    .split("\n")
    .filter((line) => line.startsWith("data:"))
    .flatMap((line): unknown => JSON.parse(line.slice("data:".length)))
  const responses = messages.filter((one) => typeof one === "object" && one !== null && !("method" in one))
  return JSON.stringify(responses.length === 1 ? responses[0] : responses)
}
