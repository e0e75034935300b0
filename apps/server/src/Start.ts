/**
 * Loads the command. Node's compiled code is kept between starts, in a place of its own (`NODE_COMPILE_CACHE` names
 * another): a start takes half the time then, and less memory.
 */
import { enableCompileCache } from "node:module"
import * as HeapGrowth from "./HeapGrowth.ts"

if (process.argv.includes("serve")) HeapGrowth.hold()
enableCompileCache()
void import("./Command.ts")
