import type { CurrentActor } from "@lectern/core/access/Actor"
import { Invitations } from "@lectern/core/organization/Invitations"
import { type InviteLinkCreate, maxInviteLinks } from "@lectern/core/organization/InviteLink"
import { InviteLinks } from "@lectern/core/organization/InviteLinks"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"
import { disable } from "./DisabledMember.ts"

/** An organization with an invite link of its administrator. `id` contains the secret, `linkName` does not. */
const linked = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const links = yield* InviteLinks
  const { id } = yield* links.create(org, { role: "edit" }).pipe(as(people.admin))
  const join = (user: keyof typeof people, link = id) =>
    Effect.flatMap(Invitations, (invitations) => outcome(invitations.accept(org, link)).pipe(as(people[user])))
  return { org, elsewhere, people, links, id, linkName: id.split("_")[0]!, join }
})

for (const [name, services] of onEach(adapters)) {
  describe(`InviteLinks (${name})`, () => {
    const rule = ruleOn(services)

    rule("are managed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, links, linkName } = yield* linked
        for (const use of [
          links.create(org, { role: null }),
          links.list(org, {}),
          links.get(org, linkName),
          links.update(org, linkName, { role: "read" }),
          links.remove(org, "unknown")
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("contain their secret only in the response to the creation", () =>
      Effect.gen(function* () {
        const { org, people, links, id, linkName } = yield* linked
        assert.match(id, /^[^_]+_.{43}$/)
        const [listed] = (yield* links.list(org, {})).items
        assert.strictEqual(listed?.id, linkName)
        assert.strictEqual((yield* links.get(org, linkName)).id, linkName)
        assert.strictEqual((yield* links.get(org, id).pipe(as(people.outsider))).id, linkName)
      })
    )

    rule("admit every user who has the secret, once", () =>
      Effect.gen(function* () {
        const { org, people, id, linkName, join } = yield* linked
        assert.strictEqual(yield* join("outsider", linkName), "InvitationNotFound")
        assert.strictEqual(yield* join("outsider", `${id.slice(0, -1)}!`), "InvitationNotFound")
        assert.deepStrictEqual(yield* emitted(join("outsider")), ["member_joined"])
        assert.strictEqual((yield* (yield* Members).get(org, people.outsider)).role, "edit")
        assert.deepStrictEqual(yield* emitted(join("outsider")), [])
      })
    )

    rule("neither change the role of members nor enable disabled ones", () =>
      Effect.gen(function* () {
        const { org, people, join } = yield* linked
        assert.strictEqual(yield* join("read"), "ok")
        assert.strictEqual((yield* (yield* Members).get(org, people.read)).role, "read")
        yield* disable(org, people.read)
        assert.strictEqual(yield* join("read"), "InvitationNotFound")
      })
    )

    rule("state if they are redundant for the actor", () =>
      Effect.gen(function* () {
        const { org, people, links, id } = yield* linked
        const redundant = (user: keyof typeof people) =>
          Effect.map(links.get(org, id).pipe(as(people[user])), (link) => link.redundant)
        assert.isTrue(yield* redundant("review"))
        assert.isTrue(yield* redundant("edit"))
        assert.isFalse(yield* redundant("read"))
        assert.isFalse(yield* redundant("outsider"))
      })
    )

    rule("admit nobody while their creator is no administrator, or while the organization allows no links", () =>
      Effect.gen(function* () {
        const { org, people, links, id, join } = yield* linked
        const members = yield* Members
        const organizations = yield* Organizations
        yield* members.changeRole(org, people.create, "admin")
        yield* members.changeRole(org, people.admin, "edit")
        assert.strictEqual(yield* join("outsider"), "InvitationNotFound")
        assert.strictEqual(yield* outcome(links.get(org, id)).pipe(as(people.outsider)), "OrganizationNotFound")
        yield* members.changeRole(org, people.admin, "admin")
        yield* organizations.update(org, { inviteLinks: false })
        assert.strictEqual(yield* join("outsider"), "InvitationNotFound")
        assert.strictEqual(yield* outcome(links.create(org, { role: "read" })), "InviteLinksRefused")
        yield* organizations.update(org, { inviteLinks: true })
        assert.strictEqual(yield* join("outsider"), "ok")
      })
    )

    rule("expire after 7 days by default", () =>
      Effect.gen(function* () {
        const { org, links, linkName, join } = yield* linked
        yield* TestClock.adjust("7 days")
        assert.strictEqual(yield* join("outsider"), "InvitationNotFound")
        assert.strictEqual((yield* links.list(org, {})).count, 0)
        assert.strictEqual(yield* outcome(links.get(org, linkName)), "InviteLinkNotFound")
        assert.strictEqual(yield* outcome(links.update(org, linkName, { role: "read" })), "InviteLinkNotFound")
      })
    )

    rule("last a year at most, and take only roles that exist", () =>
      Effect.gen(function* () {
        const { org, links } = yield* linked
        assert.deepStrictEqual(
          yield* invalidPathsOf<InviteLinkCreate, CurrentActor>(
            [
              { role: "read", expiresAt: "1970-01-01T00:00:00Z" },
              { role: "read", expiresAt: "1971-01-01T00:00:01Z" },
              { role: "read", expiresAt: "tomorrow" },
              { role: "owner" as "admin" },
              { role: "read", expiresAt: "1971-01-01T00:00:00Z" }
            ],
            (input) => links.create(org, input)
          ),
          ["body.expiresAt", "body.expiresAt", "expiresAt", "role", "ok"]
        )
      })
    )

    rule("change their role for later members", () =>
      Effect.gen(function* () {
        const { org, people, links, linkName, join } = yield* linked
        const update = links.update(org, linkName, { role: null })
        assert.deepStrictEqual(yield* emitted(update), ["invite_link_updated"])
        assert.deepStrictEqual(yield* emitted(update), [])
        yield* join("outsider")
        assert.isNull((yield* (yield* Members).get(org, people.outsider)).role)
      })
    )

    rule("are removed once, and then admit nobody", () =>
      Effect.gen(function* () {
        const { org, elsewhere, links, linkName, join } = yield* linked
        assert.deepStrictEqual(yield* emitted(links.remove(elsewhere, linkName)), [])
        assert.deepStrictEqual(yield* emitted(links.remove(org, linkName)), ["invite_link_removed"])
        assert.deepStrictEqual(yield* emitted(links.remove(org, linkName)), [])
        assert.strictEqual(yield* join("outsider"), "InvitationNotFound")
      })
    )

    rule("are limited in number, apart from expired ones", () =>
      Effect.gen(function* () {
        const { org, links } = yield* linked
        const create = links.create(org, { role: "read" })
        for (let i = 1; i < maxInviteLinks; i++) yield* create
        assert.strictEqual(yield* outcome(create), "InviteLinksRefused")
        yield* TestClock.adjust("7 days")
        assert.strictEqual(yield* outcome(create), "ok")
        assert.strictEqual((yield* links.list(org, {})).count, 1)
      })
    )
  })
}
