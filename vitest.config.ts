/**
 * `pnpm test` runs what finds mistakes fast. `pnpm test:all` (`LECTERN_TEST=all`) runs what that leaves
 * out: files named `.long.test.ts`, property tests with many more cases (`packages/core/test/Runs.ts`),
 * and the tests of the interface over SQLite (`packages/http/test/Harness.ts`). `pnpm fuzz`
 * (`LECTERN_TEST=fuzz`) runs the property tests alone, with fresh seeds.
 */
import { globSync, readFileSync } from "node:fs"
import { defineConfig } from "vitest/config"

const files = ["packages/*/test/**/*.test.ts", "apps/*/test/**/*.test.ts", "examples/**/*.test.ts"]
const long = ".long.test.ts"

/** The files that are long, or hold what is. */
const which = (isMeant: (file: string, text: string) => boolean) =>
  globSync(files, { cwd: import.meta.dirname, exclude: ["**/node_modules/**"] }).filter((file) =>
    isMeant(file, readFileSync(new URL(file, import.meta.url), "utf8"))
  )
const isProperty = (_: string, text: string) => text.includes('/Runs.ts"')
const isLeftOut = (file: string, text: string) =>
  file.endsWith(long) || isProperty(file, text) || text.includes("onEachAdapter(")

const mode = process.env["LECTERN_TEST"]

export default defineConfig({
  test: {
    include: mode === "all" ? which(isLeftOut) : mode === "fuzz" ? which(isProperty) : files,
    exclude: ["**/node_modules/**", ...(mode === undefined ? [`**/*${long}`] : [])],
    // Tests wait for processes and disks as well: one worker for each processor, not one fewer.
    maxWorkers: "100%",
    testTimeout: mode === undefined ? 30_000 : 1_800_000,
    hookTimeout: mode === undefined ? 30_000 : 300_000
  }
})
