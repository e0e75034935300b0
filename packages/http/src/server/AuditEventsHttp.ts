import { CurrentActor } from "@lectern/core/access/Actor"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { jsonResponse } from "./Responses.ts"
import { group } from "./Group.ts"
import * as QualityValues from "./QualityValues.ts"

const contentType = "application/x-ndjson"

/** The format depends on `Accept`, unless the query names one. */
const vary = "Accept"

const acceptsLines = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const weights = QualityValues.qualityValuesOf(headers["accept"] ?? "")
  return ["application/x-ndjson", "application/ndjson"].some((type) => (weights.get(type) ?? 0) > 0)
}

export const AuditEventsHttp = group(
  "auditEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* AuditEvents

    /** Streams all matching events, page by page. Errors are reported before the first byte. */
    const exportLines = Effect.fnUntraced(function* (
      organization: Parameters<typeof events.read>[0],
      filter: Parameters<typeof events.read>[1]
    ) {
      const actor = yield* CurrentActor
      const read = (after?: Parameters<typeof events.read>[2]) =>
        events.read(organization, filter, after).pipe(Effect.provideService(CurrentActor, actor))
      const first = yield* read()
      const lines = Stream.paginate(first, (eventPage) =>
        Effect.gen(function* () {
          const text = eventPage.map((event) => `${JSON.stringify(event)}\n`).join("")
          const lastEvent = eventPage.at(-1)
          const next = lastEvent && (yield* read(lastEvent))
          return [[text], next === undefined || next.length === 0 ? Option.none() : Option.some(next)] as const
        })
      )
      return HttpServerResponse.stream(Stream.encodeText(Stream.orDie(lines)), { contentType, headers: { vary } })
    })

    return handlers({
      list: Effect.fnUntraced(function* ({ params, query: { format, page, limit, ...filter } }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (format === "ndjson" || (format === undefined && acceptsLines(request))) {
          return yield* exportLines(params.organizationId, filter)
        }
        const pageParams = { ...(page !== undefined && { page }), ...(limit !== undefined && { limit }) }
        const eventPage = yield* events.list(params.organizationId, { ...filter, ...pageParams })
        return jsonResponse(eventPage, { headers: { vary } })
      }),
      get: ({ params }) => events.get(params.organizationId, params.auditEventId),
      actions: ({ params }) => events.actions(params.organizationId)
    })
  })
)
