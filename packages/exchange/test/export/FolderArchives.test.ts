/** Exports as archives: the folder of a revision, for people who may read it. */
import { assert, describe } from "@effect/vitest"
import { FolderArchives } from "@lectern/exchange/export/FolderArchives"
import * as Tar from "@lectern/exchange/push/Tar"
import { Spaces } from "@lectern/core/space/Spaces"
import { Effect, Stream } from "effect"
import { members, outcome, outcomes, ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { adapters } from "../Instances.ts"
import { importFiles } from "../import/Imports.ts"
import { pull } from "../push/PushSteps.ts"

for (const [name, services] of onEach(adapters)) {
  describe(`FolderArchives (${name})`, () => {
    const rule = ruleOn(services)

    rule("contain the files of the export", () =>
      Effect.gen(function* () {
        const { org } = yield* members
        const { id } = yield* (yield* Spaces).create(org, {})
        const pages = Array.from({ length: 20 }, (_, i) => [`page-${i}.md`, `# Page ${i}\n\nText ${i}.\n`] as const)
        yield* importFiles(id, Object.fromEntries(pages))
        const { files, revision } = yield* pull(id)
        for (const at of [undefined, revision]) {
          const parts = yield* Stream.runCollect(yield* (yield* FolderArchives).stream(id, at))
          const archived = yield* Tar.files(Buffer.concat(parts))
          const texts = archived.map(({ path, bytes }) => [path, new TextDecoder().decode(bytes)])
          assert.deepStrictEqual(Object.fromEntries(texts), files)
          assert.strictEqual(yield* outcome(Tar.files(Buffer.concat(parts.slice(0, -1)))), "InvalidTar")
        }
      })
    )

    rule("are for people who may read the space", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { id } = yield* (yield* Spaces).create(org, {})
        const archives = yield* FolderArchives
        assert.deepStrictEqual(yield* outcomes(people, archives.stream(id)), {
          ok: "host admin create review edit comment read",
          SpaceNotFound: "guest outsider"
        })
        assert.strictEqual(yield* outcome(archives.stream(id, "none")), "RevisionNotFound")
      })
    )
  })
}
