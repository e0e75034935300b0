import { CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Collections } from "@lectern/core/collection/Collections"
import { Comments } from "@lectern/core/comment/Comments"
import { EventId } from "@lectern/core/event/EventKind"
import { eventRetention, type EventType } from "@lectern/core/event/Event"
import { EventFeed } from "@lectern/core/feed/EventFeed"
import type { FeedMessage } from "@lectern/core/feed/EventStreams"
import type { PublicEvent } from "@lectern/core/feed/PublicEvent"
import { Grants } from "@lectern/core/grant/Grants"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Members } from "@lectern/core/organization/Members"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Sites } from "@lectern/core/site/Sites"
import { Spaces } from "@lectern/core/space/Spaces"
import { Tokens } from "@lectern/core/token/Tokens"
import { assert, describe } from "@effect/vitest"
import { Effect, Exit, Fiber, Layer, Scope, Stream } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { runs } from "../Runs.ts"
import { turns } from "../Turns.ts"

const typesOf = (events: ReadonlyArray<PublicEvent>) => events.map(({ type }) => type)

/** Reads the whole feed page by page. */
const readAll = Effect.fnUntraced(function* (organization: OrganizationId, limit: number, start?: EventId) {
  const feed = yield* EventFeed
  const events: Array<PublicEvent> = []
  let after = start
  for (;;) {
    const page = yield* feed.list(organization, { limit, ...(after !== undefined && { after }) })
    assert.isAtMost(page.items.length, limit)
    events.push(...page.items)
    after = page.after
    if (!page.hasMore) return events
  }
})

/** Collects the messages of a stream until the scope closes, and says whether it has ended. */
const collect = Effect.fnUntraced(function* (
  organization: OrganizationId,
  query: { readonly after?: EventId; readonly types?: ReadonlyArray<EventType> } = {}
) {
  const feed = yield* EventFeed
  const messages: Array<FeedMessage> = []
  let hasEnded = false
  const scope = yield* Scope.make()
  yield* Effect.addFinalizer(() => Scope.close(scope, Exit.void))
  const stream = yield* Effect.provideService(feed.follow(organization, query), Scope.Scope, scope)
  yield* stream.pipe(
    Stream.runForEach((message) => Effect.sync(() => messages.push(message))),
    Effect.andThen(Effect.sync(() => (hasEnded = true))),
    Effect.orDie,
    Effect.forkIn(scope)
  )
  yield* turns(50)
  return {
    messages,
    types: () => messages.flatMap(({ events }) => typesOf(events)),
    hasEnded: () => hasEnded,
    close: Scope.close(scope, Exit.void)
  }
})

const contentStep = fc.record({
  kind: fc.constantFrom("space", "collection", "site"),
  inCollection: fc.boolean(),
  level: fc.constantFrom(null, "read", "comment", "edit", "admin", "inherit"),
  grantee: fc.constantFrom("guest", "read", "create", "edit"),
  role: fc.constantFrom("read", "edit", "admin", undefined),
  isRemoved: fc.boolean()
})
type ContentStep = typeof contentStep extends fc.Arbitrary<infer Step> ? Step : never

