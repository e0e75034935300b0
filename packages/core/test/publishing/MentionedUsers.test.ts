import { CurrentActor } from "@lectern/core/access/Actor"
import { makeMentionedUsers } from "@lectern/core/publishing/MentionedUsers"
import { PublishedUrls } from "@lectern/core/publishing/urls/PublishedUrls"
import { Sites } from "@lectern/core/site/Sites"
import { VisitorTokens } from "@lectern/core/visitor/VisitorTokens"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { publish } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { siteWithMembers } from "../site/SiteMembers.ts"

/** A published site with a page that mentions the member `read`, and its visitor. */
const mentioned = Effect.gen(function* () {
  const fixture = yield* siteWithMembers
  const { org, site, guide, people } = fixture
  const mention = { object: "inline", type: "mention", data: { ref: { kind: "user", user: people.read } } }
  const document = { object: "document", data: {}, nodes: [{ object: "block", type: "paragraph", nodes: [mention] }] }
  const pages = yield* publish(guide, [
    { operation: "insert_page", title: "Team", ref: "team", document: { document } }
  ])
  const { urls } = yield* (yield* Sites).publish(org, site)
  const found = yield* (yield* PublishedUrls).resolve({ url: urls.published! })
  const visitor = (yield* (yield* VisitorTokens).visitor("apiToken" in found ? found.apiToken : ""))!
  const users = yield* makeMentionedUsers
  const asVisitor = (id: typeof people.read) => users.get(id).pipe(Effect.provideService(CurrentActor, visitor))
  return { ...fixture, page: pages.get("team")!, users, asVisitor }
})

for (const [name, services] of onEach(adapters)) {
  describe(`MentionedUsers (${name})`, () => {
    const rule = ruleOn(services)

    rule("are members of an organization of the actor, with their address", () =>
      Effect.gen(function* () {
        const { people, users } = yield* mentioned
        assert.deepStrictEqual(yield* outcomes(people, users.get(people.read)), {
          ok: "host admin create review edit comment read guest",
          UserNotFound: "outsider"
        })
        assert.strictEqual((yield* users.get(people.read)).email, "read@example.com")
      })
    )

    rule("are known to visitors by name, if a page that they read mentions them", () =>
      Effect.gen(function* () {
        const { people, asVisitor } = yield* mentioned
        const found = yield* asVisitor(people.read)
        assert.strictEqual(found.id, people.read)
        assert.notProperty(found, "email")
        for (const other of [people.admin, people.outsider]) {
          assert.strictEqual(yield* outcome(asVisitor(other)), "UserNotFound")
        }
      })
    )

    rule("are no longer known after the mention or the site is gone", () =>
      Effect.gen(function* () {
        const { org, site, guide, people, page, asVisitor } = yield* mentioned
        const sites = yield* Sites
        yield* sites.unpublish(org, site)
        assert.strictEqual(yield* outcome(asVisitor(people.read)), "UserNotFound")
        yield* sites.publish(org, site)
        assert.strictEqual(yield* outcome(asVisitor(people.read)), "ok")
        yield* publish(guide, [{ operation: "delete_page", page }])
        assert.strictEqual(yield* outcome(asVisitor(people.read)), "UserNotFound")
      })
    )
  })
}
