/** A filter that names what one may not see answers as one that names nothing at all. */
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { Harness, has, onMemory, type Person } from "./Harness.ts"
import { createSite, publishSite } from "./SiteSteps.ts"
import { createSpace, createTeam, openChangeRequest } from "./Steps.ts"

onMemory("A filter by what is not seen", (it) => {
  it.effect("finds what one by nothing at all finds", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const [open, closed] = [yield* createSpace(), yield* createSpace()]
      const { id: site } = yield* createSite([open.id, closed.id])
      yield* publishSite(site)
      yield* openChangeRequest(closed.id, {}, "create")
      yield* createTeam
      yield* call("admin", "PATCH", `/v1/spaces/${closed.id}`, { defaultLevel: null }).pipe(has(200))
      const org = `/v1/orgs/${organization}`
      const found = Effect.fnUntraced(function* (person: Person, path: string) {
        return JSON.parse((yield* call(person, "GET", path).pipe(has(200))).text)
      })
      assert.strictEqual((yield* found("read", `${org}/sites?space=${open.id}`)).count, 1)
      assert.strictEqual((yield* found("admin", `${org}/sites?space=${closed.id}`)).count, 1)
      const filters = [
        (id: string) => `${org}/sites?space=${id}`,
        (id: string) => `${org}/sites?space=${id}&title=x`,
        (id: string) => `${org}/sites?space=${id}&published=true`
      ]
      for (const filter of filters) {
        assert.deepStrictEqual(yield* found("read", filter(closed.id)), yield* found("read", filter("nothing")))
      }
      // Those by people: who belongs to another organization is nobody here, and unseen work is not counted.
      const byPerson = [
        (id: string) => `${org}/teams?owner=${id}`,
        (id: string) => `${org}/change-requests?status=all&contributor=${id}`,
        (id: string) => `/v1/spaces/${open.id}/change-requests?status=all&contributor=${id}`,
        (id: string) => `/v1/spaces/${open.id}/comments?authors=${id}`
      ]
      for (const filter of byPerson) {
        for (const person of [users.outsider, users.create]) {
          assert.deepStrictEqual(yield* found("read", filter(person)), yield* found("read", filter("nobody")))
        }
      }
    })
  )
})
