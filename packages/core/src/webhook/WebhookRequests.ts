/**
 * Sends events to the URLs of webhooks as signed requests, and records the attempts.
 *
 * The headers follow Standard Webhooks: `webhook-id` is the id of the event, `webhook-timestamp` the time of the attempt
 * in epoch seconds, and `webhook-signature` an HMAC-SHA256 of `<id>.<timestamp>.<body>` for each valid key, as
 * `v1,<base64>`.
 */
import { Clock, Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import { GuardedFetch } from "../fetch/GuardedFetch.ts"
import { Ids } from "../identity/Ids.ts"
import { Secrets } from "../identity/Secrets.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { Hasher } from "../storage/Hasher.ts"
import { cannotConflict, Storage } from "../storage/Storage.ts"
import {
  maxAnswerLength,
  maxDeliveries,
  requestTimeout,
  type WebhookDeliveryRow,
  WebhookDeliveryTable,
  type WebhookRow,
  WebhookTable
} from "./Webhook.ts"

/** A body to send. `id`: id of the event. */
export interface WebhookMessage {
  readonly id: string
  readonly type: string
}

/** Returns a key in the form in which it is shown. */
export const shownSecret = (key: string): string => `whsec_${Base64.encode(new TextEncoder().encode(key))}`

/** Returns a base64url text as base64. */
const base64Of = (base64Url: string): string => {
  const text = base64Url.replaceAll("-", "+").replaceAll("_", "/")
  return text.padEnd(Math.ceil(text.length / 4) * 4, "=")
}

export const makeWebhookRequests = Effect.gen(function* () {
  const storage = yield* Storage
  const ids = yield* Ids
  const secrets = yield* Secrets
  const hasher = yield* Hasher
  const fetcher = yield* GuardedFetch
  const deliveries = storage.repository(WebhookDeliveryTable)

  /** Returns the start of a response as text. */
  const textOf = (bytes: Uint8Array): string =>
    new TextDecoder().decode(bytes).replaceAll("\0", "").slice(0, maxAnswerLength).toWellFormed()

  return {
    /** Sends a message. Never fails because of the receiver: the result is the attempt, which is not stored yet. */
    send: Effect.fnUntraced(function* (webhook: WebhookRow, message: WebhookMessage) {
      const startedAt = yield* Clock.currentTimeMillis
      const { current, previous } = yield* secrets.open(WebhookTable, webhook, "secrets")
      const keys = [
        current,
        ...(previous !== undefined && Date.parse(previous.until) > startedAt ? [previous.key] : [])
      ]
      const body = JSON.stringify(message)
      const timestamp = String(Math.floor(startedAt / 1000))
      const signatures = keys.map((key) => `v1,${base64Of(hasher.hmac(key, `${message.id}.${timestamp}.${body}`))}`)
      const result = yield* Effect.result(
        fetcher.post(webhook.url, {
          body,
          headers: {
            "content-type": "application/json",
            "user-agent": "Lectern (webhook)",
            "webhook-id": message.id,
            "webhook-timestamp": timestamp,
            "webhook-signature": signatures.join(" ")
          },
          timeout: requestTimeout,
          // A character has up to 4 bytes.
          maxBytes: 4 * maxAnswerLength
        })
      )
      const sentAt = Timestamps.at(startedAt)
      const attempt = {
        id: yield* ids.next,
        webhook: webhook.id,
        event: message.id,
        type: message.type,
        millis: (yield* Clock.currentTimeMillis) - startedAt,
        sentAt
      }
      if (Result.isFailure(result)) {
        const row: WebhookDeliveryRow = { ...attempt, status: "failed", failure: result.failure.message }
        return row
      }
      const { status: statusCode, bytes } = result.success
      const isSuccess = statusCode >= 200 && statusCode < 300
      const answer = textOf(bytes)
      const row: WebhookDeliveryRow = {
        ...attempt,
        status: isSuccess ? "success" : "failed",
        statusCode,
        ...(!isSuccess && { failure: `The URL responded with status ${statusCode}` }),
        ...(answer !== "" && { answer })
      }
      return row
    }),

    /** Stores an attempt, and removes the oldest ones beyond the maximum. Must run in a transaction. */
    record: Effect.fnUntraced(function* (row: WebhookDeliveryRow) {
      yield* deliveries.insert(row).pipe(cannotConflict)
      const where = { webhook: row.webhook }
      const excess = (yield* deliveries.count(where)) - maxDeliveries
      if (excess <= 0) return
      const oldest = yield* deliveries.list({ where, order: ["id"], limit: excess })
      yield* deliveries.remove({ id: { in: oldest.map(({ id }) => id) } })
    })
  }
})
