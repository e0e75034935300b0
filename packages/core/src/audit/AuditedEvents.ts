/** Records the events that change permissions, each in its own transaction. */
import { Effect, type Schema, Layer } from "effect"
import { type EmittedEvent, type EventDetails, eventTypes } from "../event/Event.ts"
import { Events } from "../event/Events.ts"
import { auditedEvents } from "./AuditActions.ts"
import type { AuditTarget } from "./AuditEvent.ts"
import { makeAuditTrail } from "./AuditTrail.ts"

/** Kinds of resources whose name differs from the field of the event. */
const kinds: { readonly [field: string]: string } = {
  link: "invite-link",
  spec: "openapi-spec"
}

const targetOf = (
  event: EmittedEvent,
  { target: field, kind = kinds[field] ?? field }: { readonly target: string; readonly kind?: string },
  label: string | undefined
): AuditTarget => {
  const eventField = (event as unknown as { readonly [field: string]: unknown })[field]
  const content =
    typeof eventField === "object"
      ? (eventField as { readonly kind: string; readonly id: string })
      : { kind, id: String(eventField) }
  return { type: content.kind, id: content.id, ...(label !== undefined && { label }) }
}

export const AuditedEvents = Layer.effectDiscard(
  Effect.gen(function* () {
    const events = yield* Events
    const trail = yield* makeAuditTrail

    const record = Effect.fnUntraced(function* (event: EmittedEvent, details: EventDetails = {}) {
      const auditRule = auditedEvents[event.type]
      const { label, changes, ...otherDetails } = details
      if (auditRule === undefined) return
      if (auditRule.changed === true && Object.keys(changes ?? {}).length === 0) return
      const { actor: _, createdAt: __, type: action, organization, ...fields } = event
      const { [auditRule.target]: ___, ...payload } = fields as { readonly [field: string]: Schema.Json }
      const entry = {
        action,
        target: targetOf(event, auditRule, label),
        changes,
        payload: { ...payload, ...otherDetails.payload }
      }
      yield* trail.record({ organization, ...entry })
      // A transfer is also recorded in the previous organization.
      if ("from" in event && event.type.endsWith("_transferred")) {
        yield* trail.record({
          organization: event.from as typeof organization,
          ...entry,
          payload: { ...entry.payload, to: organization }
        })
      }
    })

    yield* events.listen(
      eventTypes.filter((type) => auditedEvents[type] !== undefined),
      record
    )
  })
)
