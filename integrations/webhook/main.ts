/** Sends all received events to a URL, signed. */
import { configurationScreen } from "../runtime/ConfigurationScreen.ts"
import type { Event, Values } from "../runtime/Event.ts"
import { type RequestContext, integration } from "../runtime/Integration.ts"
import { outbox } from "../runtime/Outbox.ts"
import { isWebUrl } from "../runtime/Url.ts"
import * as Signature from "./Signature.ts"

const leastSecret = 16

const configure = configurationScreen({
  of: "installation",
  intro: () => "Each event is sent as JSON, signed as Standard Webhooks has it.",
  fields: [
    { name: "url", label: "URL", hint: "Where events are sent", placeholder: "https://example.com/hook" },
    { name: "secret", label: "Secret", hint: "What they are signed with: 16 characters or more", isSecret: true }
  ],
  problem: ({ url, secret }) =>
    !isWebUrl(url)
      ? "The URL begins with https:// or http://"
      : secret.length < leastSecret
        ? `The secret has at least ${leastSecret} characters`
        : undefined
})

interface Message {
  readonly id: string
  readonly type: string
  readonly body: string
}

const events = outbox<Message>(async ({ id, type, body }, { url, secret }) => {
  if (typeof url !== "string" || typeof secret !== "string" || !isWebUrl(url)) return undefined
  return new Request(url, {
    method: "POST",
    body,
    headers: {
      "content-type": "application/json",
      "user-agent": "lectern-webhook",
      "x-lectern-event": type,
      ...(await Signature.headers(secret, { id, body }, Math.floor(Date.now() / 1000)))
    }
  })
})

/** Returns an event without its confidential parts: the configuration and the visitor's cookies. */
const payloadOf = ({
  previous,
  visitor,
  ...event
}: Event & { readonly previous?: Values; readonly visitor?: Values }) => {
  const { configuration: _, ...publicPrevious } = previous ?? {}
  const { cookies: __, ...publicVisitor } = visitor ?? {}
  return { ...event, ...(previous && { previous: publicPrevious }), ...(visitor && { visitor: publicVisitor }) }
}

const pass = (event: Event, context: RequestContext): void => {
  const message = { id: event.eventId, type: event.type, body: JSON.stringify(payloadOf(event)) }
  // If the installation is deleted, its configuration exists only in the event.
  const { previous } = event as { readonly previous?: { readonly configuration?: Values } }
  events.send(context, message, context.environment.installation?.configuration ?? previous?.configuration ?? {})
}

export default integration({
  components: { configure },
  task: events.task,
  installation_setup: pass,
  installation_deleted: pass,
  space_installation_setup: pass,
  space_installation_deleted: pass,
  site_installation_setup: pass,
  site_installation_deleted: pass,
  space_content_updated: pass,
  space_visibility_updated: pass,
  space_gitsync_started: pass,
  space_gitsync_completed: pass,
  site_view: pass,
  page_feedback: pass
})
