/** Files of a branch that others made, moved or edited, beside those of the space. */
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { onEachAdapter } from "../../../packages/http/test/Harness.ts"
import { insertPage, publish, spaceWith } from "../../../packages/http/test/Steps.ts"
import {
  edit,
  fails,
  hasGit,
  importedSpace,
  markdownOf,
  outside,
  pagesOf,
  repository,
  revisionOf,
  small,
  succeeds
} from "./GitSteps.ts"

describe.skipIf(!hasGit)("A branch that others work in", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("knows a file that was moved there as the page that was edited here", () =>
        Effect.gen(function* () {
          const { space, url, server } = yield* importedSpace(small)
          const before = yield* pagesOf(space)
          const guide = yield* markdownOf(space, "Guide")
          yield* edit(space, "Guide", `${guide}\nWritten here.\n`)
          const { "guide.md": text, ...rest } = small
          server.commit("docs.git", {
            ...rest,
            "manual/tour.md": text,
            "SUMMARY.md": small["SUMMARY.md"].replace("guide.md", "manual/tour.md")
          })
          const { operation } = yield* succeeds(space, "import", url)
          assert.isUndefined(operation.problems)
          const after = yield* pagesOf(space)
          assert.deepStrictEqual(
            after.map(({ id }) => id),
            before.map(({ id }) => id)
          )
          assert.deepStrictEqual(
            after.map(({ path }) => path),
            before.map(({ path }) => path.replace("guide", "tour"))
          )
          yield* succeeds(space, "export", url)
          const files = server.files("docs.git")
          assert.deepStrictEqual(Object.keys(files), ["README.md", "SUMMARY.md", "manual/tour.md"])
          assert.strictEqual(files["manual/tour.md"], `${text}\nWritten here.\n`)
          assert.strictEqual(yield* markdownOf(space, "Guide"), `${guide}\nWritten here.\n`)
        })
      )

      it.effect("keeps what others write in the table of contents after an export of it", () =>
        Effect.gen(function* () {
          const { space, url, server, head } = yield* importedSpace(small)
          const guide = (yield* pagesOf(space)).find(({ title }) => title === "Guide")
          yield* publish(space, [{ operation: "update_page", page: guide.id, title: "Tour" }])
          yield* succeeds(space, "export", url)
          const files = server.files("docs.git")
          const written = files["SUMMARY.md"]!.replace("# Table of contents", "# Contents").concat(
            "\n<!-- The end -->\n"
          )
          const commit = server.commit("docs.git", { ...files, "SUMMARY.md": written })
          yield* succeeds(space, "import", url)
          yield* succeeds(space, "export", url)
          assert.strictEqual(server.files("docs.git")["SUMMARY.md"], written)
          assert.strictEqual(head(), commit)
        })
      )

      it.effect("writes nothing new over what stands there and was left out", () =>
        Effect.gen(function* () {
          const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1\n`
          const files = { "README.md": "# Home\n\nWelcome.\n", "kept.md": pointer, license: "MIT\n" }
          const { space, url, server } = yield* importedSpace(files)
          yield* publish(space, [
            insertPage("Kept", "Mine."),
            { ...insertPage("License", "Mine, too."), ref: "license" },
            { ...insertPage("Below", "It."), into: "license" }
          ])
          const { operation } = yield* succeeds(space, "export", url)
          assert.isUndefined(operation.error)
          const after = server.files("docs.git")
          for (const [path, text] of Object.entries(files)) assert.strictEqual(after[path], text, path)
          assert.include(after["kept-1.md"], "Mine.")
          assert.include(after["license-1/README.md"], "Mine, too.")
          assert.include(after["license-1/below.md"], "It.")
          yield* succeeds(space, "import", url)
          const revision = yield* revisionOf(space)
          yield* succeeds(space, "export", url)
          assert.strictEqual(yield* revisionOf(space), revision)
          assert.deepStrictEqual(server.files("docs.git"), after)
        })
      )

      it.effect("exports past a revision that the branch can't take, and fails only for the newest", () =>
        Effect.gen(function* () {
          const { space, url, server, log } = yield* importedSpace({
            "README.md": "# Home\n\nWelcome.\n",
            ".gitbook": "A file"
          })
          yield* edit(space, "Home", "Welcome here.\n")
          yield* publish(space, [{ operation: "set_variables", variables: { product: "Lectern" } }])
          assert.include(yield* fails(space, "export", url), "at .gitbook, where a folder is needed")
          yield* publish(space, [{ operation: "set_variables", variables: { product: null } }])
          yield* succeeds(space, "export", url)
          const exported = server.files("docs.git")
          assert.strictEqual(exported["README.md"], "# Home\n\nWelcome here.\n")
          assert.strictEqual(exported[".gitbook"], "A file")
          assert.notProperty(exported, ".gitbook/vars.yaml")
          assert.lengthOf(log("%s").split("\n"), 2)
        })
      )

      it.effect("replaces no file of a branch that was never imported, unless it is told to", () =>
        Effect.gen(function* () {
          const files = { "SUMMARY.md": "# Ours\n\n* [One](one.md)\n", "one.md": "# One\n\nFirst.\n", LICENSE: "MIT" }
          const { url, server } = yield* repository(files)
          const { space } = yield* spaceWith({ Home: "Welcome." })
          assert.include(yield* fails(space, "export", url), "would replace files of it: SUMMARY.md. Import it first")
          assert.deepStrictEqual(server.files("docs.git"), files)
          yield* succeeds(space, "export", url, { force: true })
          assert.hasAllKeys(server.files("docs.git"), ["SUMMARY.md", "LICENSE", "one.md", "home.md"])

          // A branch that has no such file is added to; back at the first one, it is known as the space's own.
          const other = yield* repository({ LICENSE: "MIT" })
          yield* succeeds(space, "export", other.url)
          yield* edit(space, "Home", "Welcome back.")
          yield* succeeds(space, "export", url)
          assert.include(server.files("docs.git")["home.md"], "Welcome back.")
        })
      )
    },
    outside
  )
})
