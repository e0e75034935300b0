/** Tests that the list commands of `lectern` find lost ids and tokens. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, lectern, lecternJson } from "./LecternProcess.ts"

describe("lectern's lists", () => {
  afterEach(cleanUp)

  it("name what there is, so that a lost token can be made again", async () => {
    const server = await begunServer()
    const { data, organization, user, space } = server.ready
    const at = ["--data", data]
    const { organizations } = await lecternJson(["organization", "list", ...at])
    assert.deepStrictEqual(
      organizations.map(({ id, title }: any) => [id, title]),
      [[organization.id, organization.title]]
    )
    const { users } = await lecternJson(["user", "list", "--organization", organization.id, ...at])
    assert.deepStrictEqual(users[0].organizations, [{ id: organization.id, role: "admin" }])
    assert.strictEqual(users[0].id, user.id)
    const { spaces } = await lecternJson(["space", "list", ...at])
    assert.include(
      spaces.map(({ id }: any) => id),
      space.id
    )
    await server.call("POST", `/v1/orgs/${organization.id}/sites`, { title: "Listed", basename: "listed" })
    const { sites } = await lecternJson(["site", "list", "--organization", organization.id, ...at])
    assert.isDefined(sites.find(({ title, basename }: any) => title === "Listed" && basename === "listed"))
    assert.deepStrictEqual((await lecternJson(["site", "list", "--organization", "none", ...at])).sites, [])
    const { token } = await lecternJson(["token", "create", "--user", users[0].id, ...at])
    const { body } = await server.call("GET", "/v1/user", undefined, token)
    assert.strictEqual(body.id, user.id)
    const { code, stdout } = await lectern(["user", "list", ...at])
    assert.strictEqual(code, 0)
    assert.include(stdout, user.id)
  })
})
