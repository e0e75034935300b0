/** The access log on a disk that is full for a while, or does not answer. */
import { execFileSync } from "node:child_process"
import { closeSync, existsSync, openSync, readFileSync, rmSync, symlinkSync } from "node:fs"
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
  isCacheHit: false,
  address: undefined
})

/** Gives what the server's own log is told first. */
const firstWarning = Effect.map(Deferred.make<string>(), (told) => ({
  told: Deferred.await(told),
  logs: Logger.layer([
    Logger.make<unknown, void>(({ message }) => {
      Deferred.doneUnsafe(told, Effect.succeed(String(message)))
    })
  ])
}))

describe.skipIf(!existsSync(fullDisk))("The access log", () => {
  it.live("goes on once there is room again, and tells of lines that are lost", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary, "access.log")
      symlinkSync(fullDisk, path)
      const { told, logs } = yield* firstWarning
      yield* Effect.gen(function* () {
        const observe = yield* AccessLog.make(path, true)
        observe(answered("lost"))
        assert.strictEqual(yield* told, `The access log ${path} can't be written, and lines are lost: the disk is full`)
        rmSync(path)
        observe(answered("kept"))
        const lines = () => (existsSync(path) ? readFileSync(path, "utf8").trim() : "")
        while (lines() === "") yield* Effect.promise(() => setImmediate())
        assert.strictEqual(JSON.parse(lines()).request, "kept")
      }).pipe(Effect.provide(logs))
    }).pipe(Effect.scoped)
  )

  it.live("keeps no more than so many lines for a disk that does not answer", () =>
    Effect.gen(function* () {
      const path = join(yield* temporary, "access.log")
      execFileSync("mkfifo", [path])
      // Takes what a pipe holds, and nothing after that.
      const reader = openSync(path, "r+")
      const { told, logs } = yield* firstWarning
      yield* Effect.gen(function* () {
        const observe = yield* AccessLog.make(path, true)
        const line = answered("x".repeat(64 * 1024))
        for (let n = 0; n < 200; n++) observe(line)
        assert.strictEqual(
          yield* told,
          `The access log ${path} can't be written, and lines are lost: the disk is too slow`
        )
      }).pipe(Effect.ensuring(Effect.sync(() => closeSync(reader))), Effect.provide(logs))
    }).pipe(Effect.scoped)
  )
})
