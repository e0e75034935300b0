/** A server that can't stop by itself. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, temporaryFolder } from "./LecternProcess.ts"

describe("A server that is told to stop", { timeout: 60_000 }, () => {
  afterEach(cleanUp)

  it("is ended when it waits for what never ends, and says for what", async () => {
    const loaded = join(temporaryFolder(), "never-closes.mjs")
    writeFileSync(loaded, 'import { Server } from "node:http"\nServer.prototype.close = function () { return this }\n')
    const server = await begunServer({ loaded })
    const { code, stderr } = await server.signal("SIGTERM")
    assert.strictEqual(code, 1, stderr)
    assert.match(stderr, /did not stop within 10 seconds.*It waited for: .*TCPServerWrap/)
  })
})
