import { seed } from "@lectern/testing/seed"
import { lecternTest } from "@lectern/testing/vitest"
import { expect } from "vitest"
import { reviewRule } from "../src/ReviewRule.ts"

const test = lecternTest(
  (lectern) =>
    seed(lectern, {
      users: { ada: "review", eve: "review" },
      spaces: { handbook: { "README.md": "# Handbook\n" } }
    }),
  { before: reviewRule }
)

test("a change request needs the approval of somebody else", async ({ seeded: { as, spaces } }) => {
  const draft = await as.ada.changeRequests.create(spaces.handbook, { subject: "A first page" })
  await as.ada.changeRequests.content.write(spaces.handbook, draft.id, [
    { operation: "insert_page", title: "Welcome", document: { markdown: "It is good that you are here.\n" } }
  ])
  const merge = () => as.ada.changeRequests.content.merge(spaces.handbook, draft.id)
  await expect(merge()).rejects.toThrow("Somebody else has to approve it first")

  await as.ada.changeRequests.reviews.submit(spaces.handbook, draft.id, { status: "approved" })
  await expect(merge()).rejects.toThrow("Somebody else has to approve it first")

  await as.eve.changeRequests.reviews.submit(spaces.handbook, draft.id, { status: "approved" })
  await expect(merge()).resolves.toMatchObject({ result: "merge" })
})
