import { CurrentActor } from "@lectern/core/access/Actor"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { Effect, Option, Stream } from "effect"
import { HttpServerRequest, HttpServerResponse } from "effect/http"
import { LecternApi } from "../api/LecternApi.ts"
import { answering, jsonResponse } from "./Answers.ts"
import { group } from "./Group.ts"
import * as Weights from "./Weights.ts"

const contentType = "application/x-ndjson"

/** The format depends on it, unless the query names one. */
const vary = "Accept"

const wantsLines = ({ headers }: HttpServerRequest.HttpServerRequest) => {
  const weights = Weights.of(headers["accept"] ?? "")
  return ["application/x-ndjson", "application/ndjson"].some((type) => (weights.get(type) ?? 0) > 0)
}

export const AuditEventsHttp = group(
  LecternApi,
  "auditEvents",
  Effect.fnUntraced(function* (handlers) {
    const events = yield* AuditEvents

    /** Everything that the filter finds, stretch by stretch as it is read. What is wrong is told before it begins. */
    const exporting = Effect.fnUntraced(function* (
      organization: Parameters<typeof events.read>[0],
      filter: Parameters<typeof events.read>[1]
    ) {
      const actor = yield* CurrentActor
      const read = (after?: Parameters<typeof events.read>[2]) =>
        events.read(organization, filter, after).pipe(Effect.provideService(CurrentActor, actor))
      const first = yield* read()
      const lines = Stream.paginate(first, (found) =>
        Effect.gen(function* () {
          const text = found.map((event) => `${JSON.stringify(event)}\n`).join("")
          const last = found.at(-1)
          const next = last && (yield* read(last))
          return [[text], next === undefined || next.length === 0 ? Option.none() : Option.some(next)] as const
        })
      )
      return HttpServerResponse.stream(Stream.encodeText(Stream.orDie(lines)), { contentType, headers: { vary } })
    })

    return answering(handlers, {
      list: Effect.fnUntraced(function* ({ params, query: { format, page, limit, ...filter } }) {
        const request = yield* HttpServerRequest.HttpServerRequest
        if (format === "ndjson" || (format === undefined && wantsLines(request))) {
          return yield* exporting(params.organizationId, filter)
        }
        const place = { ...(page !== undefined && { page }), ...(limit !== undefined && { limit }) }
        const found = yield* events.list(params.organizationId, { ...filter, ...place })
        return jsonResponse(found, { headers: { vary } })
      }),
      get: ({ params }) => events.get(params.organizationId, params.auditEventId),
      actions: ({ params }) => events.actions(params.organizationId)
    })
  })
)
