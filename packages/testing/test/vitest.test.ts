import * as Job from "@lectern/core/job/Job"
import { seed } from "@lectern/testing/seed"
import { lecternTest } from "@lectern/testing/vitest"
import { afterAll, assert, describe } from "@effect/vitest"
import { Schema } from "effect"

const Remind = Job.kind("test/remind", Schema.Struct({ text: Schema.String }))
const reminders: Array<string> = []
let prepared = 0

const test = lecternTest(
  async (lectern) => {
    prepared++
    await lectern.handle(Remind, ({ text }) => {
      reminders.push(text)
    })
    return seed(lectern, { users: { ada: "admin" }, spaces: { handbook: { "README.md": "# Handbook\n" } } })
  },
  { publicUrl: "https://lectern.example.com" }
)

afterAll(() => {
  assert.strictEqual(prepared, 1)
})

describe("each test", () => {
  // Every test starts with the same state, so the order of tests does not matter.
  for (const run of ["first", "second"]) {
    test(`starts with the prepared data and time: ${run}`, async ({ clock, seeded: { as, organization, spaces } }) => {
      assert.strictEqual((await as.ada.spaces.list(organization, {})).items.length, 1)
      const { createdAt } = await as.ada.spaces.create(organization, { title: "Labs" })
      assert.strictEqual(createdAt, "2030-01-01T00:00:00.000Z")
      clock.advance({ days: 1, hours: 2 })
      await as.ada.spaces.update(spaces.handbook, { title: "Guide" })
      assert.strictEqual((await as.ada.spaces.get(spaces.handbook)).updatedAt, "2030-01-02T02:00:00.000Z")
    })

    test(`runs jobs when they are due: ${run}`, async ({ clock, lectern, seeded: { as, organization, spaces } }) => {
      const { worker } = lectern.jobs
      await worker.runDue()
      reminders.length = 0
      await lectern.jobs.enqueue(Remind, { text: "Water the plants" }, { runAt: "2030-01-03T00:00:00Z" })
      await lectern.spaces.remove(spaces.handbook)
      await worker.runDue()
      assert.deepStrictEqual(reminders, [])
      clock.set("2030-01-03T00:00:00Z")
      await worker.runDue()
      assert.deepStrictEqual(reminders, ["Water the plants"])
      const inTrash = () => as.ada.spaces.get(spaces.handbook).then(({ deletedAt }) => deletedAt !== undefined)
      assert.isTrue(await inTrash())
      // A space stays in the trash for 7 days.
      clock.advance({ days: 7 })
      await worker.runDue()
      assert.strictEqual(await inTrash().catch((error: Error) => error.name), "SpaceNotFound")
      assert.strictEqual((await lectern.spaces.list(organization, {})).items.length, 0)
    })
  }
})

lecternTest()("works without preparation", async ({ lectern, seeded }) => {
  assert.isUndefined(seeded)
  const { users } = await seed(lectern, { users: { ada: "read" } })
  assert.strictEqual((await lectern.users.get(users.ada)).displayName, "ada")
})
