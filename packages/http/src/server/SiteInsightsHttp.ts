import { fromContent } from "@lectern/core/insights/AgentFeedback"
import { SiteInsights, type EventSender } from "@lectern/core/insights/SiteInsights"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { Sender } from "../api/Middleware.ts"
import { group } from "./Group.ts"

/** Returns the address of the visitor: the first one in `X-Forwarded-For`, or that of the client. */
const addressOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  headers["x-forwarded-for"]?.split(",", 1)[0]?.trim() ?? Option.getOrElse(remoteAddress, () => "")

export const SiteInsightsHttp = group(
  "siteInsights",
  Effect.fnUntraced(function* (handlers) {
    const insights = yield* SiteInsights
    const teller = Effect.map(
      Effect.all([Sender, HttpServerRequest.HttpServerRequest]),
      ([sender, request]): EventSender => ({ ...sender, ip: addressOf(request) })
    )
    return handlers({
      agentFeedback: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* insights.agentFeedback(params.organizationId, params.siteId, payload, yield* teller)
      }),
      contentFeedback: Effect.fnUntraced(function* ({ params, payload }) {
        yield* insights.agentFeedback(params.organizationId, params.siteId, fromContent(payload), yield* teller)
      }),
      track: Effect.fnUntraced(function* ({ params, payload }) {
        const droppedCount = yield* insights.track(params.organizationId, params.siteId, payload, yield* teller)
        // The operation has no response body, so the number is in a header.
        const headers = droppedCount === 0 ? {} : { "x-events-dropped": String(droppedCount) }
        return HttpServerResponse.empty({ status: 204, headers })
      })
    })
  })
)

export const SiteInsightsSumsHttp = group(
  "siteInsightsSums",
  Effect.fnUntraced(function* (handlers) {
    const insights = yield* SiteInsights
    return handlers({
      aggregate: ({ params, payload }) => insights.aggregate(params.organizationId, params.siteId, payload)
    })
  })
)
