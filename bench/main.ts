/**
 * Runs benchmarks and prints their tables: see `bench/README.md`. Usage: `pnpm bench [name …] [--save]`. Without a name,
 * all benchmarks run. `--save` writes each table to `bench/results/<name>.json`, with its date and machine.
 */
import { mkdirSync, writeFileSync } from "node:fs"
import { cpus } from "node:os"

const benches = {
  http: () => import("./Http.ts"),
  content: () => import("./Content.ts"),
  markdown: () => import("./Markdown.ts"),
  search: () => import("./Search.ts"),
  sites: () => import("./Sites.ts"),
  site: () => import("./Site.ts"),
  comments: () => import("./Comments.ts"),
  links: () => import("./Links.ts"),
  imports: () => import("./Imports.ts"),
  dev: () => import("./Dev.ts"),
  build: () => import("./Build.ts"),
  translations: () => import("./Translations.ts"),
  stalls: () => import("./Stalls.ts"),
  integrations: () => import("./Integrations.ts"),
  start: () => import("./Start.ts"),
  load: () => import("./Load.ts"),
  backup: () => import("./Backup.ts"),
  soak: () => import("./Soak.ts"),
  streams: () => import("./Streams.ts"),
  "sign-in": () => import("./SignIn.ts"),
  herd: () => import("./Herd.ts"),
  heap: () => import("./Heap.ts"),
  typing: () => import("./Typing.ts")
}
const selected = process.argv.slice(2).filter((name): name is keyof typeof benches => name in benches)
const isSaved = process.argv.includes("--save")

const date = new Date().toISOString().slice(0, 10)
const machine = { cores: cpus().length, cpu: cpus()[0]?.model ?? "", node: process.version }

const save = (name: string, rows: unknown) => {
  const folder = new URL("results/", import.meta.url)
  mkdirSync(folder, { recursive: true })
  writeFileSync(new URL(`${name}.json`, folder), `${JSON.stringify({ name, date, machine, rows }, undefined, 2)}\n`)
}

console.log(`${date}, ${machine.cores} cores, ${machine.cpu}, Node ${machine.node}`)
for (const name of selected.length === 0 ? (Object.keys(benches) as Array<keyof typeof benches>) : selected) {
  const { run } = await benches[name]()
  const rows = await run()
  console.table(rows)
  if (isSaved) save(name, rows)
}
process.exit(0)
