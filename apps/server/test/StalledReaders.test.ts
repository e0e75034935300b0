/** Clients that take nothing of their answers are hung up on, and slow ones are not. */
import { once } from "node:events"
import { createServer, type IncomingMessage } from "node:http"
import { type AddressInfo, connect, type Socket } from "node:net"
import { connect as connectSecurely } from "node:tls"
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import { HttpServerResponse } from "effect/http"
import { openConnections } from "../src/edge/Connections.ts"
import { makePoll } from "../src/edge/StalledReaders.ts"
import * as Listener from "../src/Listener.ts"
import * as Certificates from "./Certificates.ts"
import { at, portOf, responding, temporary } from "./Listening.ts"

/** More than the system takes of one connection, at once and after a part was read. */
const answer = Buffer.alloc(64 * 1024 * 1024)
const part = 32 * 1024 * 1024

const asked = "GET / HTTP/1.1\r\nhost: x\r\n\r\n"

/** Reads so many bytes, and then no more. */
const reads = (client: Socket, bytes: number) =>
  new Promise<void>((done) => {
    let left = bytes
    client.resume().on("data", (chunk: Buffer) => {
      left -= chunk.length
      if (left > 0) return
      client.pause().removeAllListeners("data")
      done()
    })
  })

describe("StalledReaders", () => {
  it("are hung up on once nothing was taken for so long, and not before", async () => {
    const server = createServer((_request, response) => response.end(answer)).listen(0, "127.0.0.1")
    await once(server, "listening")
    const open = openConnections(server)
    const look = makePoll(open, 1_000)
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1").pause()
    client.write(asked.repeat(3))
    const [request] = await once(server, "request")
    const connection: Socket = request.socket
    look(0)
    look(999)
    assert.isFalse(connection.destroyed)
    await reads(client, part)
    look(1_000)
    look(1_999)
    assert.isFalse(connection.destroyed)
    look(2_000)
    assert.isTrue(connection.destroyed)
    client.destroy()
    await once(server.close(), "close")
  })

  it("are no clients that wait for an answer", async () => {
    const server = createServer(() => {}).listen(0, "127.0.0.1")
    await once(server, "listening")
    const look = makePoll(openConnections(server), 1_000)
    const client = connect((server.address() as AddressInfo).port, "127.0.0.1")
    client.write(asked)
    const [request] = await once(server, "request")
    for (const now of [0, 1_000, 2_000]) look(now)
    assert.isFalse(request.socket.destroyed)
    client.destroy()
    await once(server.close(), "close")
  })

  for (const isSecure of [false, true]) {
    it.live(`are hung up on by a listener, ${isSecure ? "TLS" : "HTTP"}`, () =>
      Effect.gen(function* () {
        const files = Certificates.filesIn(yield* temporary)
        Certificates.write(files, Certificates.one)
        const { trusted, limits } = Listener.defaultEdge
        const { at: bound, serve } = yield* Listener.make({
          at,
          edge: { trusted, limits: { ...limits, headers: 100, request: 100 } },
          ...(isSecure && { certificate: files })
        })
        const gone = Promise.withResolvers<void>()
        yield* serve(
          responding(({ source }) =>
            Effect.sync(() => {
              ;(source as IncomingMessage).socket.once("close", () => gone.resolve())
              return HttpServerResponse.uint8Array(answer)
            })
          )
        )
        const port = portOf(bound)
        const client = isSecure
          ? connectSecurely({ port, host: "127.0.0.1", rejectUnauthorized: false })
          : connect(port, "127.0.0.1")
        client
          .on("error", () => {})
          .pause()
          .write(asked)
        yield* Effect.promise(() => gone.promise)
        client.destroy()
      }).pipe(Effect.scoped)
    )
  }
})
