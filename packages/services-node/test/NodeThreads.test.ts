/** Computations in threads: the same results as in place, in bounds of time and memory, and nobody waits for them. */
import { serialize } from "@lectern/core/content/documents/StoredDocument"
import { monitorEventLoopDelay } from "node:perf_hooks"
import { Worker } from "node:worker_threads"
import { assert, describe, it } from "@effect/vitest"
import type { ExportPaths } from "@lectern/exchange/export/ExportPaths"
import type { Page } from "@lectern/exchange/export/PageText"
import { writer } from "@lectern/exchange/export/WritePage"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { ReadSpec } from "@lectern/core/openapi/ReadSpec"
import { Threads, tooCostly } from "@lectern/core/thread/Threads"
import { NodeThreads, type NodeThreadsOptions } from "@lectern/services-node/thread/NodeThreads"
import type { TaskResult } from "@lectern/services-node/thread/ThreadMessages"
import { ThreadPool } from "@lectern/services-node/thread/ThreadPool"
import { Effect, Fiber } from "effect"
import { vi } from "vitest"
import { billionLaughs, large, small, swagger, yaml } from "../../core/test/openapi/SpecTexts.ts"

const here = Threads.pipe(Effect.provide(Threads.layer))

const inThreads = <A, E>(use: (threads: Threads["Service"]) => Effect.Effect<A, E>, options?: NodeThreadsOptions) =>
  Threads.use(use).pipe(Effect.provide(NodeThreads.layer(options), { local: true }))

const bytes = (text: string) => new TextEncoder().encode(text)

const texts = [
  "",
  "# Title\n\nText with *marks*, `code` and [a link](other.md).\n",
  '---\ntitle: Named\nicon: star\n---\n\n{% hint style="info" %}\nA hint.\n{% endhint %}\n',
  "\uFEFF\r\n| a | b |\r\n| - | - |\r\n| 1 | 2 |\r\n",
  "with a \u0000 in it, and what is no UTF-8: \uFFFD",
  `${">".repeat(10_000)} deep`
]

const paths: ExportPaths = {
  pages: new Map([
    ["one", "guide/one.md"],
    ["two", "two.md"]
  ]),
  files: new Map([["image", ".gitbook/assets/image.png"]]),
  reusableContents: new Map(),
  root: "",
  readme: "README.md",
  summary: "SUMMARY.md"
}

const page = (path: string, markdown: string): Page => {
  let keys = 0
  const { document } = Markdown.parse(markdown, { nextKey: () => `key-${++keys}` })
  return { path, title: "Page", listedTitle: "Page", metadata: { icon: "star" }, document: serialize(document) }
}

const pages = [
  page("two.md", "See [one](/pages/one) and ![an image](/files/image)."),
  page("guide/one.md", '# Page\n\n{% tabs %}\n{% tab title="A" %}\nOne\n{% endtab %}\n{% endtabs %}\n'),
  page("three.md", texts.at(-1)!)
]

/** More than the memory of a thread that has 48 MiB. */
const tooMuch = bytes(`x:\n${"  - {a: b, c: d}\n".repeat(400_000)}`)

