import { ofContent } from "@lectern/core/insights/AgentFeedback"
import { SiteInsights, type Teller } from "@lectern/core/insights/SiteInsights"
import { SiteInsightsSums } from "@lectern/core/insights/SiteInsightsSums"
import { Effect, Option } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { LecternApi } from "../api/LecternApi.ts"
import { Sender } from "../api/Middleware.ts"
import { answering } from "./Answers.ts"
import { group } from "./Group.ts"

/** The visitor's address, as who passes its events on says, or as it comes itself. */
const addressOf = ({ headers, remoteAddress }: HttpServerRequest.HttpServerRequest): string =>
  headers["x-forwarded-for"]?.split(",", 1)[0]?.trim() ?? Option.getOrElse(remoteAddress, () => "")

export const SiteInsightsHttp = group(
  LecternApi,
  "siteInsights",
  Effect.fnUntraced(function* (handlers) {
    const insights = yield* SiteInsights
    const teller = Effect.map(
      Effect.all([Sender, HttpServerRequest.HttpServerRequest]),
      ([sender, request]): Teller => ({ ...sender, ip: addressOf(request) })
    )
    return answering(handlers, {
      agentFeedback: Effect.fnUntraced(function* ({ params, payload }) {
        return yield* insights.agentFeedback(params.organizationId, params.siteId, payload, yield* teller)
      }),
      contentFeedback: Effect.fnUntraced(function* ({ params, payload }) {
        yield* insights.agentFeedback(params.organizationId, params.siteId, ofContent(payload), yield* teller)
      }),
      track: Effect.fnUntraced(function* ({ params, payload }) {
        const dropped = yield* insights.track(params.organizationId, params.siteId, payload, yield* teller)
        // The interface has no body for it, so it stands beside the answer.
        const headers = dropped === 0 ? {} : { "x-events-dropped": String(dropped) }
        return HttpServerResponse.empty({ status: 204, headers })
      })
    })
  })
)

export const SiteInsightsSumsHttp = group(
  LecternApi,
  "siteInsightsSums",
  Effect.fnUntraced(function* (handlers) {
    const sums = yield* SiteInsightsSums
    return answering(handlers, {
      aggregate: ({ params, payload }) => sums.aggregate(params.organizationId, params.siteId, payload)
    })
  })
)
