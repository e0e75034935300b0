/**
 * Lists events of programs with their logs, for administrators of the publisher and of the organizations that installed
 * the integration.
 */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import {
  type IntegrationEvent,
  IntegrationEventId,
  IntegrationEventNotFound,
  type IntegrationEventRow,
  IntegrationEventTable,
  type TracedIntegrationEvent
} from "./IntegrationEvent.ts"
import { makeEventPayloads } from "./EventPayloads.ts"
import type { IntegrationNotFound } from "./Integration.ts"
import { makeIntegrationPolicy } from "./IntegrationPolicy.ts"

type Failure = IntegrationNotFound | Forbidden | StorageError

export class IntegrationLog extends Context.Service<
  IntegrationLog,
  {
    /**
     * Lists processed events, newest first: all for the publisher, otherwise those of organizations that the actor
     * administers.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidCursor}
     */
    readonly list: (
      integration: string,
      params: PageParams
    ) => Effect.Effect<ListPage<IntegrationEvent>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns one processed event with the log of its run.
     *
     * @param integration Name of the integration, without regard to case.
     * @param id Id of the event.
     * @throws {Forbidden}
     * @throws {IntegrationEventNotFound} If the event was removed or belongs to another integration.
     * @throws {IntegrationNotFound}
     */
    readonly get: (
      integration: string,
      id: string
    ) => Effect.Effect<TracedIntegrationEvent, Failure | IntegrationEventNotFound, CurrentActor>
  }
>()("@lectern/core/integration/IntegrationLog") {
  static readonly layer = Layer.effect(
    IntegrationLog,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const secrets = yield* Secrets
      const payloads = yield* makeEventPayloads
      const policy = yield* makeIntegrationPolicy
      const events = storage.repository(IntegrationEventTable)

      const present = Effect.fnUntraced(function* (name: string, row: IntegrationEventRow) {
        const payload = yield* payloads.open(row)
        return {
          object: "integration-event",
          id: row.id,
          integrationId: name,
          ...(row.installation !== undefined && { installationId: row.installation }),
          createdAt: row.createdAt,
          payload: { eventId: row.id, ...withoutSecrets(payload) },
          status: row.state === "success" ? "success" : "failed"
        } satisfies IntegrationEvent
      })

      const isProcessed = { state: { in: ["success", "failed"] } } as const

      return IntegrationLog.of({
        list: Effect.fn("IntegrationLog.list")(function* (name, params) {
          const visibleIntegration = yield* policy.require(name, "see this integration")
          const where = yield* policy.narrowToVisibleEvents(visibleIntegration, {
            integration: visibleIntegration.integration.key,
            ...isProcessed
          })
          const query = { where, order: ["id"] as const, descending: true }
          const list = `events of ${visibleIntegration.integration.key} ${JSON.stringify(where)}`
          const page = yield* paging.rows(IntegrationEventTable, list, query, params)
          return {
            ...page,
            items: yield* Effect.forEach(page.items, (row) => present(visibleIntegration.integration.name, row))
          }
        }),

        get: Effect.fn("IntegrationLog.get")(function* (name, id) {
          const visibleIntegration = yield* policy.require(name, "see this integration")
          const row = yield* events.get({ id: IntegrationEventId.make(id) })
          const where = yield* policy.narrowToVisibleEvents(visibleIntegration, {})
          const isVisible =
            row?.integration === visibleIntegration.integration.key &&
            row.state !== "queued" &&
            (where.organization === undefined || where.organization.in.includes(row.organization ?? ""))
          if (!isVisible) {
            return yield* new IntegrationEventNotFound({ message: `There is no event ${id.slice(0, 100)}` })
          }
          return {
            event: yield* present(visibleIntegration.integration.name, row),
            trace: { logs: (yield* secrets.open(IntegrationEventTable, row, "logs")) ?? [] }
          }
        })
      })
    })
  )
}

/** Headers that identify a visitor or carry credentials. */
const secretHeaders = new Set(["authorization", "cookie", "proxy-authorization", "x-api-key"])

/** URL parameters that carry credentials in OAuth, OpenID Connect, SAML and signed URLs. */
const secretParameters = new Set([
  "access_token",
  "api_key",
  "apikey",
  "assertion",
  "client_secret",
  "code",
  "code_verifier",
  "id_token",
  "jwt_token",
  "key",
  "oauth_token",
  "oauth_verifier",
  "password",
  "refresh_token",
  "relaystate",
  "samlresponse",
  "secret",
  "sig",
  "signature",
  "state",
  "token"
])

/** Returns the URL with empty values for these parameters. */
const withoutSecretParameters = (url: string): string =>
  url.replaceAll(/([?&])([^=&#]*)=[^&#]*/gu, (whole, before: string, name: string) =>
    secretParameters.has(nameOf(name)) ? `${before}${name}=` : whole
  )

const nameOf = (encoded: string): string => {
  const [[name] = [""]] = [...new URLSearchParams(encoded)]
  return name.toLowerCase()
}

/** Removes secret headers, and secret parameters from the referrer. */
const withoutSecretHeaders = (headers: { readonly [name: string]: string }) =>
  Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => {
      const key = name.toLowerCase()
      if (secretHeaders.has(key)) return []
      return [[name, key === "referer" ? withoutSecretParameters(value) : value]]
    })
  )

type Payload = { readonly [name: string]: any }

/**
 * Returns a payload without secrets: configurations may hold credentials, and cookies of visitors grant access to their
 * sessions.
 */
const withoutSecrets = (payload: Payload): Payload => {
  const { previous, visitor, request, cookies, searchParams, ...details } = payload
  return {
    ...details,
    ...(cookies && { cookies: {} }),
    ...(searchParams && { searchParams: {} }),
    ...(previous && { previous: { ...previous, ...(previous.configuration && { configuration: {} }) } }),
    ...(visitor && { visitor: { ...visitor, cookies: {}, ip: "" } }),
    ...(request && {
      request: {
        ...request,
        url: withoutSecretParameters(request.url),
        headers: withoutSecretHeaders(request.headers)
      }
    })
  }
}
