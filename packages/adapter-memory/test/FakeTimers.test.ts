/** Fake timers of a test replace those of the process. Lectern keeps working, with the clock of the test. */
import { afterEach, assert, beforeEach, it, vi } from "@effect/vitest"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"

beforeEach(() => {
  vi.useFakeTimers({ now: Date.UTC(2030, 0, 1) })
})

afterEach(() => {
  vi.useRealTimers()
})

it("opens, works, resets and closes while timers are fake", async () => {
  const lectern = await MemoryLectern.open({ rerunBodies: true })
  const { id: acme, createdAt } = await lectern.organizations.create({ title: "Acme" })
  assert.strictEqual(createdAt, "2030-01-01T00:00:00.000Z")
  const reset = await lectern.checkpoint()
  const space = await lectern.spaces.create(acme, { title: "Guide" })
  const changes = Array.from({ length: 30 }, (_, i) => ({
    operation: "insert_page" as const,
    title: `Page ${i}`,
    document: { markdown: `# Part\n\n${"Words. ".repeat(200)}` }
  }))
  await lectern.content.live.write(space.id, changes)
  vi.setSystemTime(Date.UTC(2030, 0, 2))
  const other = await lectern.spaces.create(acme, { title: "Labs" })
  assert.strictEqual(other.createdAt, "2030-01-02T00:00:00.000Z")
  const main = await lectern.content.locate({ space: space.id })
  assert.strictEqual((await lectern.content.pages(main)).pages.length, 30)
  await reset()
  assert.strictEqual((await lectern.spaces.list(acme, {})).items.length, 0)
  await lectern.close()
})
