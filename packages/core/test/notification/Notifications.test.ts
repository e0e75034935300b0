/** Whom events notify, and what users see of their notifications. */
import { CurrentActor } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Comments } from "@lectern/core/comment/Comments"
import { LiveContents } from "@lectern/core/content/live/LiveContents"
import { EventId } from "@lectern/core/event/EventKind"
import { Events } from "@lectern/core/event/Events"
import { EventReaderTable } from "@lectern/core/event/EventReader"
import { Grants } from "@lectern/core/grant/Grants"
import {
  InboxTable,
  maxNotifications,
  notificationAge,
  NotificationTable
} from "@lectern/core/notification/Notification"
import { Notifications } from "@lectern/core/notification/Notifications"
import { watchKey, WatchTable } from "@lectern/core/notification/Watch"
import { Watches } from "@lectern/core/notification/Watches"
import { Invitations } from "@lectern/core/organization/Invitations"
import { MemberTable } from "@lectern/core/organization/Member"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Members } from "@lectern/core/organization/Members"
import { Reviews } from "@lectern/core/review/Reviews"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import { UserId } from "@lectern/core/user/User"
import { Users } from "@lectern/core/user/Users"
import { WebhookId } from "@lectern/core/webhook/Webhook"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as, discussion, publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { inboxOf, kindsOf, settle } from "./Inboxes.ts"

const mention = (user: string) => `Please look, [Ada](/users/${user} "mention")`

