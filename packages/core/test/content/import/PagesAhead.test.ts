/** A large import, some of whose pages a thread reads: what comes of it is what comes of it in place. */
import { assert, describe, it } from "@effect/vitest"
import { find } from "@lectern/core/thread/Computations"
import { Threads, tooCostly } from "@lectern/core/thread/Threads"
import { Effect, Layer } from "effect"
import { exportFolder } from "../export/Exports.ts"
import { cloning, importFiles, markdownAt, newSpace, onInstance, outline, pageAt } from "./Imports.ts"

const paragraph = "A paragraph with *marks* and words enough to fill a page of some length.\n\n"

const pageOf = (n: number) =>
  `---\nicon: star\n---\n\n# Page ${n}\n\n[next](page-${n + 1}.md#part) ![image](image-${n}.png)\n\n` +
  `{% content-ref url="page-${n + 2}.md" %}\n[named](page-${n + 2}.md)\n{% endcontent-ref %}\n\n` +
  `## Part ${n}\n\n${paragraph.repeat(150)}`

const numbers = Array.from({ length: 110 }, (_, n) => n)

/** Of 1.2 MiB, each page with a file of its own, with what is to be reported, what says nothing, and what is large. */
const folder: Readonly<Record<string, string | Uint8Array>> = {
  ...Object.fromEntries(numbers.map((n) => [`page-${n}.md`, pageOf(n)])),
  ...Object.fromEntries(numbers.map((n) => [`image-${n}.png`, new Uint8Array([0x89, 0x50, 0x4e, 0x47, n])])),
  "empty.md": "",
  "large.md": `# Large\n\n[first](page-0.md)\n\n${paragraph.repeat(1_000)}`,
  "nul.md": "# NUL\n\nA\u0000B\n",
  "other.md": new Uint8Array([0x23, 0x20, 0xff, 0x0a]),
  "unused.png": new Uint8Array([0x89, 0x50, 0x4e, 0x47])
}

const latin = new TextDecoder("latin1")

/** All that an import says and leaves, but for ids. */
const imported = Effect.gen(function* () {
  const space = yield* newSpace
  const { report } = yield* importFiles(space, folder)
  const { files } = yield* exportFolder(space)
  const written = Object.entries(files).map(([path, bytes]) => [path, latin.decode(bytes)] as const)
  return { report, outline: yield* outline(space), written: new Map(written.toSorted()) }
})

const reported = Effect.gen(function* () {
  const space = yield* newSpace
  const { report } = yield* importFiles(space, folder)
  return { report, outline: yield* outline(space) }
})

describe("PagesAhead", () => {
  it.effect("reads some pages in a thread, and all as they would be read in place", () =>
    Effect.gen(function* () {
      const inPlace = yield* onInstance(imported)
      assert.deepStrictEqual(
        inPlace.report.problems.map(({ path }) => path),
        ["nul.md", "other.md", "unused.png"]
      )
      assert.includeMembers([...inPlace.report.added], ["page-0.md", "image-0.png", "empty.md"])
      assert.notInclude([...inPlace.report.added], "unused.png")
      const { threads, begun } = cloning()
      const apart = yield* onInstance(imported, Layer.succeed(Threads, threads))
      assert.include(begun, "read-pages")
      assert.deepStrictEqual(apart, inPlace)
    })
  )

  it.effect("reads in place what a thread can't", () =>
    Effect.gen(function* () {
      const inPlace = yield* onInstance(reported)
      for (const how of [Effect.fail(tooCostly), Effect.die(new Error("no tree"))]) {
        const asked: Array<string> = []
        const failing = Threads.over({
          count: 1,
          run: ({ name, input, shared }) =>
            Effect.suspend(() => {
              asked.push(name)
              return name === "read-pages"
                ? how
                : Effect.flatMap(
                    Effect.promise(() => find(name)),
                    ({ run }) => Effect.map(run, (compute) => compute(input, shared))
                  )
            })
        })
        assert.deepStrictEqual(yield* onInstance(reported, Layer.succeed(Threads, failing)), inPlace)
        assert.include(asked, "read-pages")
      }
    })
  )

  it.effect("reads anew what has changed alone, with the keys of its blocks", () => {
    const { threads, begun } = cloning()
    return onInstance(
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* importFiles(space, folder)
        begun.length = 0
        const { report } = yield* importFiles(space, { ...folder, "page-7.md": `${pageOf(7)}\n\nAt the end.\n` })
        assert.deepStrictEqual([report.changed, report.added], [["page-7.md"], []])
        assert.include(yield* markdownAt(space, "page-7"), "At the end.")
        assert.strictEqual((yield* pageAt(space, "page-7")).icon, "star")
        assert.deepStrictEqual(
          begun.filter((name) => name === "read-pages"),
          ["read-pages"]
        )
      }),
      Layer.succeed(Threads, threads)
    )
  })

  it.effect("asks no thread for a small import", () => {
    const { threads, begun } = cloning()
    return onInstance(
      Effect.gen(function* () {
        yield* importFiles(yield* newSpace, { "page-0.md": pageOf(0), "page-1.md": pageOf(1) })
        assert.deepStrictEqual(begun, [])
      }),
      Layer.succeed(Threads, threads)
    )
  })
})
