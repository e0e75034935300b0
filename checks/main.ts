/** `pnpm check` runs this behind types and rules: it holds the words of the manual, and the comments that a host reads. Ends with 1 when something is wrong. */
import { globSync } from "node:fs"
import { join, relative } from "node:path"
import { embedding } from "./Embedding.ts"
import { manual } from "./Manual.ts"

const elsewhere = new Set(["node_modules", "dist", ".git", ".bundle"])

const files = globSync("**/*", { withFileTypes: true, exclude: ({ name }) => elsewhere.has(name) })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(".", join(entry.parentPath, entry.name)))

const wrong = [...manual(files), ...embedding()]
for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exitCode = 1