describe("NodeThreads", () => {
  it.live("compute what is computed in place", () =>
    inThreads(
      Effect.fnUntraced(function* (threads) {
        const place = yield* here
        for (const text of [small(), yaml, JSON.stringify(swagger), "<html>", billionLaughs(), "", "[".repeat(1000)]) {
          assert.deepStrictEqual(yield* threads.run(ReadSpec, bytes(text)), yield* place.run(ReadSpec, bytes(text)))
        }
      })
    )
  )

  it.live("keep the process while they are at something, and no longer", () => {
    const calls: Array<string> = []
    const spies = (["ref", "unref"] as const).map((name) => {
      const own = Worker.prototype[name]
      return vi.spyOn(Worker.prototype, name).mockImplementation(function (this: Worker) {
        calls.push(name)
        own.call(this)
      })
    })
    const spec = bytes(large(100_000))
    return inThreads(
      Effect.fnUntraced(function* (threads) {
        yield* threads.run(ReadSpec, spec)
        assert.deepStrictEqual(calls, ["ref", "unref"])
        yield* threads.run(ReadSpec, spec)
        assert.deepStrictEqual(calls, ["ref", "unref", "ref", "unref"])
      }),
      { count: 1, inPlace: 0 }
    ).pipe(Effect.ensuring(Effect.sync(() => spies.forEach((spy) => spy.mockRestore()))))
  })

  it.live("keep what is shared, for one export and the next", () =>
    inThreads(
      Effect.fnUntraced(function* (threads) {
        const place = yield* here
        const others = Array.from({ length: 6 }, (_, n) => ({ ...paths, pages: new Map([["one", `other/${n}.md`]]) }))
        const all = [paths, ...others, paths].map((paths) => ({ space: "space", paths }))
        for (const places of [...all, ...all]) {
          assert.deepStrictEqual(
            yield* Effect.forEach(pages, writer(threads, places), { concurrency: "unbounded" }),
            yield* Effect.forEach(pages, writer(place, places))
          )
        }
      })
    )
  )

  it.live("give up what takes too long, and go on", () =>
    inThreads(
      Effect.fnUntraced(function* (threads) {
        const late = bytes(large(2 * 1024 * 1024))
        const all = [late, late].map((spec) => Effect.flip(threads.run(ReadSpec, spec)))
        assert.deepStrictEqual(yield* Effect.all(all, { concurrency: "unbounded" }), [tooCostly, tooCostly])
      }),
      { timeout: { milliseconds: 1 } }
    )
  )

  it.live("end alone where they take too much memory, whatever is beside and behind it", () =>
    inThreads(
      Effect.fnUntraced(function* (threads) {
        const some = bytes(small())
        const all = [tooMuch, ...Array.from({ length: 4 }, () => bytes(small())), tooMuch, bytes(small())]
        const read = yield* Effect.forEach(all, (spec) => Effect.option(threads.run(ReadSpec, spec)), {
          concurrency: "unbounded"
        })
        assert.deepStrictEqual(
          read.map(({ _tag }) => _tag),
          ["None", "Some", "Some", "Some", "Some", "None", "Some"]
        )
        assert.deepStrictEqual(yield* threads.run(ReadSpec, some), yield* (yield* here).run(ReadSpec, some))
      }),
      { maxMemory: 48, count: 2 }
    )
  )

  it.live("answer who waits when they are ended", () =>
    Effect.gen(function* () {
      const spec = bytes(large(1024 * 1024))
      const waiting = yield* inThreads((threads) => Effect.forkDetach(Effect.flip(threads.run(ReadSpec, spec))))
      assert.include(yield* Fiber.join(waiting), { _tag: "StorageError", reason: "busy" })
    })
  )

  it.live("let others work while they read 5 MB", () =>
    inThreads(
      Effect.fnUntraced(function* (threads) {
        const spec = bytes(large(5 * 1024 * 1024))
        const delay = monitorEventLoopDelay({ resolution: 1 })
        let turns = 0
        const turning = setInterval(() => turns++, 1)
        delay.enable()
        const read = yield* threads.run(ReadSpec, spec)
        delay.disable()
        clearInterval(turning)
        assert.isTrue("parsed" in read)
        // What is told of is not how fast this machine is, but that the thread is another one.
        assert.isAbove(turns, 20)
        console.log(`The longest delay while a spec of 5 MB was read: ${(delay.max / 1e6).toFixed(1)} ms`)
      })
    )
  )

  it.effect("are no reason to refuse a task for its cost where none can be begun", () =>
    Effect.gen(function* () {
      const pool = new ThreadPool({ maxMemory: 64, timeout: 1_000, idle: 1_000, module: "NoSuchWorker" })
      const task = { name: "", input: "", shared: undefined, timeout: 1_000 }
      const answer = yield* Effect.callback<TaskResult>((resume) =>
        pool.run(task, (answer) => resume(Effect.succeed(answer)))
      )
      assert.match("notStarted" in answer ? answer.notStarted : "", /NoSuchWorker/)
      yield* Effect.promise(() => pool.end())
    })
  )
})
