/** Exports of a space: commits, and the same content again. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { look } from "../../../packages/core/test/content/export/Exports.ts"
import {
  edit as editContent,
  fill,
  type RandomPages,
  randomPages
} from "../../../packages/core/test/content/export/RandomContents.ts"
import { Harness, onEachAdapter, type Services } from "../../../packages/http/test/Harness.ts"
import {
  createSpace,
  insertPage,
  merge,
  openChangeRequest,
  publish,
  spaceWith,
  write
} from "../../../packages/http/test/Steps.ts"
import { commitBeside, edit, fails, hasGit, outside, pagesOf, repository, revisionOf, succeeds } from "./GitSteps.ts"
import { runs } from "../../../packages/core/test/Runs.ts"

describe.skipIf(!hasGit)("Spaces as commits", () => {
  onEachAdapter(
    "Git",
    (it) => {
      it.effect("exports what is new as commits by their authors, and the same twice as nothing", () =>
        Effect.gen(function* () {
          const { users } = yield* Harness
          const { url, log, server, head } = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One." })
          const first = yield* succeeds(space, "export", url)
          assert.strictEqual(first.commit, head())
          assert.strictEqual(log("%an <%ae> %cn %s"), "admin <admin@example.com> Lectern Update the docs")
          assert.deepStrictEqual(server.files("docs.git"), {
            "SUMMARY.md": "# Table of contents\n\n* [Home](home.md)\n* [Guide](guide.md)\n",
            "guide.md": "# Guide\n\nOne.\n",
            "home.md": "# Home\n\nWelcome.\n"
          })
          yield* succeeds(space, "export", url)
          assert.strictEqual(head(), first.commit)

          yield* TestClock.adjust("1 hour")
          const request = yield* openChangeRequest(space, { subject: "Say more" }, "edit")
          const guide = (yield* pagesOf(space)).find(({ title }) => title === "Guide")
          const change = { operation: "update_page", page: guide.id, document: { markdown: "One and two." } }
          yield* write(space, request.id, [change], "edit")
          const { revision } = yield* merge(space, request.id)
          yield* publish(space, [insertPage("New", "New.")])
          yield* succeeds(space, "export", url)
          assert.deepStrictEqual(log("%s").split("\n"), ["Update the docs", "Say more", "Update the docs"])
          assert.include(log("%b"), `Lectern-Revision: ${revision}`)
          assert.strictEqual(server.git("docs.git", ["show", "--format=", "--name-only", "main~1"]).trim(), "guide.md")
          assert.isDefined(users.edit)
          server.git("docs.git", ["fsck", "--strict"])
        })
      )

      it.effect("writes nothing new over what stands there and was left out", () =>
        Effect.gen(function* () {
          const pointer = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 1\n`
          const files = { "README.md": "# Home\n\nWelcome.\n", "kept.md": pointer, license: "MIT\n" }
          const { url, server } = yield* repository(files)
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url)
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
          const { revision } = yield* succeeds(space, "import", url).pipe(
            Effect.andThen(Effect.map(revisionOf(space), (revision) => ({ revision })))
          )
          yield* succeeds(space, "export", url)
          assert.strictEqual(yield* revisionOf(space), revision)
          assert.deepStrictEqual(server.files("docs.git"), after)
        })
      )

      it.effect("exports past a revision that the branch can't take, and fails only for the newest", () =>
        Effect.gen(function* () {
          const { url, server, log } = yield* repository({ "README.md": "# Home\n\nWelcome.\n", ".gitbook": "A file" })
          const { id: space } = yield* createSpace({ title: "Docs" })
          yield* succeeds(space, "import", url)
          yield* edit(space, "Home", "Welcome here.\n")
          yield* publish(space, [{ operation: "set_variables", variables: { product: "Lectern" } }])
          assert.include(yield* fails(space, "export", url), "where the folder .gitbook is to be")
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

      it.effect("makes the same commits of the same revisions, wherever they go", () =>
        Effect.gen(function* () {
          const one = yield* repository()
          const other = yield* repository()
          const { space } = yield* spaceWith({ Home: "Welcome.", Guide: "One." })
          yield* succeeds(space, "export", one.url)
          yield* TestClock.adjust("1 day")
          yield* succeeds(space, "export", other.url)
          assert.strictEqual(one.head(), other.head())
        })
      )

      it.effect("gives the same content for any content, and knows every page of it again", () =>
        Effect.gen(function* () {
          const { organization } = yield* Harness
          const context = yield* Effect.context<Services>()
          const law = Effect.fnUntraced(function* (pages: RandomPages) {
            const { server, url, head } = yield* repository()
            const spaces = yield* Spaces
            const { id } = yield* spaces.create(OrganizationId.make(organization), { title: "Random" })
            yield* editContent(id, (editor) => fill(editor, pages))
            yield* succeeds(id, "export", url)
            const before = yield* look(id)
            const { id: copy } = yield* spaces.create(OrganizationId.make(organization), { title: "Copy" })
            yield* succeeds(copy, "import", url)
            assert.deepStrictEqual((yield* look(copy)).pages, before.pages)
            const tree = server.git("docs.git", ["rev-parse", "main^{tree}"]).trim()
            yield* succeeds(copy, "export", url)
            assert.strictEqual(server.git("docs.git", ["rev-parse", "main^{tree}"]).trim(), tree)
            // Whatever the space made itself is known again when the branch changes.
            const revision = yield* revisionOf(id)
            server.git("docs.git", ["update-ref", "refs/heads/main", commitBeside(server, head(), tree)])
            yield* succeeds(id, "import", url)
            assert.strictEqual(yield* revisionOf(id), revision)
          })
          yield* Effect.promise(() =>
            fc.assert(
              fc.asyncProperty(randomPages, (pages) =>
                Effect.runPromise(
                  law(pages).pipe(
                    Effect.scoped,
                    Effect.provideService(CurrentActor, host),
                    Effect.provideContext(context)
                  )
                )
              ),
              runs(3, 20)
            )
          )
        })
      )
    },
    outside
  )
})
