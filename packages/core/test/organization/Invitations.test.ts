import { CurrentActor } from "@lectern/core/access/Actor"
import { type Invite, maxPending } from "@lectern/core/organization/Invitation"
import { Invitations } from "@lectern/core/organization/Invitations"
import { Members } from "@lectern/core/organization/Members"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Storage } from "@lectern/core/storage/Storage"
import { Users } from "@lectern/core/user/Users"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { emitted, members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPathsOf } from "../Issues.ts"

/** An organization with one pending invitation, of `outsider` by `admin`. */
const invited = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const invitations = yield* Invitations
  const invite = (emails: Invite["emails"]) => invitations.invite(org, { emails }).pipe(as(people.admin))
  const [invitation] = (yield* invite([{ email: "Outsider@example.com", role: "edit" }])).invites
  return { org, elsewhere, people, invitations, invite, invitation: invitation! }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Invitations (${name})`, () => {
    const rule = ruleOn(services)

    rule("are sent and listed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, invitations } = yield* invited
        for (const use of [
          invitations.invite(org, { emails: ["new@example.com"] }),
          invitations.list(org, {}),
          invitations.remove(org, "unknown")
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("wait for people who are no members yet, with the default role", () =>
      Effect.gen(function* () {
        const { org, people, invite, invitations } = yield* invited
        const { users, invited: count, invites } = yield* invite(["new@example.com", "READ@example.com"])
        assert.deepStrictEqual([users, count], [[people.read], 1])
        assert.deepInclude(invites[0], { email: "new@example.com", role: "read" })
        yield* (yield* Organizations).update(org, { defaultRole: "comment" })
        assert.strictEqual((yield* invite(["next@example.com"])).invites[0]?.role, "comment")
        assert.strictEqual((yield* (yield* Members).get(org, people.read)).role, "read")
        assert.strictEqual((yield* invitations.list(org, {})).count, 3)
      })
    )

    rule("exist once per address, and take a new role", () =>
      Effect.gen(function* () {
        const { org, invite, invitations, invitation } = yield* invited
        const same = invite([{ email: "outsider@EXAMPLE.com", role: "edit" }])
        assert.deepStrictEqual(yield* emitted(same), [])
        const other = invite([{ email: "outsider@example.com", role: null }, "Outsider@example.com"])
        assert.deepStrictEqual(yield* emitted(other), ["invitation_updated"])
        const { items, count } = yield* invitations.list(org, {})
        assert.deepStrictEqual([count, items[0]], [1, { ...invitation, role: null }])
      })
    )

    rule("make people members at once if the host invites, or if the organization owns the domain", () =>
      Effect.gen(function* () {
        const { org, people, invite, invitations } = yield* invited
        const byHost = yield* invitations.invite(org, {
          emails: ["outsider@example.com", "new@other.com"],
          role: "edit"
        })
        assert.deepStrictEqual([byHost.users.length, byHost.invited, byHost.invites], [2, 2, []])
        assert.strictEqual((yield* (yield* Members).get(org, people.outsider)).role, "edit")
        assert.strictEqual((yield* invitations.list(org, {})).count, 0)
        yield* (yield* Organizations).update(org, { emailDomains: ["Acme.org"] })
        const owned = yield* invite(["ada@acme.ORG", "ada@sub.acme.org"])
        assert.deepStrictEqual([owned.users.length, owned.invites.map(({ email }) => email)], [1, ["ada@sub.acme.org"]])
      })
    )

    rule("are visible to the invited person and to administrators", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, invitations, invitation } = yield* invited
        assert.deepStrictEqual(yield* outcomes(people, invitations.get(org, invitation.id)), {
          ok: "host admin outsider",
          Forbidden: "create review edit comment read guest"
        })
        assert.strictEqual(yield* outcome(invitations.get(org, "unknown")), "InvitationNotFound")
        assert.strictEqual(yield* outcome(invitations.get(elsewhere, invitation.id)), "InvitationNotFound")
        assert.deepStrictEqual((yield* invitations.mine({}).pipe(as(people.outsider))).items, [invitation])
        assert.deepStrictEqual((yield* invitations.mine({}).pipe(as(people.read))).items, [])
        assert.strictEqual(yield* outcome(invitations.mine({})), "UserNotFound")
      })
    )

    rule("are accepted by the invited person only, who gets the role", () =>
      Effect.gen(function* () {
        const { org, people, invitations, invitation } = yield* invited
        const accept = invitations.accept(org, invitation.id)
        const { outsider, ...others } = people
        assert.deepStrictEqual(yield* outcomes(others, accept), {
          InvitationNotFound: "host admin create review edit comment read guest"
        })
        assert.deepStrictEqual(yield* emitted(accept.pipe(as(outsider))), ["member_joined"])
        assert.strictEqual((yield* (yield* Members).get(org, outsider)).role, "edit")
        assert.strictEqual((yield* invitations.list(org, {})).count, 0)
        assert.strictEqual(yield* outcome(accept.pipe(as(outsider))), "InvitationNotFound")
      })
    )

    rule("are not accepted by a session of another organization", () =>
      Effect.gen(function* () {
        const { org, elsewhere, people, invitations, invitation } = yield* invited
        const session = { type: "user", user: people.outsider, organization: elsewhere } as const
        const inSession = Effect.provideService(CurrentActor, session)
        assert.strictEqual(yield* outcome(invitations.accept(org, invitation.id)).pipe(inSession), "InvitationNotFound")
        assert.strictEqual((yield* invitations.mine({}).pipe(inSession)).count, 0)
      })
    )

    rule("are declined by the invited person, or withdrawn by administrators", () =>
      Effect.gen(function* () {
        const { org, people, invite, invitations, invitation } = yield* invited
        const decline = invitations.remove(org, invitation.id)
        assert.strictEqual(yield* outcome(decline).pipe(as(people.read)), "Forbidden")
        assert.deepStrictEqual(yield* emitted(decline.pipe(as(people.outsider))), ["invitation_removed"])
        const [again] = (yield* invite(["outsider@example.com"])).invites
        const withdraw = invitations.remove(org, again!.id).pipe(as(people.admin))
        assert.deepStrictEqual(yield* emitted(withdraw), ["invitation_removed"])
        assert.deepStrictEqual(yield* emitted(withdraw), [])
      })
    )

    rule("are sent all or none", () =>
      Effect.gen(function* () {
        const { org, people, invite, invitations } = yield* invited
        const users = yield* Users
        for (let i = 0; i + 1 < maxPending; i += 100) {
          const emails = Array.from(
            { length: Math.min(100, maxPending - 1 - i) },
            (_, n) => `user-${i + n}@example.com`
          )
          yield* invite(emails)
        }
        yield* (yield* Organizations).update(org, { emailDomains: ["acme.org"] })
        const tooMany = invite(["ada@acme.org", "one-more@example.com"])
        assert.deepStrictEqual(yield* emitted(Effect.flip(tooMany)), [])
        assert.strictEqual(yield* outcome(tooMany), "TooManyInvitations")
        assert.isUndefined(yield* users.byEmail("ada@acme.org"))
        assert.strictEqual((yield* invitations.list(org, {}).pipe(as(people.admin))).count, maxPending)
        assert.strictEqual(yield* outcome(invite(["user-1@example.com"])), "ok")
      })
    )

    rule("become one membership if they are accepted twice at the same time", () =>
      Effect.gen(function* () {
        const { org, people, invitations, invitation } = yield* invited
        const accept = outcome(invitations.accept(org, invitation.id)).pipe(as(people.outsider))
        const both = Effect.all([accept, accept], { concurrency: "unbounded" })
        assert.deepStrictEqual(yield* emitted(both), ["member_joined"])
      })
    )

    rule("reject invalid addresses and roles", () =>
      Effect.gen(function* () {
        const { org, invitations } = yield* invited
        const { generation } = yield* Storage
        const before = yield* generation
        assert.deepStrictEqual(
          yield* invalidPathsOf<Invite, CurrentActor>(
            [
              { emails: [] },
              { emails: Array.from({ length: 101 }, (_, i) => `${i}@example.com`) },
              { emails: ["new@example.com", "nobody"] },
              { emails: ["new@example.com"], role: "owner" as "admin" }
            ],
            (input) => invitations.invite(org, input)
          ),
          ["emails", "emails", "emails[1]", "role"]
        )
        assert.strictEqual(yield* generation, before)
      })
    )

    rule("return their link to the inviting person without mail, but never one for an existing user", () =>
      Effect.gen(function* () {
        const { invite, invitations, org, people } = yield* invited
        const before = (yield* invite(["new@example.com"])).invites[0]
        assert.isUndefined(before?.urls.link)
        yield* invitations.useLinks(({ email }, { isMailed }) =>
          Effect.succeed(`https://lectern.example.com/-/link?token=${email}-${isMailed}`)
        )
        const { invites } = yield* invite(["new@example.com", "outsider@example.com", "admin@example.com"])
        assert.deepStrictEqual(
          invites.map(({ email, urls }) => [email, urls.link]),
          [
            ["new@example.com", "https://lectern.example.com/-/link?token=new@example.com-false"],
            ["Outsider@example.com", undefined]
          ]
        )
        const { items } = yield* invitations.list(org, {}).pipe(as(people.admin))
        assert.isTrue(items.every(({ urls }) => urls.link === undefined))
      })
    )
  })
}
