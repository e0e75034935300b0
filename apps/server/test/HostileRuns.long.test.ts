/** Programs that ask for too much, on a server that runs: each shows up among the events, failed, with its logs and why. */
import { createServer } from "node:http"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import LZString from "lz-string"
import { assertFailed, name, publishHostile, render, traced } from "./HostileSteps.ts"
import { begunServer, cleanUp, type Server } from "./LecternProcess.ts"
import { listen, type Loopback } from "./Loopback.ts"

let server: Server
let outside: Loopback
let asked = 0

beforeAll(async () => {
  outside = await listen(
    createServer((request, answer) => {
      asked++
      if (request.url === "/loop") answer.writeHead(302, { location: "/loop" }).end()
      else answer.end("fine")
    })
  )
  server = await begunServer({ env: { LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" } })
  await publishHostile(server)
})

afterAll(async () => {
  await cleanUp()
  await outside.close()
})

/** The event of a render, which is answered so. */
const rendered = async (props: Record<string, unknown>, status: number) =>
  traced(server, "ui_render", async () => {
    const answer = await render(server, props)
    assert.strictEqual(answer.status, status, JSON.stringify(answer.body))
  })

describe("A program on a server", () => {
  it("that takes 2 GB is ended, on the heap and beside it", async () => {
    for (const what of ["heap", "memory"]) {
      assertFailed(await rendered({ do: what }, 502), /more memory than it may/)
    }
    const task = { task: { do: "memory" } }
    const queued = () => server.call("POST", `/v1/integrations/${name}/tasks`, task)
    assertFailed(await traced(server, "task", queued), /more memory than it may/)
  })

  it("that logs 100,000 lines has written 1,000 of them", async () => {
    const told = await rendered({ do: "logs" }, 200)
    assertFailed(told, /1000 lines/)
    assert.lengthOf(told.trace.logs, 1001)
  })

  it("that makes 10,000 requests makes 50", async () => {
    asked = 0
    assertFailed(await rendered({ do: "requests", url: outside.url }, 200), /at most 50 requests/)
    assert.strictEqual(asked, 50)
  })

  it("that asks for what is private, or a cloud's metadata, is refused", async () => {
    for (const url of [
      "http://10.0.0.1/",
      "http://localhost:4000/",
      "http://[::1]/",
      "http://169.254.169.254/latest/meta-data/",
      "http://[fd00:ec2::254]/latest/meta-data/",
      "http://metadata.google.internal/"
    ]) {
      assertFailed(await rendered({ do: "reach", url }, 200), /private network/)
    }
  })

  it("that follows redirects in a circle ends", async () => {
    asked = 0
    assertFailed(await rendered({ do: "reach", url: `${outside.url}/loop` }, 502), /redirect/i)
    assert.isAtMost(asked, 50)
  })

  it("that answers a gigabyte is cut off", async () => {
    assertFailed(await rendered({ do: "gigabyte" }, 502), /longer than 1024 KiB/)
    const { body } = await server.call("GET", `/v1/integrations/${name}`)
    const told = await traced(server, "fetch", async () => {
      const answer = await fetch(`${body.urls.publicEndpoint}?do=gigabyte`)
      await answer.arrayBuffer().then(
        () => assert.fail("It was answered whole"),
        () => {}
      )
    })
    assertFailed(told, /more than 20 MiB/)
  })

  it("that draws HTML is told that this is no element", async () => {
    assertFailed(await rendered({ do: "html" }, 502), /not an element/)
  })

  it("is asked again where it was published once its developer's tunnel is gone", async () => {
    const gone = await listen(createServer())
    await gone.close()
    const begun = await server.call("PUT", `/v1/integrations/${name}/dev`, { tunnelUrl: gone.url })
    assert.strictEqual(begun.status, 204)
    const { event, trace } = await rendered({}, 502)
    assert.strictEqual(event.status, "failed")
    assert.match(trace.logs.at(-1)!.message, /tunnel can't be reached/)
    await rendered({}, 200)
  })

  it("is asked nothing by a packed request that comes to megabytes", async () => {
    const inflated = JSON.stringify({ componentId: "any", props: { do: "x".repeat(1_000_000) } })
    const ask = (packed: string) => server.call("GET", `/v1/integrations/${name}/render?request=${packed}`)
    const refused = await ask(LZString.compressToEncodedURIComponent(inflated))
    assert.strictEqual(refused.status, 400)
    assert.match(refused.body.error.message, /256 KiB after decompression/)
    // What comes to 50 MB is longer than any that is unpacked.
    const longer = await ask("N".repeat(9_000))
    assert.strictEqual(longer.status, 400)
    assert.match(longer.body.error.message, /at most 8 KiB/)
  })
})
