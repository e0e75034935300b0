/**
 * Loads the command. Node's compile cache is stored between starts, in a default directory unless `NODE_COMPILE_CACHE`
 * names another. The cache halves the start time and saves memory.
 */
import { enableCompileCache } from "node:module"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"

if (process.argv.includes("serve") || process.argv.includes("build")) HeapGrowth.keepYoungSpaceSmall()
enableCompileCache()
void import("./Command.ts")
