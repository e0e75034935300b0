/** Exports of a space: commits, and the same content again. */
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Spaces } from "@lectern/core/space/Spaces"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import * as fc from "fast-check"
import { look } from "../../../packages/exchange/test/export/Exports.ts"
import {
  edit as editContent,
  fill,
  type RandomPages,
  randomPages
} from "../../../packages/exchange/test/export/RandomContents.ts"
import { Harness, onEachAdapter, type Services } from "../../../packages/http/test/Harness.ts"
import { insertPage, merge, openChangeRequest, publish, spaceWith, write } from "../../../packages/http/test/Steps.ts"
import { commitBeside, hasGit, outside, pagesOf, repository, revisionOf, succeeds } from "./GitSteps.ts"
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
