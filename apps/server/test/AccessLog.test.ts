/** The access log on a disk that is full for a while. */
import { existsSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { join } from "node:path"
import { setImmediate } from "node:timers/promises"
import { assert, describe, it } from "@effect/vitest"
import type { Observer } from "@lectern/http/server/Observation"
import { Deferred, Effect, Logger } from "effect"
import * as AccessLog from "../src/observe/AccessLog.ts"
import { temporary } from "./Listening.ts"

/** Takes nothing of what is written to it, as a full disk. */
const fullDisk = "/dev/full"

const answered = (requestId: string): Parameters<Observer>[0] => ({
  at: 0,
  method: "GET",
  route: "/v1/user",
  status: 200,
  millis: 1,
  bytes: undefined,
  requestId,
  actor: undefined,
  isKept: false,
  address: undefined
})

describe.skipIf(!existsSync(fullDisk))("The access log", () => {
  it.live("goes on once there is room again, and tells of lines that are lost", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary, "access.log")
      symlinkSync(fullDisk, path)
      const told = yield* Deferred.make<string>()
      const logger = Logger.make<unknown, void>(({ message }) => {
        Deferred.doneUnsafe(told, Effect.succeed(String(message)))
      })
      yield* Effect.gen(function* () {
        const observe = yield* AccessLog.make(path, true)
        observe(answered("lost"))
        assert.strictEqual(
          yield* Deferred.await(told),
          `The access log ${path} can't be written, and lacks lines: there is no room left`
        )
        rmSync(path)
        observe(answered("kept"))
        const lines = () => (existsSync(path) ? readFileSync(path, "utf8").trim() : "")
        while (lines() === "") yield* Effect.promise(() => setImmediate())
        assert.strictEqual(JSON.parse(lines()).request, "kept")
      }).pipe(Effect.provide(Logger.layer([logger])))
    }).pipe(Effect.scoped)
  )
})
