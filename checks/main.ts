/**
 * Checks the manual, the words of comments and names, and the number, imports and tests of services (last part of
 * `pnpm check`). Prints a line for each mistake, and exits with code 1 if one was found.
 */
import { globSync } from "node:fs"
import { join, relative } from "node:path"
import { comments } from "./Comments.ts"
import { embedding } from "./Embedding.ts"
import { manual } from "./Manual.ts"
import { serviceCount } from "./ServiceCount.ts"
import { serviceCycles } from "./ServiceCycles.ts"
import { coreExceptions, exchangeExceptions } from "./ServiceTestExceptions.ts"
import { serviceTests } from "./ServiceTests.ts"
import { instanceMethods, offeredMethods } from "../bundle/methods/OfferedMethods.ts"
import { staleFiles } from "./GeneratedFiles.ts"
import { methodCommentMistakes } from "./MethodComments.ts"
import { throwsMistakes } from "./Throws.ts"

const excludedFolders = new Set(["node_modules", "dist", ".git"])

const files = globSync("**/*", { withFileTypes: true, exclude: ({ name }) => excludedFolders.has(name) })
  .filter((entry) => entry.isFile())
  .map((entry) => relative(".", join(entry.parentPath, entry.name)))

const mistakes = [
  ...manual(files),
  ...embedding(),
  ...throwsMistakes(offeredMethods()),
  ...(await methodCommentMistakes([...instanceMethods(), ...offeredMethods()])),
  ...comments(files),
  ...serviceCycles("packages/core/src"),
  ...serviceCount("packages/core/src"),
  ...serviceCycles("packages/exchange/src"),
  ...serviceTests("packages/core", coreExceptions),
  ...serviceTests("packages/exchange", exchangeExceptions),
  ...(await staleFiles())
]
for (const line of mistakes) console.error(line)
if (mistakes.length > 0) process.exitCode = 1
