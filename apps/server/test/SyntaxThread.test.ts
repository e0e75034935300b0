import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Folder from "@lectern/core/content/import/Folder"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SyntaxThread from "../src/SyntaxThread.ts"
import { cleanUp, temporaryFolder } from "./Lectern.ts"

const text = (n: number) => `---\ntitle: ${n}\n---\n\n# Page ${n}\n\n| a | b |\n|---|---|\n| ${n} | www.example.com |\n`

const parsedOf = (n: number) => {
  const body = text(n).slice(text(n).indexOf("\n# Page"))
  return { body, tree: Syntax.toJson(Syntax.parse(body)!) }
}

const folderOf = (count: number) => {
  const folder = temporaryFolder()
  mkdirSync(join(folder, "sub"))
  const paths = Array.from({ length: count }, (_, n) => (n % 2 === 0 ? `${n}.md` : `sub/${n}.md`))
  for (const [n, path] of paths.entries()) writeFileSync(join(folder, path), text(n))
  return { folder, paths }
}

const file = (path: string) => Folder.file(path, "")

describe("SyntaxThread", { timeout: 60_000 }, () => {
  afterEach(cleanUp)

  it.effect("gives what parsing here gives, of every file that it took, and leaves the rest", () =>
    Effect.gen(function* () {
      const thread = yield* SyntaxThread.make
      if (thread === undefined) return
      const { folder, paths } = folderOf(150)
      writeFileSync(join(folder, "large.md"), "a\n".repeat(200_000))
      const files = ["gone.md", ...paths, "large.md"].map(file)
      const ahead = yield* thread(folder, [])
      yield* ahead.begin(files)
      assert.isUndefined(yield* ahead.take(files[0]!))
      for (const [n] of paths.entries()) {
        const parsed = yield* ahead.take(files[n + 1]!)
        if (parsed !== undefined) assert.deepStrictEqual(parsed, parsedOf(n))
      }
      assert.isUndefined(yield* ahead.take(files.at(-1)!))
      assert.isUndefined(yield* ahead.take(file("unknown.md")))
    })
  )

  it.effect("begins before the order is known, and gives those in any order", () =>
    Effect.gen(function* () {
      const thread = yield* SyntaxThread.make
      if (thread === undefined) return
      const { folder, paths } = folderOf(60)
      const ahead = yield* thread(folder, [...paths, "gone.md"])
      const reversed = paths.toReversed()
      yield* ahead.begin(reversed.map(file))
      for (const path of reversed) {
        const parsed = yield* ahead.take(file(path))
        if (parsed !== undefined) assert.deepStrictEqual(parsed, parsedOf(paths.indexOf(path)))
      }
    })
  )

  it.effect("goes on with the next folder when nobody asks for the one before", () =>
    Effect.gen(function* () {
      const thread = yield* SyntaxThread.make
      if (thread === undefined) return
      const unused = folderOf(4)
      yield* Effect.scoped(thread(unused.folder, unused.paths))
      const { folder, paths } = folderOf(1)
      const only = file(paths[0]!)
      const turn = Effect.promise(() => new Promise((resolve) => setImmediate(resolve)))
      // The thread may come too late for some; were it held up by the first folder, it would for all.
      const attempt = (turns: number) =>
        Effect.gen(function* () {
          const ahead = yield* thread(folder, paths)
          yield* Effect.repeat(turn, { times: turns })
          yield* ahead.begin([only])
          return yield* ahead.take(only)
        }).pipe(Effect.scoped)
      let parsed = yield* attempt(1)
      for (let turns = 2; parsed === undefined; turns *= 2) parsed = yield* attempt(turns)
      assert.deepStrictEqual(parsed, parsedOf(0))
    })
  )
})
