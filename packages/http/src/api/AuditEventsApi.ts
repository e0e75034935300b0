/** The audit log of an organization. */
import { AuditEvent, AuditEventAction, AuditEventFilter } from "@lectern/core/audit/AuditEvent"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Schema } from "effect"
import { HttpApiGroup, OpenApi } from "effect/http-api"
import { listOf, PageQuery } from "./Lists.ts"
import { Authentication, Failures } from "./Middleware.ts"
import * as Operation from "./Operation.ts"

const params = { organizationId: OrganizationId }

export const AuditEventsApi = HttpApiGroup.make("auditEvents")
  .annotateMerge(
    OpenApi.annotations({
      title: "Audit log",
      description: "Who did what to whom, as far as it changes who may see or do something. For administrators."
    })
  )
  .add(
    Operation.get("list", "/orgs/:organizationId/audit-events", {
      description: "Lists who did what to whom in an organization, the newest first.",
      scopes: ["audit:read"],
      params,
      query: {
        ...PageQuery,
        ...AuditEventFilter.fields,
        /** `ndjson`: all that the filter finds, an event to a line; `Accept: application/x-ndjson` says the same. */
        format: Schema.optionalKey(Schema.Literals(["json", "ndjson"]))
      },
      success: listOf(AuditEvent)
    }),
    Operation.get("get", "/orgs/:organizationId/audit-events/:auditEventId", {
      description: "Shows one event of the audit log.",
      scopes: ["audit:read"],
      params: { ...params, auditEventId: Schema.String },
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
