/** Operations that list the audit events of an organization. */
import { AuditEvent, AuditEventAction, AuditEventFilter } from "@lectern/core/audit/AuditEvent"
import { Schema } from "effect"
import { HttpApiGroup, HttpApiSchema, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"
import { organizationId } from "./Parameters.ts"

/** One JSON event per line. */
const lines = Schema.String.pipe(HttpApiSchema.asText({ contentType: "application/x-ndjson" }))

const params = { organizationId }

export const AuditEventsApi = HttpApiGroup.make("auditEvents")
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit log",
      description: "Changes of access rights: who changed what. For administrators."
    })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/audit-events", {
      description: "Lists the audit events of an organization, newest first.",
      scopes: ["audit:read"],
      params,
      query: {
        ...PageQuery,
        ...AuditEventFilter.fields,
        // `ndjson` is equivalent to the header `Accept: application/x-ndjson`.
        format: Schema.optionalKey(Schema.Literals(["json", "ndjson"])).annotateKey({
          description: "`ndjson`: all matching events, one per line. Default: `json`."
        })
      },
      success: [listOf(AuditEvent), lines]
    }),
    Operation.get("get", "/orgs/:organizationId/audit-events/:auditEventId", {
      description: "Returns one event of the audit log.",
      scopes: ["audit:read"],
      params: { ...params, auditEventId: Schema.String.annotateKey({ description: "The id of the event." }) },
      success: AuditEvent
    }),
    Operation.get("actions", "/orgs/:organizationId/audit-event-actions", {
      description: "Lists the actions that the audit log records.",
      scopes: ["audit:read"],
      params,
      success: Schema.Struct({ items: Schema.Array(AuditEventAction) })
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
