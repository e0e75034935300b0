/**
 * Configures five runs of the tests:
 *
 * - `pnpm test`: the tests that find mistakes fast.
 * - `pnpm test:all` (`LECTERN_TEST=all`): files named `.long.test.ts`, property tests with many more cases
 *   (`packages/core/test/Runs.ts`), and tests of adapters over SQLite instead of memory (`packages/core/test/Adapters.ts`).
 * - `pnpm test:late` (`LECTERN_TEST=late`): tests of adapters over a store in memory that answers late.
 * - `pnpm test:postgres` (`LECTERN_TEST=postgres`): the same tests over PostgreSQL.
 * - `pnpm fuzz` (`LECTERN_TEST=fuzz`): only the property tests, with new seeds.
 */
import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"

const files = ["packages/*", "apps/*", "integrations"]
  .map((folder) => `${folder}/test/**/*.test.ts`)
  .concat("examples/**/*.test.ts", "checks/test/*.test.ts")
const long = ".long.test.ts"

/** Returns the test files that a run includes. */
const which = (isMeant: (file: string, text: string) => boolean) =>
  globSync(files, { cwd: import.meta.dirname, exclude: ["**/node_modules/**"] }).filter((file) =>
    isMeant(file, readFileSync(new URL(file, import.meta.url), "utf8"))
  )
const isProperty = (_: string, text: string) => text.includes('/Runs.ts"')
const isUnlisted = (file: string, text: string) =>
  file.endsWith(long) || isProperty(file, text) || /\bonEach(Adapter)?\(/.test(text)

const mode = process.env["LECTERN_TEST"]
const usesAdapter = (file: string, text: string) => !file.endsWith(long) && /\bonEach(Adapter)?\(/.test(text)
const included = { all: isUnlisted, fuzz: isProperty, late: usesAdapter, postgres: usesAdapter }
const wanted = which(included[mode as keyof typeof included] ?? ((file) => !file.endsWith(long)))
const startsProcesses = (file: string) =>
  !/^(checks|integrations|packages\/(core|document|exchange|sign-in|testing|adapter-\w+))\//.test(file)

const serverOfRun = "packages/adapter-postgres/test/ServerOfRun.ts"
const folderOfRun = ["packages/core/test/FolderOfRun.ts", ...(mode === "postgres" ? [serverOfRun] : [])]

/** Threads of the sources start from the bundle that `apps/server/test/Bundled.ts` makes, in a third of the time. */
const startsThread = "new URL(`./${module}${extname(from)}`, from)"
const threadsOfBundle = {
  name: "threads of the bundle",
  transform: (code: string, file: string) => {
    if (!file.endsWith("/thread/StartThread.ts")) return undefined
    if (!code.includes(startsThread)) throw new Error(`${file} starts threads in another way than is known here`)
    const bundled = JSON.stringify(new URL("apps/server/dist/", import.meta.url).href)
    return code.replace(
      startsThread,
      `(from.includes("/src/") ? new URL(\`\${module}.js\`, ${bundled}) : ${startsThread})`
    )
  }
}

export default defineConfig({
  test: {
    // Tests wait for processes and disks as well: one worker for each processor, not one fewer.
    maxWorkers: "100%",
    // Only a test that hangs takes this long, since a machine may be slow or busy.
    testTimeout: mode === undefined ? 300_000 : 1_800_000,
    hookTimeout: mode === undefined ? 300_000 : 1_800_000,
    teardownTimeout: 60_000,
    // Files share loaded modules, so no file may leave state. A shuffled order reveals such state.
    isolate: false,
    sequence: { shuffle: { files: true }, seed: 20260 },
    // Projects run one after the other, since a worker that switches projects loads all modules again.
    projects: [
      {
        extends: true,
        test: {
          name: "core",
          include: wanted.filter((file) => !startsProcesses(file)),
          sequence: { groupOrder: 1 },
          globalSetup: folderOfRun
        }
      },
      {
        extends: true,
        plugins: [threadsOfBundle],
        test: {
          name: "server",
          include: wanted.filter(startsProcesses),
          sequence: { groupOrder: 0 },
          globalSetup: [...folderOfRun, "apps/server/test/Bundled.ts"]
        }
      }
    ]
  }
})
