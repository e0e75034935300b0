/** A program that never ends, on a server that runs: it takes the 30 seconds that it may. */
import { afterEach, assert, describe, it } from "@effect/vitest"
import { assertFailed, name, publishHostile, render, traced } from "./HostileSteps.ts"
import { begunServer, cleanUp } from "./LecternProcess.ts"

afterEach(cleanUp)

describe("A program that never ends", () => {
  it("is ended, which its event says with what it logged, and answers the next one", async () => {
    const server = await begunServer()
    await publishHostile(server)
    const queued = () => server.call("POST", `/v1/integrations/${name}/tasks`, { task: { do: "loop" } })
    assertFailed(await traced(server, "task", queued), /within 30s/)
    const asked = async () => assert.strictEqual((await render(server, { do: "loop" })).status, 502)
    assertFailed(await traced(server, "ui_render", asked), /within 30s/)
    assert.strictEqual((await render(server, {})).status, 200)
  })
})
