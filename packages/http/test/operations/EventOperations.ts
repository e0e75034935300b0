/** The feed of events over HTTP: pages, and the stream of server-sent events. */
import { EventPage } from "@lectern/core/feed/PublicEvent"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { CreatedWebhook, WebhookDelivery } from "@lectern/core/webhook/Webhook"
import { assert, type Vitest } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { answers, Harness, has, refused, type Services } from "../Harness.ts"
import * as Shapes from "../Shapes.ts"
import { createSpace } from "../Steps.ts"

export const eventOperations = (it: Vitest.MethodsNonLive<Services>) => {
  it.effect("returns events in order, from a position", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const at = `/v1/orgs/${organization}/events`
      const list = (query: string) => call("admin", "GET", at + query).pipe(answers(200, EventPage))
      let { after, hasMore } = yield* list("?types=space_removed")
      while (hasMore) ({ after, hasMore } = yield* list(`?types=space_removed&after=${after}`))
      const space = yield* createSpace({ title: "Feed" })
      yield* call("admin", "PATCH", `/v1/spaces/${space.id}`, { title: "Renamed" }).pipe(has(200))
      const { items } = yield* list(`?after=${after}&space=${space.id}`)
      assert.deepStrictEqual(
        items.map(({ object, type }) => [object, type]),
        [
          ["event", "space_created"],
          ["event", "space_updated"]
        ]
      )
      const renamed = yield* list(`?after=${items[0]!.id}&types=space_updated&types=space_deleted&limit=1`)
      assert.deepStrictEqual(renamed.items, items.slice(1))
      yield* call("admin", "GET", `${at}?after=${"z".repeat(22)}`).pipe(refused(410))
      for (const query of ["after=x", "types=none", "limit=0", "limit=201", "space="]) {
        yield* call("admin", "GET", `${at}?${query}`).pipe(refused(400))
      }
      yield* call("outsider", "GET", at).pipe(refused(404))
    })
  )

  it.effect("rejects an invalid position of a stream before it starts", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const stream = (lastEventId: string) =>
        call("admin", "GET", `/v1/orgs/${organization}/events`, undefined, {
          accept: "text/event-stream",
          "last-event-id": lastEventId
        })
      yield* stream("z".repeat(22)).pipe(refused(410))
      yield* stream("x").pipe(refused(400))
      const head = yield* call("admin", "HEAD", `/v1/orgs/${organization}/events`, undefined, {
        accept: "text/event-stream"
      })
      assert.strictEqual(head.status, 200)
      yield* TestClock.adjust("1 millis")
    })
  )

  it.effect("delivers events to webhooks, and lists the attempts", () =>
    Effect.gen(function* () {
      const { call, organization } = yield* Harness
      const at = `/v1/orgs/${organization}/webhooks`
      const { id, secret } = yield* call("admin", "POST", at, {
        url: "https://example.com/hook",
        types: ["space_created"]
      }).pipe(answers(201, CreatedWebhook))
      assert.match(secret, /^whsec_[A-Za-z0-9+/]{40,}=*$/)
      const listed = yield* call("admin", "GET", at).pipe(has(200))
      const one = yield* call("admin", "GET", `${at}/${id}`).pipe(has(200))
      for (const { text } of [listed, one]) assert.notInclude(text, "whsec_")
      yield* createSpace()
      yield* (yield* JobWorker).runDue
      const { items } = yield* call("admin", "GET", `${at}/${id}/deliveries`).pipe(
        answers(200, Shapes.listOf(WebhookDelivery))
      )
      // The application of the tests sends no requests.
      assert.deepInclude(items[0], { type: "space_created", status: "failed" })
      const again = yield* call("admin", "POST", `${at}/${id}/deliveries/${items[0]!.id}/redeliver`).pipe(
        answers(200, WebhookDelivery)
      )
      assert.strictEqual(again.event, items[0]!.event)
      const ping = yield* call("admin", "POST", `${at}/${id}/test`).pipe(answers(200, WebhookDelivery))
      assert.strictEqual(ping.type, "ping")
      yield* call("admin", "POST", `${at}/${id}/rotate-secret`).pipe(answers(200, CreatedWebhook))
      yield* call("admin", "PATCH", `${at}/${id}`, { active: false }).pipe(has(200))
      for (const url of ["http://127.0.0.1/", "http://169.254.169.254/", "http://localhost/", "https://10.0.0.1/"]) {
        yield* call("admin", "POST", at, { url }).pipe(refused(400))
      }
      yield* call("admin", "DELETE", `${at}/${id}`).pipe(has(204))
    })
  )
}