for (const [name, services] of onEach(adapters)) {
  describe(`Notifications (${name})`, () => {
    const rule = ruleOn(services)

    rule("address reviewers, people who are mentioned and who watch, and never the actor", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const changeRequests = yield* ChangeRequests
        const comments = yield* Comments
        const { id: cr } = yield* changeRequests.create(space, { subject: "Refunds" }).pipe(as(people.edit))
        const scope = { space, changeRequest: cr }
        yield* (yield* Reviews).request(space, cr, { users: [people.review, people.edit] }).pipe(as(people.edit))
        const { id } = yield* comments
          .post(scope, { body: { markdown: mention(people.second) } })
          .pipe(as(people.comment))
        yield* comments.postReply(scope, id, { body: { markdown: "Yes" } }).pipe(as(people.second))
        yield* comments.update(scope, id, { addedReactions: ["1f44d"] }).pipe(as(people.admin))
        yield* (yield* Reviews).submit(space, cr, { status: "approved" }).pipe(as(people.review))
        assert.deepStrictEqual(yield* kindsOf(people), {
          edit: ["comment", "comment", "reviewed"],
          review: ["review-requested"],
          comment: ["reply", "reaction", "reviewed"],
          second: ["mention", "reviewed"]
        })
        const { items } = yield* inboxOf(people.second)
        assert.deepInclude(items[0], { kind: "reviewed", read: false })
        assert.strictEqual(items[0]?.review?.status, "approved")
        assert.deepInclude(items[1]?.comment, { id, text: "Please look, @second" })
        assert.deepInclude(items[1]?.changeRequest, { id: cr, subject: "Refunds" })
        assert.strictEqual(items[1]?.actor?.id, people.comment)
        yield* (yield* ChangeRequestContents).merge(space, cr)
        yield* settle
        for (const who of ["edit", "review", "comment", "second"] as const) {
          assert.strictEqual((yield* inboxOf(people[who])).items[0]?.kind, "change-request-merged", who)
        }
        assert.deepStrictEqual((yield* inboxOf(people.read)).items, [])
      })
    )

    rule("tell who watches a page that it was changed, once for an event", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const watches = yield* Watches
        const changeRequests = yield* ChangeRequests
        const { write, merge } = yield* ChangeRequestContents
        const pages = yield* publish(space, [
          { operation: "insert_page", ref: "a", title: "A" },
          { operation: "insert_page", ref: "b", title: "B" },
          { operation: "insert_page", ref: "c", title: "C" }
        ])
        const [a, b, c] = ["a", "b", "c"].map((ref) => pages.get(ref)!)
        yield* settle
        for (const page of [a!, b!]) yield* watches.put({ space, page }, { state: "watching" }).pipe(as(people.read))
        yield* watches.put({ space, page: a! }, { state: "watching" }).pipe(as(people.second))
        yield* watches.put({ space }, { state: "muted" }).pipe(as(people.second))
        yield* watches.put({ space, page: c! }, { state: "watching" }).pipe(as(people.comment))
        const rename = (page: string) => ({ operation: "update_page" as const, page, title: "New" })

        yield* (yield* LiveContents).write(space, [rename(b!)]).pipe(as(people.edit))
        assert.deepStrictEqual(yield* kindsOf(people), { read: ["page-updated"] })
        const [updated] = (yield* inboxOf(people.read)).items
        assert.deepStrictEqual(updated!.page, { id: b!, title: "New" })
        assert.match(updated!.urls.target, new RegExp(`/v1/spaces/${space}/content/page/${b}$`))
        // A person who changed a page watches it, and gets a notification of the next change by another person.
        yield* (yield* LiveContents).write(space, [{ ...rename(b!), title: "Newer" }]).pipe(as(people.admin))
        assert.deepStrictEqual(yield* kindsOf(people), {
          read: ["page-updated", "page-updated"],
          edit: ["page-updated"]
        })

        const { id } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
        yield* write(space, id, [rename(a!), { operation: "delete_page", page: b! }]).pipe(as(people.edit))
        yield* merge(space, id).pipe(as(people.admin))
        const merged = "change-request-merged"
        assert.deepStrictEqual(yield* kindsOf({ read: people.read, second: people.second, comment: people.comment }), {
          read: ["page-updated", "page-updated", merged]
        })
      })
    )

    rule("follow watched spaces and pages, unless one of them is muted", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const watches = yield* Watches
        const comments = yield* Comments
        const pages = yield* publish(space, [
          { operation: "insert_page", ref: "a", title: "A" },
          { operation: "insert_page", ref: "b", title: "B" }
        ])
        const [a, b] = [pages.get("a")!, pages.get("b")!]
        yield* watches.put({ space }, { state: "watching" }).pipe(as(people.read))
        yield* watches.put({ space, page: a }, { state: "watching" }).pipe(as(people.edit))
        yield* watches.put({ space }, { state: "watching" }).pipe(as(people.review))
        yield* watches.put({ space, page: b }, { state: "muted" }).pipe(as(people.review))
        yield* watches.put({ space }, { state: "muted" }).pipe(as(people.second))
        yield* watches.put({ space, page: a }, { state: "watching" }).pipe(as(people.second))
        const post = (page: string, markdown = "Hm") =>
          comments.post({ space }, { body: { markdown }, page }).pipe(as(people.comment))
        yield* post(a)
        yield* post(b)
        assert.deepStrictEqual(yield* kindsOf(people), {
          read: ["change-request-merged", "comment", "comment"],
          edit: ["change-request-merged", "comment"],
          review: ["change-request-merged", "comment"]
        })
        const { items } = yield* inboxOf(people.edit)
        assert.deepStrictEqual(items[0]?.page, { id: a, title: "A" })
        // Who is addressed by name is notified even of muted content.
        yield* post(a, mention(people.second))
        yield* settle
        yield* watches.remove({ space }).pipe(as(people.read))
        yield* post(b)
        assert.deepStrictEqual(yield* kindsOf({ second: people.second, read: people.read }), {
          second: ["mention"],
          read: ["change-request-merged", "comment", "comment", "comment"]
        })
        // Writing watches, but keeps a muted content muted.
        assert.deepStrictEqual(
          (yield* watches.list({}).pipe(as(people.comment))).items.map(({ page, automatic }) => [page, automatic]),
          [a, b].toSorted().map((page) => [page, true])
        )
        yield* comments.post({ space }, { body: { markdown: "Me too" } }).pipe(as(people.second))
        yield* settle
        const muted = (yield* watches.list({ space }).pipe(as(people.second))).items.find(
          ({ page }) => page === undefined
        )
        assert.deepInclude(muted, { state: "muted", automatic: false })
      })
    )

    rule("tell administrators of a webhook that was switched off", () =>
      Effect.gen(function* () {
        const { org: organization, people } = yield* discussion()
        const { emit } = yield* Events
        const { transaction } = yield* Storage
        const webhook = WebhookId.make("hook")
        yield* transaction(emit({ type: "webhook_disabled", organization, webhook, reason: "failures" }))
        const { admin, edit } = people
        assert.deepStrictEqual(yield* kindsOf({ admin, edit }), { admin: ["webhook"] })
        const [notification] = yield* inboxOf(admin).pipe(Effect.map(({ items }) => items))
        assert.include(notification!.urls.target, `/v1/orgs/${organization}/webhooks/hook`)
      })
    )

    rule("tell of opened change requests, conflicts, roles and invitations", () =>
      Effect.gen(function* () {
        const { org, people, space } = yield* discussion()
        const changeRequests = yield* ChangeRequests
        yield* (yield* Watches).put({ space }, { state: "watching" }).pipe(as(people.read))
        const { id } = yield* changeRequests.create(space, {}).pipe(as(people.edit))
        yield* changeRequests.update(space, id, { status: "open" }).pipe(as(people.edit))
        yield* changeRequests.create(space, { status: "open" }).pipe(as(people.edit))
        yield* (yield* Members).changeRole(org, people.comment, "edit")
        yield* (yield* Grants).grant({ kind: "space", id: space }, { users: [people.second], role: "review" })
        const guest = yield* (yield* Users).create({ email: "grace@example.com" })
        yield* (yield* Invitations).invite(org, { emails: ["Grace@example.com"] }).pipe(as(people.admin))
        assert.deepStrictEqual(yield* kindsOf({ ...people, guest: guest.id }), {
          read: ["change-request-opened", "change-request-opened"],
          comment: ["role-changed"],
          second: ["assigned"],
          guest: ["invitation"]
        })
        assert.strictEqual((yield* inboxOf(people.comment)).items[0]?.role, "edit")
        assert.deepInclude((yield* inboxOf(people.second)).items[0], {
          role: "review",
          content: { kind: "space", id: space, title: "Untitled" }
        })
        const [invitation] = (yield* inboxOf(guest.id)).items
        yield* (yield* Invitations).accept(org, invitation!.subject!).pipe(as(guest.id))
        assert.deepStrictEqual(yield* kindsOf({ guest: guest.id }), {})
      })
    )

    rule("leave out, and do not count, what their user may no longer see", () =>
      Effect.gen(function* () {
        const { org, people, space, cr } = yield* discussion()
        const notifications = yield* Notifications
        const comments = yield* Comments
        const scope = { space, changeRequest: cr }
        const { id } = yield* comments
          .post(scope, { body: { markdown: mention(people.second) } })
          .pipe(as(people.comment))
        const reply = yield* comments
          .postReply(scope, id, { body: { markdown: mention(people.read) } })
          .pipe(as(people.admin))
        yield* settle
        const [notified] = (yield* inboxOf(people.second)).items
        const isHidden = Effect.fnUntraced(function* (user: typeof people.second, one = notified!.id) {
          assert.deepInclude(yield* inboxOf(user), { items: [], count: 0, unread: 0 })
          assert.strictEqual((yield* Effect.flip(notifications.get(one)).pipe(as(user)))._tag, "NotificationNotFound")
        })
        yield* (yield* Spaces).update(space, { defaultLevel: null })
        yield* isHidden(people.second)
        yield* (yield* Spaces).update(space, { defaultLevel: "inherit" })
        assert.strictEqual((yield* inboxOf(people.second)).unread, 1)
        yield* (yield* Spaces).remove(space)
        yield* isHidden(people.second)
        yield* (yield* Spaces).restore(space)
        yield* (yield* Members).remove(org, people.second)
        yield* isHidden(people.second)
        // A deleted reply and comment disappear at once, before the reader has removed their notifications.
        const [told] = (yield* inboxOf(people.read)).items
        yield* comments.removeReply(scope, id, reply.id)
        yield* isHidden(people.read, told!.id)
        yield* settle
        yield* comments.remove(scope, id)
        assert.strictEqual((yield* inboxOf(people.comment)).count, 0)
        yield* settle
        const rows = (yield* Storage).repository(NotificationTable)
        assert.strictEqual(yield* rows.count({ comment: id }), 0)
      })
    )

    rule("name mentioned users only if they are members, and roles only while they last", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const outsider = yield* (yield* Users).create({ email: "hidden@example.com", displayName: "Hidden" })
        const markdown = `${mention(people.read)} and [Bob](/users/${outsider.id} "mention")`
        yield* (yield* Comments).post({ space }, { body: { markdown } })
        const target = { kind: "space", id: space } as const
        yield* (yield* Grants).grant(target, { users: [people.second], role: "review" })
        yield* settle
        assert.strictEqual((yield* inboxOf(people.read)).items[0]?.comment?.text, "Please look, @read and @Bob")
        assert.strictEqual((yield* inboxOf(people.second)).count, 1)
        assert.strictEqual((yield* inboxOf(outsider.id)).count, 0)
        yield* (yield* Spaces).remove(space)
        assert.strictEqual((yield* inboxOf(people.second)).count, 0)
        yield* (yield* Spaces).restore(space)
        yield* (yield* Grants).remove(target, "user", people.second)
        assert.strictEqual((yield* inboxOf(people.second)).count, 0)
      })
    )

    rule("do not tell who may not see the content at the time of the event", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        yield* (yield* Watches).put({ space }, { state: "watching" }).pipe(as(people.read))
        yield* (yield* Spaces).update(space, { defaultLevel: null })
        const body = { markdown: mention(people.second) }
        yield* (yield* Comments).post({ space }, { body }).pipe(as(people.admin))
        yield* settle
        yield* (yield* Spaces).update(space, { defaultLevel: "inherit" })
        assert.deepStrictEqual(yield* kindsOf({ read: people.read, second: people.second }), {})
      })
    )

    rule("are read one by one and together, and filtered", () =>
      Effect.gen(function* () {
        const { org, people, space } = yield* discussion()
        const notifications = yield* Notifications
        const list = (params: object) => notifications.list(params).pipe(as(people.read))
        yield* (yield* Watches).put({ space }, { state: "watching" }).pipe(as(people.read))
        for (let i = 0; i < 5; i++)
          yield* (yield* Comments).post({ space }, { body: { markdown: `${i}` } }).pipe(as(people.comment))
        yield* (yield* Members).changeRole(org, people.read, "comment")
        yield* settle
        const { items, unread } = yield* list({})
        assert.strictEqual(unread, 6)
        const first = yield* list({ limit: 4 })
        assert.deepInclude(first, { count: 6, unread: 6 })
        const rest = yield* list({ limit: 4, page: first.next!.page })
        assert.deepStrictEqual([...first.items, ...rest.items], items)
        assert.strictEqual((yield* list({ kind: "role-changed" })).count, 1)
        assert.strictEqual((yield* list({ organization: "other" })).count, 0)
        const read = yield* notifications.update(items[2]!.id, { read: true }).pipe(as(people.read))
        assert.deepStrictEqual(read, { ...items[2]!, read: true })
        assert.deepInclude(yield* list({ unread: true }), { count: 5, unread: 5 })
        assert.deepStrictEqual((yield* list({ unread: false })).items, [read])
        yield* notifications.update(items[2]!.id, { read: false }).pipe(as(people.read))
        yield* notifications.markAllRead({ until: items[3]!.id }).pipe(as(people.read))
        assert.deepStrictEqual(
          (yield* list({ unread: true })).items.map(({ id }) => id),
          items.slice(0, 3).map(({ id }) => id)
        )
        yield* notifications.markAllRead({}).pipe(as(people.read))
        assert.deepInclude(yield* list({}), { count: 6, unread: 0 })
        // Notifications belong to one user.
        const refused = yield* Effect.flip(notifications.update(items[0]!.id, { read: false }).pipe(as(people.edit)))
        assert.strictEqual(refused._tag, "NotificationNotFound")
        assert.strictEqual((yield* Effect.flip(notifications.list({})))._tag, "Forbidden")
      })
    )

    rule("are written once, however often an event is handled, and removed after 90 days", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        yield* (yield* Comments).post({ space }, { body: { markdown: mention(people.read) } })
        yield* settle
        yield* (yield* Storage)
          .repository(EventReaderTable)
          .update({ reader: "notifications" }, { after: EventId.make("") })
        yield* settle
        assert.deepStrictEqual(yield* kindsOf({ read: people.read }), { read: ["mention"] })
        yield* TestClock.adjust(notificationAge)
        yield* TestClock.adjust("1 day")
        assert.deepStrictEqual((yield* inboxOf(people.read)).items, [])
        yield* settle
        assert.strictEqual(yield* (yield* Storage).repository(NotificationTable).count({}), 0)
      })
    )

    rule("reach all watchers of a space, in batches", () =>
      Effect.gen(function* () {
        const { org, people, space } = yield* discussion()
        const storage = yield* Storage
        const [members, watches] = [storage.repository(MemberTable), storage.repository(WatchTable)]
        const at = Timestamps.at(0)
        const users = Array.from({ length: 250 }, (_, i) => UserId.make(`member-${i}`))
        yield* storage.transaction(
          Effect.forEach(
            users,
            Effect.fnUntraced(function* (user) {
              yield* members.insert({ organization: org, user, role: "read", disabled: false, joinedAt: at })
              const key = { target: watchKey({ space }), user }
              yield* watches.insert({ ...key, space, state: "watching", automatic: false, createdAt: at })
            }),
            { discard: true }
          )
        )
        yield* (yield* Comments).post({ space }, { body: { markdown: "Hello" } }).pipe(as(people.comment))
        yield* settle
        const rows = yield* storage.repository(NotificationTable).list({ where: {} })
        assert.sameMembers(
          rows.map(({ user }) => user),
          users
        )
      })
    )

    rule("are at most 1,000 for a user, the newest ones", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const storage = yield* Storage
        const post = (yield* Comments).post({ space }, { body: { markdown: mention(people.read) } })
        yield* post
        yield* post
        yield* settle
        const [newer] = (yield* inboxOf(people.read)).items
        // As if 999 more notifications had followed the first two.
        yield* storage.repository(InboxTable).update({ user: people.read }, { last: maxNotifications })
        yield* post
        yield* settle
        const { items, count } = yield* inboxOf(people.read)
        assert.strictEqual(count, 2)
        assert.strictEqual(items[1]?.id, newer?.id)
      })
    )

    rule("are not written for kinds that are switched off", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const notifications = yield* Notifications
        const update = (patch: object) => notifications.updateSettings(patch).pipe(as(people.read))
        const before = yield* notifications.settings.pipe(as(people.read))
        assert.deepInclude(before, { timeZone: "UTC", digestHour: 8 })
        const after = yield* update({ timeZone: "Europe/Paris", kinds: { mention: "off", reply: "digest" } })
        assert.deepStrictEqual(after, {
          ...before,
          timeZone: "Europe/Paris",
          kinds: { ...before.kinds, mention: "off", reply: "digest" }
        })
        assert.deepStrictEqual(yield* update({ kinds: { reply: "mail" } }), {
          ...after,
          kinds: { ...after.kinds, reply: "mail" }
        })
        for (const wrong of [
          { timeZone: "Mars/Olympus" },
          { timeZone: "+05:00" },
          { digestHour: 24 },
          { kinds: { other: "off" } }
        ]) {
          assert.strictEqual((yield* Effect.flip(update(wrong)))._tag, "InvalidInput")
        }
        yield* (yield* Comments).post({ space }, { body: { markdown: mention(people.read) } })
        assert.deepStrictEqual(yield* kindsOf({ read: people.read }), {})
      })
    )

    rule("are not changed by a session of one organization for members of others", () =>
      Effect.gen(function* () {
        const { people, space } = yield* discussion()
        const { organization } = yield* (yield* Spaces).get(space).pipe(as(people.admin))
        const { updateSettings, settings } = yield* Notifications
        const session = { type: "user", user: people.read, organization: OrganizationId.make(organization) } as const
        const update = (kind: "inbox" | "off") =>
          updateSettings({ kinds: { mention: kind } }).pipe(Effect.provideService(CurrentActor, session))
        assert.strictEqual((yield* update("inbox")).kinds.mention, "inbox")
        yield* (yield* Organizations).create({ title: "Other" }, people.read)
        assert.strictEqual((yield* Effect.flip(update("off")))._tag, "Forbidden")
        assert.strictEqual((yield* settings.pipe(as(people.read))).kinds.mention, "inbox")
        assert.strictEqual(
          (yield* updateSettings({ kinds: { mention: "mail" } }).pipe(as(people.read))).kinds.mention,
          "mail"
        )
      })
    )
  })
}
