/** Lists, creates, changes and deletes the webhooks of an organization, for its administrators. */
import { Context, Duration, Effect, Layer } from "effect"
import { type Actor, CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { changesOf } from "../audit/Changes.ts"
import { EventTable, type EventType, eventTypes } from "../event/Event.ts"
import { EventId } from "../event/EventKind.ts"
import { Events } from "../event/Events.ts"
import { publicEvent } from "../feed/PublicEvent.ts"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Lease from "../job/Lease.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { SpaceTable } from "../space/Space.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import {
  type CreatedWebhook,
  idleUntil,
  maxWebhooks,
  secretOverlap,
  TooManyWebhooks,
  type Webhook,
  WebhookCreate,
  type WebhookDelivery,
  WebhookDeliveryNotFound,
  type WebhookDeliveryRow,
  WebhookDeliveryTable,
  WebhookId,
  WebhookNotFound,
  WebhookPatch,
  WebhookReceiverTable,
  type WebhookRow,
  type WebhookSecrets,
  WebhookTable
} from "./Webhook.ts"
import { webhookReader } from "./WebhookDelivery.ts"
import { makeWebhookRequests, shownSecret, type WebhookMessage } from "./WebhookRequests.ts"

const acceptCreate = accepting(WebhookCreate)
const acceptPatch = accepting(WebhookPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

/** Fields that the audit log records. A URL may contain a secret. */
const auditedFields = ["types", "spaces", "active"] as const

export class Webhooks extends Context.Service<
  Webhooks,
  {
    /**
     * Lists the webhooks of an organization, oldest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<Webhook>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns a webhook.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {WebhookNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<Webhook, Failure | WebhookNotFound, CurrentActor>
    /**
     * Creates a webhook, which receives events from now on. Only this result contains the secret.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput} For a URL that must not be requested, an unknown type, or a space of another organization.
     * @throws {OrganizationNotFound}
     * @throws {TooManyWebhooks}
     * @example
     * ```ts
     * const { id, secret } = await lectern.organizations.webhooks.create(organization.id, {
     *   url: "https://example.com/lectern",
     *   types: ["change_request_merged"]
     * })
     * console.log(id, secret)
     * ```
     */
    readonly create: (
      organization: OrganizationId,
      input: WebhookCreate
    ) => Effect.Effect<CreatedWebhook, Failure | InvalidInput | TooManyWebhooks, CurrentActor>
    /**
     * Changes a webhook. A webhook that becomes active receives events from then on.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {WebhookNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: WebhookPatch
    ) => Effect.Effect<Webhook, Failure | InvalidInput | WebhookNotFound, CurrentActor>
    /**
     * Deletes a webhook with its attempts. Does nothing if it does not exist.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
    /**
     * Replaces the secret. For 24 hours, requests are signed with the new and the previous one. Only this result
     * contains the new secret.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {WebhookNotFound}
     */
    readonly rotateSecret: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<CreatedWebhook, Failure | WebhookNotFound, CurrentActor>
    /**
     * Sends a test event of the type `ping` now, also to a webhook that is not active, and returns the result.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {WebhookNotFound}
     */
    readonly test: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<WebhookDelivery, Failure | WebhookNotFound, CurrentActor>
    /**
     * Lists the latest attempts to deliver events, newest first.
     *
     * @param id Id of the webhook.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     * @throws {WebhookNotFound}
     */
    readonly deliveries: (
      organization: OrganizationId,
      id: string,
      params: PageParams
    ) => Effect.Effect<ListPage<WebhookDelivery>, Failure | InvalidCursor | WebhookNotFound, CurrentActor>
    /**
     * Sends the event of an attempt again now, and returns the result. Does not change which event follows.
     *
     * @param id Id of the webhook.
     * @param delivery Id of the attempt.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     * @throws {WebhookDeliveryNotFound} If the attempt or its event is no longer stored.
     * @throws {WebhookNotFound}
     */
    readonly redeliver: (
      organization: OrganizationId,
      id: string,
      delivery: string
    ) => Effect.Effect<WebhookDelivery, Failure | WebhookNotFound | WebhookDeliveryNotFound, CurrentActor>
  }
>()("@lectern/core/webhook/Webhooks") {
  static readonly layer = Layer.effect(
    Webhooks,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const events = yield* Events
      const secrets = yield* Secrets
      const fetcher = yield* GuardedFetch
      const organizations = yield* Organizations
      const paging = yield* Paging
      const publicUrl = yield* PublicUrl
      const requests = yield* makeWebhookRequests
      const webhooks = storage.repository(WebhookTable)
      const receivers = storage.repository(WebhookReceiverTable)
      const deliveries = storage.repository(WebhookDeliveryTable)
      const eventRows = storage.repository(EventTable)
      const spaceRows = storage.repository(SpaceTable)

      const requireAdministrator = (organization: OrganizationId) =>
        organizations.require(organization, "manage the webhooks of this organization")

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        yield* requireAdministrator(organization)
        const row = yield* webhooks.get({ id: WebhookId.make(id) })
        if (row?.organization === organization) return row
        return yield* new WebhookNotFound({ message: `There is no webhook ${id.slice(0, 50)}` })
      })

      const present = ({ secrets: _, types, spaces, ...row }: WebhookRow): Webhook => ({
        object: "webhook",
        ...row,
        types: types ?? null,
        spaces: spaces ?? null,
        urls: { location: `${publicUrl}/v1/orgs/${row.organization}/webhooks/${row.id}` }
      })

      const presentDelivery = ({ webhook: _, ...row }: WebhookDeliveryRow): WebhookDelivery => ({
        object: "webhook-delivery",
        ...row
      })

      const sealSecrets = (id: WebhookId, keys: WebhookSecrets) => secrets.seal(WebhookTable, { id }, "secrets", keys)

      /** Fails for settings that depend on other data than themselves. */
      const requireValid = Effect.fnUntraced(function* (
        organization: OrganizationId,
        { url, types, spaces }: WebhookPatch
      ) {
        const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })
        if (url !== undefined) {
          yield* Effect.mapError(fetcher.check(url), ({ message }) => invalid("url", message))
        }
        const unknownType = types?.find((type) => !eventTypes.includes(type as EventType))
        if (unknownType !== undefined) return yield* invalid("types", `There is no event ${unknownType}`)
        const rows = yield* spaceRows.getMany((spaces ?? []).map((id) => ({ id })))
        const missing = rows.findIndex((row) => row?.organization !== organization)
        if (missing < 0) return
        return yield* invalid(`spaces[${missing}]`, "There is no such space in this organization")
      })

      /** Sets the position of a webhook to the end of events, so that it receives only later ones. */
      const startAtEnd = Effect.fnUntraced(function* ({ id, organization }: WebhookRow) {
        const after = yield* events.end
        // While no webhook is active, the reader of events does not advance.
        yield* events.cursor(webhookReader)
        if ((yield* webhooks.count({ active: true })) === 0) yield* events.advance(webhookReader, after)
        const row = yield* receivers.get({ receiver: id })
        const lease = Lease.release(row?.lease ?? Lease.free(idleUntil), idleUntil)
        const state = { after, lease, attempts: 0, failure: undefined, since: undefined }
        if (row === undefined) {
          yield* receivers.insert({ receiver: id, organization, after, lease, attempts: 0 }).pipe(cannotConflict)
        } else yield* receivers.update({ receiver: id }, state).pipe(cannotConflict)
      })

      /** Sends a message now, and stores the attempt. */
      const sendNow = Effect.fnUntraced(function* (webhook: WebhookRow, message: WebhookMessage) {
        const attempt = yield* requests.send(webhook, message)
        yield* storage.transaction(
          Effect.gen(function* () {
            // The webhook may have been deleted during the request.
            if ((yield* webhooks.get({ id: webhook.id })) !== undefined) yield* requests.record(attempt)
          })
        )
        return presentDelivery(attempt)
      })

      return Webhooks.of({
        list: Effect.fn("Webhooks.list")(function* (organization, params) {
          yield* requireAdministrator(organization)
          const query = { where: { organization } }
          const page = yield* paging.rows(WebhookTable, `webhooks of ${organization}`, query, params)
          return { ...page, items: page.items.map(present) }
        }),

        get: Effect.fn("Webhooks.get")(function* (organization, id) {
          return present(yield* find(organization, id))
        }),

        create: Effect.fn("Webhooks.create")(function* (organization, rawInput) {
          yield* requireAdministrator(organization)
          const { url, description = "", types, spaces, active = true } = yield* acceptCreate(rawInput)
          const actor: Actor = yield* CurrentActor
          const current = yield* ids.secret
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* requireAdministrator(organization)
              yield* requireValid(organization, { url, types: types ?? null, spaces: spaces ?? null })
              if ((yield* webhooks.count({ organization })) >= maxWebhooks) {
                return yield* new TooManyWebhooks({ message: `An organization has at most ${maxWebhooks} webhooks` })
              }
              const id = WebhookId.make(yield* ids.next)
              const now = yield* Timestamps.now
              const row: WebhookRow = {
                id,
                organization,
                url,
                description,
                ...(types != null && { types }),
                ...(spaces != null && { spaces }),
                active,
                createdBy: userOf(actor),
                createdAt: now,
                updatedAt: now,
                secrets: yield* sealSecrets(id, { current })
              }
              yield* startAtEnd(row)
              yield* webhooks.insert(row).pipe(cannotConflict)
              yield* events.emit({ type: "webhook_created", organization, webhook: id })
              return { ...present(row), secret: shownSecret(current) }
            })
          )
        }),

        update: Effect.fn("Webhooks.update")(function* (organization, id, rawInput) {
          const { types, spaces, ...rest } = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(organization, id)
              yield* requireValid(organization, { ...rest, types: types ?? null, spaces: spaces ?? null })
              const changed: Patch<WebhookRow> = {
                ...rest,
                ...(types !== undefined && { types: types ?? undefined }),
                ...(spaces !== undefined && { spaces: spaces ?? undefined })
              }
              if (!hasChanges(row, changed)) return present(row)
              const patch: Patch<WebhookRow> = {
                ...changed,
                ...(rest.active === true && { disabledReason: undefined }),
                updatedAt: yield* Timestamps.now
              }
              if (rest.active === true && !row.active) yield* startAtEnd(row)
              yield* webhooks.update({ id: row.id }, patch).pipe(cannotConflict)
              const after = applyPatch(WebhookTable, row, patch)
              const changes = changesOf(row, after, auditedFields)
              yield* events.emit({ type: "webhook_updated", organization, webhook: row.id }, { changes })
              return present(after)
            })
          )
        }),

        remove: Effect.fn("Webhooks.remove")(function* (organization, id) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const row = yield* find(organization, id)
                yield* webhooks.remove({ id: row.id })
                yield* receivers.remove({ receiver: row.id })
                yield* deliveries.remove({ webhook: row.id })
                yield* events.emit({ type: "webhook_deleted", organization, webhook: row.id })
              })
            )
            .pipe(Effect.catchTag("WebhookNotFound", () => Effect.void))
        }),

        rotateSecret: Effect.fn("Webhooks.rotateSecret")(function* (organization, id) {
          const current = yield* ids.secret
          const until = Timestamps.after(yield* Timestamps.now, Duration.toMillis(secretOverlap))
          return yield* storage.transaction(
            Effect.gen(function* () {
              const row = yield* find(organization, id)
              const before = yield* secrets.open(WebhookTable, row, "secrets")
              const keys = { current, previous: { key: before.current, until } }
              const patch = { secrets: yield* sealSecrets(row.id, keys), updatedAt: yield* Timestamps.now }
              yield* webhooks.update({ id: row.id }, patch).pipe(cannotConflict)
              yield* events.emit({ type: "webhook_secret_rotated", organization, webhook: row.id })
              return { ...present(applyPatch(WebhookTable, row, patch)), secret: shownSecret(current) }
            })
          )
        }),

        test: Effect.fn("Webhooks.test")(function* (organization, id) {
          const webhook = yield* find(organization, id)
          const ping = {
            object: "event",
            id: yield* ids.next,
            organization,
            actor: userOf(yield* CurrentActor),
            createdAt: yield* Timestamps.now,
            type: "ping",
            webhook: webhook.id
          }
          return yield* sendNow(webhook, ping)
        }),

        deliveries: Effect.fn("Webhooks.deliveries")(function* (organization, id, params) {
          const { id: webhook } = yield* find(organization, id)
          const query = { where: { webhook }, order: ["id"], descending: true } as const
          const page = yield* paging.rows(WebhookDeliveryTable, `deliveries of ${webhook}`, query, params)
          return { ...page, items: page.items.map(presentDelivery) }
        }),

        redeliver: Effect.fn("Webhooks.redeliver")(function* (organization, id, delivery) {
          const webhook = yield* find(organization, id)
          const attempt = yield* deliveries.get({ id: delivery })
          const event =
            attempt?.webhook === webhook.id ? yield* eventRows.get({ id: EventId.make(attempt.event) }) : undefined
          if (event !== undefined) return yield* sendNow(webhook, publicEvent(event))
          return yield* new WebhookDeliveryNotFound({
            message: "There is no such delivery, or its event is no longer stored"
          })
        })
      })
    })
  )
}
