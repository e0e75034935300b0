/** The manual there and back again: exports and imports of a whole space. */
import { readdirSync, readFileSync } from "node:fs"
import { join, resolve } from "node:path"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { onEachAdapter } from "../../../packages/http/test/Harness.ts"
import { createSpace } from "../../../packages/http/test/Steps.ts"
import { hasGit, outside, repository, revisionOf, succeeds, titlesOf } from "./GitSteps.ts"

describe.skipIf(!hasGit)("The manual as commits", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("gives the same content where what was exported is imported, here and elsewhere", () =>
        Effect.gen(function* () {
          const folder = resolve(import.meta.dirname, "../../../docs")
          const files = Object.fromEntries(
            readdirSync(folder, { recursive: true, withFileTypes: true })
              .filter((entry) => entry.isFile())
              .map((entry) => join(entry.parentPath, entry.name))
              .map((full) => [full.slice(folder.length + 1), readFileSync(full)])
          )
          const { server, url } = yield* repository(files)
          const { id: space } = yield* createSpace({ title: "Manual" })
          yield* succeeds(space, "import", url)
          const titles = yield* titlesOf(space)
          assert.isAbove(titles.length, 30)

          // Nothing changed here, so nothing changes there, although it would be printed otherwise.
          const before = server.git("docs.git", ["rev-parse", "main"])
          yield* succeeds(space, "export", url)
          assert.strictEqual(server.git("docs.git", ["rev-parse", "main"]), before)

          server.init("copy.git")
          yield* succeeds(space, "export", server.urlOf("copy.git"))
          const { id: copy } = yield* createSpace({ title: "Copy" })
          yield* succeeds(copy, "import", server.urlOf("copy.git"))
          assert.deepStrictEqual(yield* titlesOf(copy), titles)
          const exported = server.git("copy.git", ["rev-parse", "main^{tree}"])
          server.init("again.git")
          yield* succeeds(copy, "export", server.urlOf("again.git"))
          assert.strictEqual(server.git("again.git", ["rev-parse", "main^{tree}"]), exported)

          const revision = yield* revisionOf(space)
          yield* succeeds(space, "import", server.urlOf("copy.git"))
          assert.strictEqual(yield* revisionOf(space), revision)
          yield* succeeds(space, "import", server.urlOf("copy.git"), { force: true })
          assert.strictEqual(yield* revisionOf(space), revision)
        })
      )
    },
    outside
  )
})
