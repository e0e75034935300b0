/** How a server stops: with callers who are slow to ask, and where it can't stop by itself. */
import { execFileSync } from "node:child_process"
import { once } from "node:events"
import { writeFileSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { begunServer, cleanUp, temporaryFolder } from "./LecternProcess.ts"

describe("A server that is told to stop", () => {
  afterEach(cleanUp)

  it("gives up on those who are slow to ask, here and there, at one time", async () => {
    const server = await begunServer()
    const open = [server.url, server.ready.integrationsUrl].map((url) =>
      connect(Number(new URL(url).port), "127.0.0.1")
    )
    for (const socket of open) {
      socket.on("error", () => {}).write("GET /v1/user HTTP/1.1\r\nHost")
      await once(socket, "connect")
    }
    // It has read them, too: what is asked later is answered.
    await server.call("GET", "/v1/user")
    const { code, stderr } = await server.signal("SIGTERM")
    assert.strictEqual(code, 0, stderr)
  })

  it("is ended when it waits for what never ends, and says for what", async () => {
    const loaded = join(temporaryFolder(), "never-closes.mjs")
    writeFileSync(loaded, 'import { Server } from "node:http"\nServer.prototype.close = function () { return this }\n')
    const server = await begunServer({ loaded })
    const { stderr } = await server.signal("SIGTERM")
    assert.strictEqual(server.child.signalCode, "SIGKILL", stderr)
    assert.match(stderr, /did not stop within 10 seconds.*It waited for: .*TCPServerWrap/)
  })

  it("is ended when a thread of it is held up in the system, and an exit would wait for it", async () => {
    const folder = temporaryFolder()
    const pipe = join(folder, "pipe")
    execFileSync("mkfifo", [pipe])
    const loaded = join(folder, "held-up.mjs")
    writeFileSync(
      loaded,
      `import { Server } from "node:http"
      import { isMainThread, Worker } from "node:worker_threads"
      Server.prototype.close = function () { return this }
      const heldUp = "require('node:fs').openSync(" + JSON.stringify(${JSON.stringify(pipe)}) + ")"
      if (isMainThread) new Worker(heldUp, { eval: true, execArgv: [] })`
    )
    const server = await begunServer({ loaded })
    const { stderr } = await server.signal("SIGTERM")
    assert.strictEqual(server.child.signalCode, "SIGKILL", stderr)
    assert.match(stderr, /did not stop within 10 seconds/)
  })

  it("is ended where it is told so before it is ready", async () => {
    const loaded = join(temporaryFolder(), "told-early.mjs")
    writeFileSync(
      loaded,
      `import { Server } from "node:http"
      const { listen } = Server.prototype
      Server.prototype.close = function () { return this }
      Server.prototype.listen = function (...given) {
        this.once("listening", () => process.kill(process.pid, "SIGTERM"))
        return listen.apply(this, given)
      }`
    )
    const told = await begunServer({ loaded }).then(() => "It was ready", String)
    assert.match(told, /ended with null: .*did not stop within 10 seconds/s)
  })
})
