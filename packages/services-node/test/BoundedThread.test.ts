/** Threads within bounds: whatever becomes of one, who asks it hears of it, then and later. */
import { assert, describe, it } from "@effect/vitest"
import { BoundedThread, type BoundedThreadOptions, ThreadLost } from "@lectern/services-node/thread/BoundedThread"
import { Effect, Fiber } from "effect"

const open = (options?: BoundedThreadOptions) =>
  BoundedThread.open<string, string>(import.meta.url, "EchoWorker", options)

const lostBy = (effect: Effect.Effect<string, ThreadLost>) => Effect.map(Effect.flip(effect), ({ reason }) => reason)

describe("BoundedThread", () => {
  it.live("answers one after another, however many ask at once", () =>
    Effect.gen(function* () {
      const thread = yield* open()
      const said = ["a", "b", "c", "d"]
      const answers = yield* Effect.forEach(said, (one) => thread.request(one), { concurrency: "unbounded" })
      assert.deepStrictEqual(answers, said)
    }).pipe(Effect.scoped)
  )

  it.live.each<readonly [told: string, reason: string]>([
    ["fail", "failed"],
    ["end", "ended"],
    ["fill", "memory"]
  ])("that is told to %s is lost, for who asks and who asks after that", ([told, reason]) =>
    Effect.gen(function* () {
      const thread = yield* open({ maxMemory: 64 })
      const [first, second] = yield* Effect.all([lostBy(thread.request(told)), lostBy(thread.request("a"))], {
        concurrency: "unbounded"
      })
      assert.deepStrictEqual([first, second], [reason, reason])
      assert.isTrue(thread.isLost)
      assert.strictEqual(yield* lostBy(thread.request("b")), reason)
    }).pipe(Effect.scoped)
  )

  it.live("is lost where it does not answer in time", () =>
    Effect.gen(function* () {
      const thread = yield* open()
      assert.strictEqual(yield* thread.request("a", "1 minute"), "a")
      assert.strictEqual(yield* lostBy(thread.request("never", "1 millis")), "time")
      assert.isTrue(thread.isLost)
    }).pipe(Effect.scoped)
  )

  it.live("ends where nobody waits for its answer any more", () =>
    Effect.gen(function* () {
      const thread = yield* open()
      const asking = yield* Effect.forkChild(thread.request("never"), { startImmediately: true })
      yield* Fiber.interrupt(asking)
      assert.strictEqual(yield* lostBy(thread.request("a")), "ended")
    }).pipe(Effect.scoped)
  )
})
