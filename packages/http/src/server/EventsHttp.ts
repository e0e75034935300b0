/**
 * The feed of events as pages or, with `Accept: text/event-stream`, as server-sent events. A message has the position as
 * its id, the type of the event, and the event as JSON. Every 15 seconds the stream gets a comment and the position.
 */
import { EventFeed } from "@lectern/core/feed/EventFeed"
import { EventQuery, type PublicEvent } from "@lectern/core/feed/PublicEvent"
import type { FeedMessage } from "@lectern/core/feed/EventStreams"
import { Effect, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { group } from "./Group.ts"
import * as QualityValues from "./QualityValues.ts"
import { jsonResponse } from "./Responses.ts"

const contentType = "text/event-stream"

/** The format depends on `Accept`. */
const vary = "Accept"

/** `X-Accel-Buffering: no`: nginx passes each message on at once. */
const streamHeaders = { vary, "cache-control": "no-store", "x-accel-buffering": "no" }

const acceptsStream = ({ headers }: HttpServerRequest.HttpServerRequest) =>
  (QualityValues.qualityValuesOf(headers["accept"] ?? "").get(contentType) ?? 0) > 0

const encoder = new TextEncoder()
const texts = new WeakMap<PublicEvent, string>()

/** Returns the message of an event. Cached, since many streams share an event. */
const textOf = (event: PublicEvent): string => {
  let text = texts.get(event)
  if (text === undefined) {
    text = `id: ${event.id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`
    texts.set(event, text)
  }
  return text
}

/** Messages of streams without events, which are equal for all streams. */
let lastKeepAlive: { readonly after: string; readonly bytes: Uint8Array } | undefined

const keepAlive = (after: string): Uint8Array => {
  if (lastKeepAlive?.after !== after) lastKeepAlive = { after, bytes: encoder.encode(`: \n${idField(after)}\n`) }
  return lastKeepAlive.bytes
}

/** A store without events has no position. */
const idField = (after: string): string => (after === "" ? "" : `id: ${after}\n`)

const bytesOf = ({ events, after }: FeedMessage): Uint8Array =>
  events.length === 0 ? keepAlive(after) : encoder.encode(events.map(textOf).join(""))

export const EventsHttp = group(
  "events",
  Effect.fnUntraced(function* (handlers) {
    const feed = yield* EventFeed

    return handlers({
      list: Effect.fnUntraced(function* ({ params: { organizationId }, query }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (!acceptsStream(request) || request.method === "HEAD") {
          return jsonResponse(yield* feed.list(organizationId, query), { headers: { vary } })
        }
        const { limit: _, ...filter } = query
        const lastId = request.headers["last-event-id"]
        const position =
          lastId === undefined || lastId === "" ? {} : { after: lastId as NonNullable<EventQuery["after"]> }
        const messages = yield* feed.follow(organizationId, { ...filter, ...position })
        return HttpServerResponse.stream(Stream.map(Stream.orDie(messages), bytesOf), {
          contentType,
          headers: streamHeaders
        })
      })
    })
  })
)