for (const [name, services] of onEach(adapters)) {
  describe(`EventFeed (${name})`, () => {
    const rule = ruleOn(services)

    rule("is for members of the organization", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const feed = yield* EventFeed
        assert.deepStrictEqual(yield* outcomes(people, feed.list(org, {})), {
          ok: "host admin create review edit comment read guest",
          OrganizationNotFound: "outsider"
        })
      })
    )

    rule("returns events in their order, page by page, once each", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const spaces = yield* Spaces
        for (let i = 0; i < 3; i++) {
          yield* spaces.create(org, {})
          yield* spaces.create(elsewhere, {})
        }
        const all = yield* readAll(org, 200)
        assert.isTrue(all.every(({ organization }) => organization === org))
        assert.deepStrictEqual(
          all,
          all.toSorted((a, b) => (a.id < b.id ? -1 : 1))
        )
        for (const limit of [1, 2, 3, 7]) assert.deepStrictEqual(yield* readAll(org, limit), all)
        const last = yield* (yield* EventFeed).list(org, { after: all.at(-1)!.id })
        assert.deepInclude(last, { items: [], hasMore: false })
        const { id } = yield* spaces.create(org, {})
        const next = yield* readAll(org, 200, last.after)
        assert.deepStrictEqual(
          next.map((event) => [event.object, event.type, "space" in event && event.space]),
          [["event", "space_created", id]]
        )
      })
    )

    rule("filters by type and by space", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const [spaces, feed] = [yield* Spaces, yield* EventFeed]
        const { id: one } = yield* spaces.create(org, {})
        const { id: other } = yield* spaces.create(org, {})
        yield* spaces.update(other, { title: "Other" })
        assert.deepStrictEqual(typesOf((yield* feed.list(org, { space: other })).items), [
          "space_created",
          "space_updated"
        ])
        assert.deepStrictEqual(typesOf((yield* feed.list(org, { types: ["space_created"], space: one })).items), [
          "space_created"
        ])
        assert.deepStrictEqual((yield* feed.list(org, { types: [] })).items, [])
        for (const query of [{ types: ["none"] }, { limit: 0 }, { limit: 201 }, { after: "x" }, { space: "" }]) {
          assert.strictEqual(yield* outcome(feed.list(org, query as never)), "InvalidInput")
        }
      })
    )

    rule("rejects positions after which events were removed, and those of other servers", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const [spaces, feed, worker] = [yield* Spaces, yield* EventFeed, yield* JobWorker]
        const { items, after } = yield* feed.list(org, {})
        yield* TestClock.adjust(eventRetention)
        yield* TestClock.adjust("1 day")
        yield* worker.runDue
        // The last event is retained, so nothing after the position was removed.
        assert.deepInclude(yield* feed.list(org, { after }), { items: [], hasMore: false })
        yield* spaces.create(org, {})
        yield* worker.runDue
        assert.strictEqual(yield* outcome(feed.list(org, { after: items[0]!.id })), "EventPositionExpired")
        assert.strictEqual(
          yield* outcome(feed.list(org, { after: EventId.make("z".repeat(22)) })),
          "EventPositionExpired"
        )
        assert.deepStrictEqual(typesOf((yield* feed.list(org, { types: ["space_created"] })).items), ["space_created"])
      })
    )

    rule("shows an event to those who may see what it is about, as long as they may", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const [spaces, feed, grants, comments] = [yield* Spaces, yield* EventFeed, yield* Grants, yield* Comments]
        const { id: space } = yield* spaces.create(org, {})
        yield* spaces.update(space, { defaultLevel: null })
        yield* comments.post({ space }, { body: { markdown: "Secret" } })
        const target = { kind: "space", id: space } as const
        yield* grants.grant(target, { users: [people.guest], role: "read" })
        const inSpace = feed.list(org, { space })
        const ofGrants = feed.list(org, { types: ["grant_changed"] })
        const seen = (who: keyof typeof people) =>
          Effect.map(Effect.all([inSpace, ofGrants]), (pages) => pages.map(({ items }) => typesOf(items))).pipe(
            as(people[who])
          )
        const inSpaceTypes = ["space_created", "space_updated", "comment_posted"]
        assert.deepStrictEqual(yield* seen("admin"), [inSpaceTypes, ["grant_changed"]])
        assert.deepStrictEqual(yield* seen("guest"), [inSpaceTypes, []])
        assert.deepStrictEqual(yield* seen("create"), [[], []])
        yield* grants.change(target, "user", people.guest, null)
        assert.deepStrictEqual(yield* seen("guest"), [[], []])
        yield* spaces.update(space, { defaultLevel: "inherit" })
        assert.deepStrictEqual((yield* seen("create"))[0], [...inSpaceTypes, "space_updated"])
        yield* spaces.remove(space)
        assert.deepStrictEqual((yield* seen("create"))[0], [])
        assert.deepStrictEqual((yield* seen("admin"))[0], [...inSpaceTypes, "space_updated", "space_deleted"])
      })
    )

    rule("shows nothing that the actor's own request would refuse", () =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.array(contentStep, { maxLength: 6 }), (steps) =>
            Effect.runPromise(
              checkOwnRequests(steps).pipe(Effect.provide(Layer.fresh(services)), Effect.scoped, Effect.orDie)
            )
          ),
          runs(15)
        )
      )
    )

    rule("is followed by streams, from now on or from a position, without gaps", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people } = yield* members
        const spaces = yield* Spaces
        const { items, after } = yield* (yield* EventFeed).list(org, {})
        const live = yield* collect(org)
        const earlier = yield* collect(org, { after: items[0]!.id })
        const filtered = yield* collect(org, { types: ["space_updated"] })
        const guest = yield* collect(org).pipe(as(people.guest))
        assert.deepStrictEqual(earlier.types(), typesOf(items.slice(1)))
        yield* spaces.create(elsewhere, {})
        const { id } = yield* spaces.create(org, {})
        yield* turns(50)
        yield* spaces.update(id, { title: "New" })
        yield* turns(50)
        assert.deepStrictEqual(live.types(), ["space_created", "space_updated"])
        assert.deepStrictEqual(earlier.types(), [...typesOf(items.slice(1)), "space_created", "space_updated"])
        assert.deepStrictEqual(filtered.types(), ["space_updated"])
        assert.deepStrictEqual(guest.types(), [])
        // The first message is the position of the start.
        assert.deepInclude(live.messages[0], { events: [], after })
        // A stream that continues after the position of any message misses nothing.
        const resumed = yield* collect(org, { after: live.messages[1]!.after })
        assert.deepStrictEqual(resumed.types(), ["space_updated"])
      })
    )

    rule("is kept open every 15 seconds, with the current position", () =>
      Effect.gen(function* () {
        const { org, elsewhere } = yield* members
        const { messages } = yield* collect(org)
        yield* (yield* Spaces).create(elsewhere, {})
        for (let second = 0; second < 31; second++) {
          yield* TestClock.adjust("1 second")
          yield* turns(20)
        }
        assert.strictEqual(messages.length, 3)
        assert.isTrue(messages.every(({ events }) => events.length === 0))
        assert.isAbove(messages[1]!.after.localeCompare(messages[0]!.after), -1)
        assert.notStrictEqual(messages[1]!.after, messages[0]!.after)
      })
    )

    rule("ends streams whose token or membership has ended, before any later event", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const [spaces, tokens] = [yield* Spaces, yield* Tokens]
        const { info } = yield* tokens.create(people.edit)
        const { info: expiring } = yield* tokens.create(people.edit, { expires: { seconds: 10 } })
        const withToken = (token: string) =>
          collect(org).pipe(Effect.provideService(CurrentActor, { type: "user", user: people.edit, token }))
        const [revoked, expired] = [yield* withToken(info.id), yield* withToken(expiring.id)]
        const removed = yield* collect(org).pipe(as(people.read))
        const other = yield* collect(org, { types: ["space_created"] }).pipe(as(people.create))
        yield* tokens.revoke(info.id)
        yield* (yield* Members).remove(org, people.read)
        yield* spaces.create(org, {})
        yield* turns(50)
        assert.deepStrictEqual([revoked.hasEnded(), removed.hasEnded()], [true, true])
        assert.deepStrictEqual([revoked.types(), removed.types()], [[], []])
        assert.deepStrictEqual(other.types(), ["space_created"])
        for (let second = 0; second < 16; second++) {
          yield* TestClock.adjust("1 second")
          yield* turns(20)
        }
        assert.deepStrictEqual([expired.hasEnded(), other.hasEnded()], [true, false])
      })
    )

    rule("has at most 10 streams for a token", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const open = collect(org).pipe(as(people.edit))
        const streams = yield* Effect.forEach(Array.from({ length: 10 }), () => open)
        assert.strictEqual(yield* outcome(open), "TooManyEventStreams")
        assert.strictEqual(yield* outcome(collect(org).pipe(as(people.create))), "ok")
        yield* streams[0]!.close
        assert.strictEqual(yield* outcome(open), "ok")
      })
    )

    rule("ends the stream of a reader that is too slow", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const [feed, spaces] = [yield* EventFeed, yield* Spaces]
        const received: Array<FeedMessage> = []
        const fiber = yield* Effect.forkChild(
          Effect.scoped(
            Effect.flatMap(feed.follow(org, { types: ["space_updated"] }), (stream) =>
              Stream.runForEach(stream, (message) =>
                Effect.sync(() => received.push(message)).pipe(
                  Effect.andThen(message.events.length === 0 ? Effect.void : Effect.sleep("1 hour"))
                )
              )
            )
          )
        )
        yield* turns(50)
        const { id } = yield* spaces.create(org, {})
        for (let i = 0; i < 120; i++) {
          yield* spaces.update(id, { title: `Title ${i}` })
          yield* turns(10)
        }
        for (let hour = 0; hour < 130; hour++) {
          yield* TestClock.adjust("1 hour")
          yield* turns(5)
        }
        yield* Fiber.join(fiber)
        const count = received.flatMap(({ events }) => events).length
        assert.isAbove(count, 90)
        assert.isBelow(count, 120)
      })
    )
  })
}

