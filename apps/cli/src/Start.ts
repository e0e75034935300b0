/**
 * Loads the command. Node's compile cache is stored between starts, in a default directory unless `NODE_COMPILE_CACHE`
 * names another. The cache halves the start time.
 */
import { enableCompileCache } from "node:module"
import * as HeapGrowth from "./HeapGrowth.ts"

if (process.argv.includes("build")) HeapGrowth.keepYoungSpaceSmall()
enableCompileCache()
void import("./Command.ts")
