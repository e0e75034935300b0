/**
 * Prints the tables of `bench/README.md`. Usage: `pnpm bench [name]`, for all tables without a name. Names: `http`,
 * `content`, `markdown`, `search`, `sites`, `site`, `comments`, `links`, `imports`, `translations`, `stalls`,
 * `integrations`, `start`, `backup`, `soak`, `herd`, `heap`.
 */
import { cpus } from "node:os"

const all = {
  http: () => import("./Http.ts"),
  content: () => import("./Content.ts"),
  markdown: () => import("./Markdown.ts"),
  search: () => import("./Search.ts"),
  sites: () => import("./Sites.ts"),
  site: () => import("./Site.ts"),
  comments: () => import("./Comments.ts"),
  links: () => import("./Links.ts"),
  imports: () => import("./Imports.ts"),
  translations: () => import("./Translations.ts"),
  stalls: () => import("./Stalls.ts"),
  integrations: () => import("./Integrations.ts"),
  start: () => import("./Start.ts"),
  backup: () => import("./Backup.ts"),
  soak: () => import("./Soak.ts"),
  herd: () => import("./Herd.ts"),
  heap: () => import("./Heap.ts")
}
const wanted = process.argv.slice(2).filter((name): name is keyof typeof all => name in all)

console.log(
  `${new Date().toISOString().slice(0, 10)}, ${cpus().length} cores, ${cpus()[0]?.model ?? ""}, Node ${process.version}`
)
for (const name of wanted.length === 0 ? (Object.keys(all) as Array<keyof typeof all>) : wanted) {
  const { run } = await all[name]()
  console.table(await run())
}
process.exit(0)