/** Makes content with random access, and compares the feed of each member with the member's own requests. */
const checkOwnRequests = Effect.fnUntraced(function* (steps: ReadonlyArray<ContentStep>) {
  const { org, people } = yield* members
  const [spaces, collections, sites] = [yield* Spaces, yield* Collections, yield* Sites]
  const [grants, comments, changeRequests] = [yield* Grants, yield* Comments, yield* ChangeRequests]
  const feed = yield* EventFeed
  let parent: string | undefined
  for (const { kind, inCollection, level, grantee, role, isRemoved } of steps) {
    const within = inCollection && parent !== undefined ? { parent: parent as never } : {}
    let id: string
    if (kind === "space") {
      const space = yield* spaces.create(org, within)
      yield* spaces.update(space.id, { defaultLevel: level })
      id = space.id
      yield* comments.post({ space: space.id }, { body: { markdown: "Text" } })
      yield* changeRequests.create(space.id, {})
    } else if (kind === "collection") {
      const collection = yield* collections.create(org, { ...within, title: "Collection" })
      yield* collections.update(collection.id, { defaultLevel: level })
      id = parent = collection.id
    } else id = (yield* sites.create(org, { title: "Site" })).id
    const target = { kind: kind as "space", id, organization: org } as never
    if (role !== undefined) yield* grants.grant(target, { users: [people[grantee]], role })
    if (isRemoved && kind === "space") yield* spaces.remove(id as never)
  }
  for (const [name, user] of Object.entries(people)) {
    if (name === "outsider" || name === "admin") continue
    const { items } = yield* feed.list(org, { limit: 200 }).pipe(as(user))
    for (const event of items) {
      const request: Effect.Effect<unknown, { readonly _tag: string }, CurrentActor> | undefined =
        "comment" in event
          ? comments.get({ space: event.space, changeRequest: event.changeRequest }, event.comment)
          : "changeRequest" in event
            ? changeRequests.get(event.space, event.changeRequest)
            : "space" in event && event.space !== undefined
              ? spaces.get(event.space)
              : "site" in event
                ? sites.get(org, event.site)
                : "collection" in event
                  ? collections.get(event.collection as never)
                  : "content" in event
                    ? grants.listUsers({ ...event.content, organization: org } as never, {})
                    : undefined
      if (request === undefined) continue
      assert.strictEqual(yield* outcome(request).pipe(as(user)), "ok", `${name} ${JSON.stringify(event)}`)
    }
  }
})
