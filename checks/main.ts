/**
 * Checks the words of the manual and of the code, and the order of services, behind types and rules
 * (`pnpm check`). Prints a line for each mistake, and ends with 1 when there is one.
 */
import { globSync } from "node:fs"
import { join, relative } from "node:path"
import { comments } from "./Comments.ts"
import { embedding } from "./Embedding.ts"
import { manual } from "./Manual.ts"
import { serviceCycles } from "./ServiceCycles.ts"
import { siteScripts } from "./SiteScript.ts"

const elsewhere = new Set(["node_modules", "dist", ".git"])

const files = globSync("**/*", { withFileTypes: true, exclude: ({ name }) => elsewhere.has(name) })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(".", join(entry.parentPath, entry.name)))

const wrong = [
  ...manual(files),
  ...embedding(),
  ...comments(files),
  ...serviceCycles("packages/core/src"),
  ...(await siteScripts())
]
for (const line of wrong) console.error(line)
if (wrong.length > 0) process.exitCode = 1
