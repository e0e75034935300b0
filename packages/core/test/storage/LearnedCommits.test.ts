/** Callers that need all commits up to now share messages, and no response counts for who came after its message. */
import { assert, describe, it } from "@effect/vitest"
import * as LearnedCommits from "@lectern/core/storage/LearnedCommits"
import { StorageError } from "@lectern/core/storage/Storage"
import type { CommitOutcome, RemoteOperations } from "@lectern/core/storage/TransactionEngine"
import { Effect, Exit, Fiber } from "effect"

const unavailable = new StorageError({ reason: "unavailable", message: "away" })

/** A store whose messages the test answers by hand. */
const byHand = () => {
  const messages: Array<{ readonly kind: string; readonly answer: (result?: CommitOutcome) => void }> = []
  const add =
    (kind: string) =>
    (done: (result: any) => void): void =>
      void messages.push({ kind, answer: done })
  const remote: RemoteOperations = {
    start: () => {},
    fetch: add("fetch"),
    commit: (_reads, done) => add("commit")(done),
    learn: add("learn")
  }
  let tasks: Array<() => void> = []
  const runTasks = () => {
    const due = tasks
    tasks = []
    for (const task of due) task()
  }
  const commits = LearnedCommits.make(remote, (task) => void tasks.push(task))
  const learn = () => Effect.runFork(commits.learn)
  const isDone = (fiber: Fiber.Fiber<unknown, unknown>) => fiber.pollUnsafe() !== undefined
  return { messages, commits, learn, isDone, runTasks }
}

/** Lets fibers that were resumed run. */
const settle = Effect.repeat(Effect.yieldNow, { times: 20 })

describe("LearnedCommits", () => {
  it.effect("sends one message for all callers of a turn, and the next one for those who came meanwhile", () =>
    Effect.gen(function* () {
      const { messages, learn, isDone, runTasks } = byHand()
      const first = [learn(), learn(), learn()]
      assert.lengthOf(messages, 0)
      runTasks()
      assert.lengthOf(messages, 1)
      const second = [learn(), learn()]
      runTasks()
      assert.lengthOf(messages, 1)
      messages[0]!.answer()
      yield* settle
      assert.isTrue(first.every(isDone))
      assert.isFalse(second.some(isDone))
      assert.lengthOf(messages, 2)
      // The second response counts once.
      messages[0]!.answer()
      yield* settle
      assert.isFalse(second.some(isDone))
      messages[1]!.answer()
      yield* settle
      assert.isTrue(second.every(isDone))
      assert.lengthOf(messages, 2)
    })
  )

  it.effect("covers an arrival by a response to any later message, and by none before", () =>
    Effect.gen(function* () {
      const { messages, commits, runTasks, learn } = byHand()
      const { arrival, covers, operations } = commits
      for (const send of [
        () => void learn(),
        () => operations.fetch(() => {}),
        () => operations.commit([], () => {})
      ]) {
        const before = arrival()
        send()
        runTasks()
        const after = arrival()
        assert.isFalse(covers(before))
        const { kind, answer } = messages.at(-1)!
        answer(kind === "commit" ? "outdated" : undefined)
        yield* settle
        assert.isTrue(covers(before), kind)
        assert.isFalse(covers(after), kind)
        assert.isFalse(covers(arrival()), kind)
        assert.isFalse(covers(undefined), kind)
        assert.isFalse(byHand().commits.covers(before), "another store")
      }
    })
  )

  it.effect("an older message that is answered later takes nothing back", () =>
    Effect.sync(() => {
      const { messages, commits } = byHand()
      const early = commits.arrival()
      commits.operations.fetch(() => {})
      const between = commits.arrival()
      commits.operations.fetch(() => {})
      messages[1]!.answer()
      assert.isTrue(commits.covers(between))
      messages[0]!.answer()
      assert.isTrue(commits.covers(between))
      assert.isTrue(commits.covers(early))
    })
  )

  it.effect("a failure reaches the callers of its message only, and covers nothing", () =>
    Effect.gen(function* () {
      const { messages, commits, learn, runTasks } = byHand()
      const early = commits.arrival()
      const failing = [learn(), learn()]
      runTasks()
      const next = learn()
      messages[0]!.answer(unavailable)
      for (const fiber of failing) assert.deepStrictEqual(yield* Fiber.await(fiber), Exit.fail(unavailable))
      assert.isFalse(commits.covers(early))
      messages[1]!.answer()
      assert.deepStrictEqual(yield* Fiber.await(next), Exit.void)
      assert.isTrue(commits.covers(early))
      commits.operations.commit([], () => {})
      const late = commits.arrival()
      messages[2]!.answer(unavailable)
      assert.isFalse(commits.covers(late))
    })
  )

  it.effect("an interrupted caller does not keep others from learning", () =>
    Effect.gen(function* () {
      const { messages, learn, isDone, runTasks } = byHand()
      const interrupted = learn()
      yield* Fiber.interrupt(interrupted)
      runTasks()
      const next = learn()
      messages[0]!.answer()
      messages[1]!.answer()
      yield* settle
      assert.isTrue(isDone(next))
    })
  )
})
