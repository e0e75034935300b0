/** Telling a collector, and telling people where it hears nothing. */
import { once } from "node:events"
import { createServer } from "node:http"
import type { AddressInfo } from "node:net"
import { assert, describe, it } from "@effect/vitest"
import { Deferred, Effect, Layer, Logger } from "effect"
import * as Telemetry from "../src/observe/Telemetry.ts"

/** A collector that answers with this status. */
const answering = (status: number) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const server = createServer((_, response) => response.writeHead(status).end()).listen(0, "127.0.0.1")
      await once(server, "listening")
      return server
    }),
    (server) => Effect.sync(() => (server.close(), server.closeAllConnections()))
  )

/** The first warning of one that is told something. */
const warningOf = (port: number) =>
  Effect.gen(function* () {
    const warned = yield* Deferred.make<string>()
    const logger = Logger.make<unknown, void>(({ logLevel, message }) => {
      if (logLevel === "Warn") Deferred.doneUnsafe(warned, Effect.succeed(String(message)))
    })
    const telemetry = Telemetry.layer(`http://127.0.0.1:${port}`).pipe(Layer.provideMerge(Logger.layer([logger])))
    return yield* Effect.provide(
      Effect.andThen(Effect.logInfo("Something happened"), Deferred.await(warned)),
      telemetry
    )
  })

describe("Telemetry", () => {
  it.live("says that the collector can't be reached, or refuses", () =>
    Effect.gen(function* () {
      const refusing = (yield* answering(403)).address() as AddressInfo
      assert.match(
        yield* warningOf(refusing.port),
        /LECTERN_OTLP_URL does not accept traces, metrics or logs: it responds with status 403$/
      )
      const gone = yield* Effect.scoped(Effect.map(answering(200), (server) => (server.address() as AddressInfo).port))
      assert.match(yield* warningOf(gone), /it can't be reached$/)
    }).pipe(Effect.scoped)
  )
})
