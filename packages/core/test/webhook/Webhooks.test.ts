import { CurrentActor, host } from "@lectern/core/access/Actor"
import { AuditEvents } from "@lectern/core/audit/AuditEvents"
import { UrlNotAllowed, FetchFailed, GuardedFetch, type PostOptions } from "@lectern/core/fetch/GuardedFetch"
import { HostJobs } from "@lectern/core/job/host/HostJobs"
import { JobWorker } from "@lectern/core/job/JobWorker"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { deliveryRetention, maxWebhooks, WebhookDeliveryTable, WebhookTable } from "@lectern/core/webhook/Webhook"
import { Webhooks } from "@lectern/core/webhook/Webhooks"
import { assert, describe } from "@effect/vitest"
import { Effect, Layer } from "effect"
import { TestClock } from "effect/testing"
import { Webhook as Verifier } from "standardwebhooks"
import { eventsOf, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { adaptersWith } from "../Instances.ts"
import { invalidPaths } from "../Issues.ts"

interface ReceivedRequest extends PostOptions {
  readonly url: string
}

let received: Array<ReceivedRequest> = []
/** Status of the next responses, or a failure. */
let respond: (url: string) => number | "timeout" = () => 200

const fetcher = Layer.succeed(
  GuardedFetch,
  GuardedFetch.of({
    check: (url) =>
      url.includes("internal")
        ? Effect.fail(new UrlNotAllowed({ message: "The address is private" }))
        : Effect.succeed(new URL(url)),
    fetch: () => Effect.die("Nothing is fetched"),
    stream: () => Effect.die("Nothing is fetched"),
    requestHead: () => Effect.die("Nothing is fetched"),
    post: (url, options) =>
      Effect.suspend(() => {
        received.push({ url, ...options })
        const status = respond(url)
        return status === "timeout"
          ? Effect.fail(new FetchFailed({ reason: "timeout", message: "No answer within 10 seconds" }))
          : Effect.succeed({ status, bytes: new TextEncoder().encode(`Answer ${status} ${"x".repeat(3_000)}`) })
      })
  })
)

const url = "https://example.com/hook"
const work = Effect.flatMap(JobWorker, ({ runDue }) => runDue)
const bodies = () => received.map(({ body }) => JSON.parse(body) as { id: string; type: string; space?: string })
const types = () => bodies().map(({ type }) => type)

const ready = Effect.gen(function* () {
  received = []
  respond = () => 200
  // The verifier compares the time of a request with the clock of the machine.
  yield* TestClock.setTime(Date.now())
  const { org, people } = yield* members
  yield* work
  return { org, people, webhooks: yield* Webhooks, spaces: yield* Spaces }
})

/** Requests that a receiver accepts, by the public implementation of the standard. */
const verify = (secret: string, { body, headers }: ReceivedRequest) => new Verifier(secret).verify(body, { ...headers })

const attemptsOf = Effect.fnUntraced(function* (org: OrganizationId, id: string) {
  const { items } = yield* (yield* Webhooks).deliveries(org, id, {})
  return items.map(({ type, status, statusCode }) => [type, status, statusCode])
})

for (const [name, services] of onEach(adaptersWith({ fetch: fetcher }))) {
  describe(`Webhooks (${name})`, () => {
    const rule = ruleOn(services)

    rule("are managed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, webhooks } = yield* ready
        const { id } = yield* webhooks.create(org, { url })
        const { items } = yield* Effect.andThen(webhooks.test(org, id), webhooks.deliveries(org, id, {}))
        for (const use of [
          webhooks.list(org, {}),
          webhooks.get(org, id),
          webhooks.update(org, id, { description: "CI" }),
          webhooks.rotateSecret(org, id),
          webhooks.test(org, id),
          webhooks.deliveries(org, id, {}),
          webhooks.create(org, { url })
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
        assert.strictEqual(yield* outcome(webhooks.redeliver(org, id, items[0]!.id)), "WebhookDeliveryNotFound")
        assert.strictEqual(yield* outcome(webhooks.get(org, "none")), "WebhookNotFound")
        yield* webhooks.remove(org, id)
        yield* webhooks.remove(org, id)
        assert.strictEqual(yield* outcome(webhooks.get(org, id)), "WebhookNotFound")
        const deliveries = (yield* Storage).repository(WebhookDeliveryTable)
        assert.strictEqual(yield* deliveries.count({ webhook: id }), 0)
      })
    )

    rule("reject URLs that must not be requested, unknown types, and spaces of others", () =>
      Effect.gen(function* () {
        const { org, webhooks } = yield* ready
        for (const [input, path] of [
          [{ url: "https://internal/" }, "url"],
          [{ url: "ftp://example.com" }, "url"],
          [{ url: "x" }, "url"],
          [{ url, types: ["none"] }, "types"],
          [{ url, types: [] }, "types"],
          [{ url, spaces: ["none"] }, "spaces[0]"],
          [{ url, secret: "mine" }, "secret"]
        ] as const) {
          assert.strictEqual(yield* invalidPaths(webhooks.create(org, input as never)), path)
        }
        for (let i = 0; i < maxWebhooks; i++) yield* webhooks.create(org, { url, active: false })
        assert.strictEqual(yield* outcome(webhooks.create(org, { url })), "TooManyWebhooks")
      })
    )

    rule("receive later events of their types and spaces, in order, once, as the feed has them", () =>
      Effect.gen(function* () {
        const { org, webhooks, spaces } = yield* ready
        const { id: space } = yield* spaces.create(org, {})
        const { id, secret } = yield* webhooks.create(org, { url })
        yield* webhooks.create(org, { url: `${url}/types`, types: ["space_updated"] })
        yield* webhooks.create(org, { url: `${url}/spaces`, spaces: [space] })
        const { id: other } = yield* spaces.create(org, {})
        yield* spaces.update(other, { title: "Other" })
        yield* spaces.update(space, { title: "Title" })
        yield* work
        yield* work
        const at = (path: string) => received.filter((request) => request.url === url + path)
        const typesAt = (path: string) => at(path).map(({ body }) => (JSON.parse(body) as { type: string }).type)
        assert.deepStrictEqual(typesAt("").slice(3), ["space_created", "space_updated", "space_updated"])
        assert.deepStrictEqual(typesAt("").slice(0, 3), Array(3).fill("webhook_created"))
        assert.deepStrictEqual(typesAt("/types"), ["space_updated", "space_updated"])
        assert.deepStrictEqual(typesAt("/spaces"), ["space_updated"])
        const [event] = yield* eventsOf("space_created")
        assert.isDefined(event)
        const sent = JSON.parse(at("").find(({ body }) => body.includes("space_created"))!.body) as object
        assert.deepStrictEqual(sent, { object: "event", ...(yield* eventsOf("space_created"))[1] })
        for (const request of at("")) assert.deepStrictEqual(verify(secret, request), JSON.parse(request.body))
        assert.throws(() => verify("whsec_bm90IHRoZSBzZWNyZXQ=", at("")[0]!))
        assert.deepInclude(yield* attemptsOf(org, id), ["space_updated", "success", 200])
      })
    )

    rule("keep their order while the URL fails, and are tried again", () =>
      Effect.gen(function* () {
        const { org, webhooks, spaces } = yield* ready
        const { id } = yield* webhooks.create(org, { url, types: ["space_created", "space_deleted"] })
        respond = () => 503
        const { id: space } = yield* spaces.create(org, {})
        yield* spaces.remove(space)
        yield* work
        assert.deepStrictEqual(types(), ["space_created"])
        respond = () => "timeout"
        const jobs = yield* HostJobs
        const [item, ...others] = yield* jobs
          .list({ status: "waiting", kind: "webhook" })
          .pipe(Effect.provideService(CurrentActor, host))
        assert.lengthOf(others, 0)
        assert.deepInclude(item, { id: `webhook:${id}`, attempts: 1, failure: "The URL responded with status 503" })
        yield* TestClock.adjust("5 seconds")
        yield* work
        assert.deepStrictEqual(types(), ["space_created", "space_created"])
        respond = () => 204
        yield* TestClock.adjust("5 seconds")
        yield* work
        assert.lengthOf(received, 2)
        yield* TestClock.adjust("5 seconds")
        yield* work
        assert.deepStrictEqual(types().slice(2), ["space_created", "space_deleted"])
        assert.strictEqual(
          new Set(
            bodies()
              .slice(0, 3)
              .map(({ id }) => id)
          ).size,
          1
        )
        const { items } = yield* webhooks.deliveries(org, id, {})
        assert.deepStrictEqual(
          items.map(({ status, statusCode, failure }) => [status, statusCode, failure]),
          [
            ["success", 204, undefined],
            ["success", 204, undefined],
            ["failed", undefined, "No answer within 10 seconds"],
            ["failed", 503, "The URL responded with status 503"]
          ]
        )
        assert.strictEqual(items[3]!.answer!.length, 500)
      })
    )

    rule("are switched off after 3 days of failures, or if the URL is gone, and receive later events when active", () =>
      Effect.gen(function* () {
        const { org, webhooks, spaces } = yield* ready
        const { id } = yield* webhooks.create(org, { url, types: ["space_created"] })
        const { id: gone } = yield* webhooks.create(org, { url: `${url}/gone`, types: ["space_created"] })
        respond = (to) => (to === url ? 500 : 410)
        yield* spaces.create(org, {})
        for (let hour = 0; hour < 80; hour++) {
          yield* work
          yield* TestClock.adjust("1 hour")
        }
        yield* work
        const state = Effect.map(webhooks.get(org, id), ({ active, disabledReason }) => [active, disabledReason])
        assert.deepStrictEqual(yield* state, [false, "failures"])
        assert.deepInclude(yield* webhooks.get(org, gone), { active: false, disabledReason: "gone" })
        assert.deepStrictEqual(
          (yield* eventsOf("webhook_disabled")).map(({ webhook, reason }) => [webhook, reason]),
          [
            [gone, "gone"],
            [id, "failures"]
          ]
        )
        assert.strictEqual(received.filter((request) => request.url === `${url}/gone`).length, 1)
        const [entry] = (yield* (yield* AuditEvents).list(org, { action: "webhook_disabled" })).items
        assert.strictEqual(entry?.target.type, "webhook")
        received = []
        respond = () => 200
        yield* spaces.create(org, {})
        yield* work
        yield* webhooks.update(org, id, { active: true })
        assert.deepStrictEqual(yield* state, [true, undefined])
        yield* work
        assert.deepStrictEqual(received, [])
        const { id: space } = yield* spaces.create(org, {})
        yield* work
        assert.deepStrictEqual(
          bodies().map((event) => event.space),
          [space]
        )
      })
    )

    rule("sign with the previous secret too, for 24 hours after a rotation", () =>
      Effect.gen(function* () {
        const { org, webhooks } = yield* ready
        const { id, secret } = yield* webhooks.create(org, { url, active: false })
        const { secret: next } = yield* webhooks.rotateSecret(org, id)
        assert.notStrictEqual(next, secret)
        assert.notProperty(yield* webhooks.get(org, id), "secret")
        const row = yield* (yield* Storage).repository(WebhookTable).get({ id })
        const text = JSON.stringify(row)
        for (const one of [secret, next]) assert.notInclude(text, atob(one.slice("whsec_".length)))
        yield* webhooks.rotateSecret(org, id)
        received = []
        const result = yield* webhooks.test(org, id)
        assert.deepInclude(result, { type: "ping", status: "success", statusCode: 200 })
        assert.deepInclude(verify(next, received[0]!) as object, { type: "ping", webhook: id })
        yield* TestClock.adjust("24 hours")
        yield* webhooks.test(org, id)
        assert.lengthOf(received[0]!.headers["webhook-signature"]!.split(" "), 2)
        assert.lengthOf(received[1]!.headers["webhook-signature"]!.split(" "), 1)
      })
    )

    rule("send an event again on request, as long as it is stored", () =>
      Effect.gen(function* () {
        const { org, webhooks, spaces } = yield* ready
        const { id } = yield* webhooks.create(org, { url, types: ["space_created"] })
        yield* spaces.create(org, {})
        yield* work
        const [first] = (yield* webhooks.deliveries(org, id, {})).items
        const again = yield* webhooks.redeliver(org, id, first!.id)
        assert.deepInclude(again, { event: first!.event, status: "success" })
        assert.strictEqual(received[1]!.body, received[0]!.body)
        const { id: other } = yield* webhooks.create(org, { url })
        assert.strictEqual(yield* outcome(webhooks.redeliver(org, other, first!.id)), "WebhookDeliveryNotFound")
        yield* TestClock.adjust(deliveryRetention)
        yield* TestClock.adjust("1 day")
        yield* work
        assert.notInclude(
          (yield* webhooks.deliveries(org, id, {})).items.map((delivery) => delivery.id),
          first!.id
        )
      })
    )
  })
}
