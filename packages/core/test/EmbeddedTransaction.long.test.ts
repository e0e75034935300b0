import { assert, it } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import type { EmbeddedTransaction } from "@lectern/core/EmbeddedTransaction"

const failure = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => assert.fail("nothing was thrown"),
    (error: unknown) => error
  )

it("is rolled back after five seconds where its function never ends, and lets the others go on", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true, background: false })
  let kept: EmbeddedTransaction
  const begun = Date.now()
  const stuck = failure(
    lectern.transaction(async (tx) => {
      kept = tx
      await tx.users.create({ email: "ada@example.com" })
      await new Promise(() => {})
    })
  )
  const other = await lectern.users.create({ email: "ADA@example.com" })
  assert.deepInclude(await stuck, {
    name: "StorageError",
    message: "The body of a transaction took longer than 5000 ms"
  })
  assert.isAtLeast(Date.now() - begun, 4_900)
  assert.deepInclude(await failure(kept!.users.get(other.id)), { name: "StorageError" })
  await lectern.close()
})
