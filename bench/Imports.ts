/**
 * Measures the duration of `lectern import` for one or several folders, each into a new space. The same command for a
 * folder of one page shows the cost of starting the process.
 *
 * `LECTERN_BENCH_SERVER` names a program to start instead of the sources, such as `dist/lectern`.
 */
import { spawnSync } from "node:child_process"
import { globSync, readdirSync } from "node:fs"
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { median } from "./Http.ts"

/** Folder that contains the folders to import. Default: the documentation of Lectern. */
const pagesFolder = process.env["LECTERN_BENCH_PAGES"]
const rounds = 5

const serverUrl = process.env["LECTERN_BENCH_SERVER"]
const program = serverUrl === undefined ? [process.execPath, "apps/server/src/main.ts"] : [serverUrl]

const foldersOf = (folder: string): ReadonlyArray<string> =>
  readdirSync(folder, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(folder, name))

const lectern = (...args: ReadonlyArray<string>) => {
  const [command, ...launcher] = program
  const { status, stdout } = spawnSync(command!, [...launcher, ...args, "--json"], {
    encoding: "utf8",
    stdio: ["ignore", "pipe", "ignore"]
  })
  if (status !== 0) throw new Error(`lectern ${args[0]}: ${stdout}`)
}

export const run = async () => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-bench-"))
  try {
    const folders = pagesFolder === undefined ? [join(import.meta.dirname, "../docs")] : foldersOf(pagesFolder)
    const pages = folders.reduce(
      (sum, one) => sum + globSync(`${one}/**/*.md`, { exclude: ["**/SUMMARY.md"] }).length,
      0
    )
    const page = join(folder, "page")
    await mkdir(page)
    await writeFile(join(page, "README.md"), "# A page\n")

    let round = 0
    /** Returns the duration of the command with a new data folder (s). */
    const durations = (sources: ReadonlyArray<string>): number => {
      const data = join(folder, `data-${round++}`)
      lectern("organization", "create", "--title", "Bench", "--email", "bench@example.com", "--data", data)
      const startedAt = performance.now()
      lectern("import", ...sources, "--data", data)
      return (performance.now() - startedAt) / 1000
    }

    const times = Array.from({ length: rounds }, () => ({ all: durations(folders), one: durations([page]) }))
    const medianTotal = median(times.map((time) => time.all))
    const itself = median(times.map((time) => time.all - time.one))
    return {
      "lectern import": {
        pages,
        s: Number(medianTotal.toFixed(2)),
        "pages/s": Math.round(pages / medianTotal),
        "of one page, s": Number(median(times.map((time) => time.one)).toFixed(2)),
        "pages/s without that": Math.round(pages / itself)
      }
    }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
