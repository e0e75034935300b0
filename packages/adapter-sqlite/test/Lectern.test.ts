import * as Lectern from "@lectern/adapter-sqlite/Lectern"
import { StorageError } from "@lectern/core/storage/Storage"
import { assert, it } from "@effect/vitest"
import { Effect } from "effect"
import { temporaryFile } from "./TemporaryFile.ts"

it.effect("keeps what was written for the next time it is opened", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    yield* Effect.promise(async () => {
      const first = await Lectern.open({ file })
      const { id } = await first.users.create({ email: "ada@example.com" })
      await first.close()

      const second = await Lectern.open({ file })
      assert.strictEqual((await second.users.byEmail("ada@example.com"))?.id, id)
      await second.close()
    })
  })
)

it.effect("says what is wrong with a file that can't be opened", () =>
  Effect.gen(function* () {
    const file = yield* temporaryFile
    const error = yield* Effect.flip(
      Effect.tryPromise({ try: () => Lectern.open({ file: `${file}/below` }), catch: (error) => error })
    )
    assert.instanceOf(error, StorageError)
  })
)
