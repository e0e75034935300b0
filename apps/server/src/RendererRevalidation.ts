/**
 * Notifies a caching renderer (`LECTERN_RENDERER_URL`) of changes. Each change sends one request to the renderer's
 * `/~gitbook/revalidate`, with the affected tags of `x-gitbook-cache-tag`. With `LECTERN_RENDERER_SECRET`,
 * `x-gitbook-signature` holds the HMAC-SHA256 of the body.
 *
 * A durable reader reads the changes, so no change is missed while the renderer or the server is down. A request
 * without a 2xx response within 10 seconds is retried after 5 seconds, and then with increasing delays.
 */
import { createHmac } from "node:crypto"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import type { Event, EventOf, EventType } from "@lectern/core/event/Event"
import { EventSubscriptions } from "@lectern/core/event/EventSubscriptions"
import { Sites } from "@lectern/core/site/Sites"
import { Effect, Redacted } from "effect"

const timeout = 10_000

interface Renderer {
  readonly url: string
  readonly secret: Redacted.Redacted | undefined
}

const ofSpaces = ["space_content_updated", "space_updated", "space_visibility_updated", "space_restored"] as const
const ofSites = [
  "site_updated",
  "site_structure_updated",
  "site_published",
  "site_unpublished",
  "site_deleted"
] as const
const ofChangeRequests = [
  "change_request_updated",
  "change_request_status_updated",
  "change_request_content_updated",
  "change_request_merged"
] as const
const ofSpecs = ["openapi_spec_updated", "openapi_spec_processed", "openapi_spec_deleted"] as const
const ofIntegrations = [
  "integration_published",
  "integration_unpublished",
  "installation_updated",
  "installation_removed",
  "placement_created",
  "placement_updated",
  "placement_removed"
] as const
const types = [...ofSpaces, ...ofSites, ...ofChangeRequests, ...ofSpecs, ...ofIntegrations]

type RevalidationEvent = EventOf<(typeof types)[number]>

/** True if the event is one of these types. */
const isOf = <const Type extends EventType>(types: ReadonlyArray<Type>, event: Event): event is EventOf<Type> =>
  (types as ReadonlyArray<EventType>).includes(event.type)

const tagsOf = Effect.fnUntraced(function* (event: RevalidationEvent) {
  if (isOf(ofSpaces, event)) {
    // Cached profiles of sites with this space are invalidated too, since a profile names the revisions of its spaces.
    const { items } = yield* (yield* Sites).list(event.organization, { space: event.space, limit: 1_000 })
    return [`space:${event.space}`, ...items.map(({ id }) => `site:${id}`)]
  }
  if (isOf(ofSites, event)) return [`site:${event.site}`]
  if (isOf(ofChangeRequests, event)) return [`space:${event.space}:change-request:${event.changeRequest}`]
  if (isOf(ofSpecs, event)) return [`organization:${event.organization}:openapi:${event.slug}`]
  return [`integration:${event.integration}`]
})

const send = ({ url, secret }: Renderer, tags: ReadonlyArray<string>) =>
  Effect.tryPromise({
    try: async (signal) => {
      const body = JSON.stringify({ tags })
      const response = await fetch(`${url}/~gitbook/revalidate`, {
        method: "POST",
        redirect: "manual",
        signal: AbortSignal.any([signal, AbortSignal.timeout(timeout)]),
        headers: {
          "content-type": "application/json",
          "user-agent": "Lectern",
          ...(secret !== undefined && {
            "x-gitbook-signature": createHmac("sha256", Redacted.value(secret)).update(body).digest("hex")
          })
        },
        body
      })
      await response.body?.cancel()
      if (!response.ok) throw new Error(`The renderer at ${url} responded with status ${response.status}`)
    },
    catch: (failure) => (failure instanceof Error ? failure : new Error(String(failure)))
  })

/** Notifies the renderer of every change from now on, until the scope closes. */
export const follow = Effect.fnUntraced(
  function* (renderer: Renderer) {
    const subscriptions = yield* EventSubscriptions
    yield* subscriptions.on(
      types,
      (event) =>
        Effect.flatMap(
          // A deleted organization has no cache entries to invalidate.
          Effect.catchTag(tagsOf(event), "OrganizationNotFound", () => Effect.succeed([])),
          (tags) => (tags.length === 0 ? Effect.void : send(renderer, tags))
        ),
      { reader: "renderer" }
    )
  },
  Effect.provideService(CurrentActor, host)
)
