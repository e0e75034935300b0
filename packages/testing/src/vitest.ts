/**
 * Fixtures for vitest: an instance in memory for each file, which is reset after each test.
 *
 * ```ts
 * const test = lecternTest((lectern) => seed(lectern, { users: { ada: "edit" }, spaces: { handbook: {} } }))
 *
 * test("an editor starts a change request", async ({ seeded: { as, spaces } }) => {
 *   await as.ada.changeRequests.create(spaces.handbook, { subject: "A first page" })
 * })
 * ```
 *
 * Defaults: imports are available, the clock starts at 2030-01-01T00:00:00Z, and background jobs run only in
 * `lectern.jobs.worker.runDue()`.
 *
 * Limit: tests of a file must not run concurrently, since they share the instance.
 */
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { test, type TestAPI } from "vitest"
import { type TestClock, testClock } from "./clock.ts"

export type TestLectern = MemoryLectern.MemoryLectern<Exchange.Exchange>

export interface LecternFixtures<Seeded> {
  /** The instance. After each test, all data that the test wrote is reset. */
  readonly lectern: TestLectern
  /** The clock of the instance. Starts at the same time in each test. */
  readonly clock: TestClock
  /** The result of `prepare`. */
  readonly seeded: Seeded
}

/**
 * Returns a `test` with the fixtures. Its method `extend` adds more. `prepare` runs once in each file, before the first
 * test. It creates the data that all tests share, and registers handlers of jobs.
 */
export const lecternTest = <Seeded = undefined>(
  prepare?: (lectern: TestLectern) => Promise<Seeded>,
  options?: Omit<MemoryLectern.OpenOptions<Exchange.Exchange>, "clock" | "extensions">
): TestAPI<LecternFixtures<Seeded>> =>
  test
    .extend("clock", { scope: "file" }, () => testClock())
    .extend("prepared", { scope: "file" }, async ({ clock }, { onCleanup }) => {
      const start = new Date(clock())
      const extensions = [Exchange.extension()]
      const lectern = await MemoryLectern.open({ background: false, ...options, clock, extensions })
      onCleanup(() => lectern.close())
      const seeded = (await prepare?.(lectern)) as Seeded
      const restore = await lectern.checkpoint()
      const reset = async () => {
        clock.set(start)
        await restore()
      }
      return { lectern, seeded, reset }
    })
    .extend("lectern", { auto: true }, ({ prepared }, { onCleanup }) => {
      onCleanup(prepared.reset)
      return prepared.lectern
    })
    .extend("seeded", ({ prepared }) => prepared.seeded) as object as TestAPI<LecternFixtures<Seeded>>
