import { mkdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import * as Folder from "@lectern/core/content/import/Folder"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import { afterEach, assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as SyntaxThread from "../src/SyntaxThread.ts"
import { cleanUp, temporaryFolder } from "./Lectern.ts"

const text = (n: number) => `---\ntitle: ${n}\n---\n\n# Page ${n}\n\n| a | b |\n|---|---|\n| ${n} | www.example.com |\n`

describe("SyntaxThread", { timeout: 60_000 }, () => {
  afterEach(cleanUp)

  it.effect("gives what parsing here gives, of every file that it took, and leaves the rest", () =>
    Effect.gen(function* () {
      const thread = yield* SyntaxThread.make
      if (thread === undefined) return
      const folder = temporaryFolder()
      mkdirSync(join(folder, "sub"))
      const paths = Array.from({ length: 150 }, (_, n) => (n % 2 === 0 ? `${n}.md` : `sub/${n}.md`))
      for (const [n, path] of paths.entries()) writeFileSync(join(folder, path), text(n))
      const large = `${"a\n".repeat(200_000)}`
      writeFileSync(join(folder, "large.md"), large)
      const files = ["gone.md", ...paths, "large.md"].map((path) => Folder.file(path, ""))
      const ahead = thread(folder)
      yield* ahead.begin(files)
      assert.isUndefined(yield* ahead.take(files[0]!))
      for (const [n] of paths.entries()) {
        const parsed = yield* ahead.take(files[n + 1]!)
        if (parsed === undefined) continue
        const body = text(n).slice(text(n).indexOf("\n# Page"))
        assert.deepStrictEqual(parsed, { body, tree: Syntax.toJson(Syntax.parse(body)!) })
      }
      assert.isUndefined(yield* ahead.take(files.at(-1)!))
      assert.isUndefined(yield* ahead.take(Folder.file("unknown.md", "")))
    })
  )
})
