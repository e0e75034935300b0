import { createSocket } from "node:dgram"
import { once } from "node:events"
import { DomainNames } from "@lectern/core/site/DomainNames"
import { NodeDomainNames } from "@lectern/services-node/site/NodeDomainNames"
import { assert, describe, it } from "@effect/vitest"
import * as packet from "dns-packet"
import { Effect } from "effect"

const records: Readonly<Record<string, ReadonlyArray<ReadonlyArray<string>>>> = {
  "_lectern.docs.example.com": [["v=other"], ["lectern-verification=", "a".repeat(200)]]
}

/** A name server on a port of its own. */
const nameServer = Effect.acquireRelease(
  Effect.promise(async () => {
    const socket = createSocket("udp4")
    socket.on("message", (message, { port, address }) => {
      const { id, questions = [] } = packet.decode(message)
      const name = questions[0]!.name
      if (name === "broken.example.com") {
        socket.send(packet.encode({ type: "response", id: id!, flags: 2, questions }), port, address)
        return
      }
      const found = records[name]
      socket.send(
        packet.encode({
          type: "response",
          id: id!,
          // 3: there is no such name.
          flags: found === undefined ? 3 : 0,
          questions,
          answers: (found ?? []).map((data) => ({ type: "TXT" as const, name, data: [...data] }))
        }),
        port,
        address
      )
    })
    socket.bind(0, "127.0.0.1")
    await once(socket, "listening")
    return socket
  }),
  (socket) => Effect.promise(() => new Promise<void>((closed) => socket.close(() => closed())))
)

describe("NodeDomainNames", () => {
  it.effect("asks name servers for TXT records, and tells none from no answer", () =>
    Effect.gen(function* () {
      const { port } = (yield* nameServer).address()
      const layer = NodeDomainNames.layer({ servers: [`127.0.0.1:${port}`] })
      const { texts } = yield* Effect.provide(DomainNames, layer)
      assert.deepStrictEqual(yield* texts("_lectern.docs.example.com"), [
        "v=other",
        `lectern-verification=${"a".repeat(200)}`
      ])
      assert.deepStrictEqual(yield* texts("_lectern.none.example.com"), [])
      const failure = yield* Effect.flip(texts("broken.example.com"))
      assert.match(failure.message, /broken\.example\.com give no answer/)
    })
  )

  it.effect("finds the addresses of hosts and of this machine", () =>
    Effect.gen(function* () {
      const { addresses, ownAddresses: own } = yield* Effect.provide(DomainNames, NodeDomainNames.layer())
      assert.include(yield* addresses("localhost"), "127.0.0.1")
      assert.include(yield* own, "127.0.0.1")
    })
  )
})
