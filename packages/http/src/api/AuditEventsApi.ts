/** The audit log of an organization. */
import { AuditEvent, AuditEventAction, AuditEventFilter } from "@lectern/core/audit/AuditEvent"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiEndpoint, HttpApiGroup, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"

const params = { organizationId: OrganizationId }

export const AuditEventsApi = HttpApiGroup.make("auditEvents")
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit log",
      description: "Who did what to whom, as far as it changes who may see or do something. For administrators."
    })
  )
  .add(
    HttpApiEndpoint.get("list", "/orgs/:organizationId/audit-events", {
      params,
      query: {
        ...PageQuery,
        ...AuditEventFilter.fields,
        /** `ndjson`: all that the filter finds, an event to a line; `Accept: application/x-ndjson` says the same. */
        format: Schema.optionalKey(Schema.Literals(["json", "ndjson"]))
      },
      success: listOf(AuditEvent)
    }),
    HttpApiEndpoint.get("get", "/orgs/:organizationId/audit-events/:auditEventId", {
      params: { ...params, auditEventId: Schema.String },
      success: AuditEvent
    }),
    HttpApiEndpoint.get("actions", "/orgs/:organizationId/audit-event-actions", {
      params,
      success: Schema.Struct({ items: Schema.Array(AuditEventAction) })
    })
  )
  .middleware(Authentication)
  .middleware(Failures)
