/** Operations that return the events of an organization. */
import { EventPage, EventQuery } from "@lectern/core/feed/PublicEvent"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { PositionExpired } from "./ErrorBody.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

/** Events as a stream of server-sent events, which continues with new events. */
const stream = Schema.String.pipe(HttpApiSchema.asText({ contentType: "text/event-stream" }))

export const EventsApi = HttpApiGroup.make("events")
  .annotateMerge(
    OpenApi.annotations({
      title: "Events",
      description: "Changes in an organization, in their order. Retained for 30 days."
    })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/events", {
      description:
        "Lists the events of an organization that the user may see, oldest first. With `Accept: text/event-stream`, returns a stream that starts after `Last-Event-ID`, or at new events.",
      scopes: ["event:read"],
      params: { organizationId },
      query: EventQuery.fields,
      success: [EventPage, stream],
      error: PositionExpired
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
