/** The line of a commit's message by which an export knows itself. */
import { assert, it } from "@effect/vitest"
import { isExported, revisionIn } from "@lectern/exchange/git/GitHistory"

it("a commit is of the revision that its last line names, whatever the message above quotes", () => {
  const message = "Sync\n\nLectern-Revision: quoted\n\nLectern-Revision: own\n"
  assert.strictEqual(revisionIn(message), "own")
  assert.isTrue(isExported(message))
  assert.isUndefined(revisionIn("About Lectern-Revision: own"))
})
