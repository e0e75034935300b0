/** The catalogue over several starts of a server, one of them an hour later. */
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { catalogue, install, isContent, serveCatalogue, write } from "./CatalogueSteps.ts"
import { cleanUp, lectern, lecternJson, temporaryFolder } from "./LecternProcess.ts"
import { Receiver } from "./Receiver.ts"

const secret = "a secret of sixteen or more"
const hourAhead = { NODE_OPTIONS: `--import=${new URL("ShiftedClock.ts", import.meta.url).href}`, SHIFT_HOURS: "1" }

let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.open()
})

afterAll(async () => {
  await cleanUp()
  await receiver.close()
})

describe("The catalogue", () => {
  it("sends again what was not taken, over a restart of the server, signed anew", async () => {
    const server = await serveCatalogue(temporaryFolder())
    await catalogue(server)
    await install(server, "lectern-webhook", { url: receiver.url, secret })
    receiver.refuse(isContent, 500, 500)
    const revision = await write(server, "One")
    const isIt = ({ body }: { readonly body: string }) => body.includes(revision)
    await receiver.until(isIt, 2)
    for (;;) {
      const { body } = await server.call("GET", "/v1/integrations/lectern-webhook/events")
      if (body.items.some(({ payload }: any) => payload.revisionId === revision)) break
    }
    await server.signal("SIGTERM")
    await serveCatalogue(server.ready.data, { token: server.token, env: hourAhead })
    const [first, , third] = await receiver.until(isIt, 3)
    assert.strictEqual(third!.body, first!.body)
    assert.strictEqual(third!.headers["webhook-id"], first!.headers["webhook-id"])
  })

  it("leaves alone what the operator has unpublished, until it is published again", async () => {
    const server = await serveCatalogue(temporaryFolder())
    const { data } = server.ready
    await catalogue(server)
    const slack = async () => {
      const { integrations } = await lecternJson(["catalogue", "--data", data])
      return integrations.find(({ name }: any) => name === "lectern-slack").status
    }
    assert.strictEqual(await slack(), "published")
    const again = await lectern(["catalogue", "publish", "lectern-slack", "--data", data])
    assert.deepStrictEqual(
      [again.code, again.stderr],
      [1, "lectern: lectern-slack is published already and up to date\n"]
    )
    await lecternJson(["catalogue", "unpublish", "lectern-slack", "--data", data])
    assert.strictEqual((await server.call("GET", "/v1/integrations/lectern-slack")).status, 404)
    await server.signal("SIGTERM")
    const next = await serveCatalogue(data, { token: server.token })
    assert.strictEqual(await slack(), "unpublished")
    await lecternJson(["catalogue", "publish", "lectern-slack", "--data", data])
    assert.strictEqual((await next.call("GET", "/v1/integrations/lectern-slack")).status, 200)
  })
})
