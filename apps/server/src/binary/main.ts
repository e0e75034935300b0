/** The first that the binary runs, in each of its threads. */
import { isMainThread, workerData } from "node:worker_threads"
import { Boot, type ThreadData } from "./Boot.ts"
import * as GlibcMemory from "./GlibcMemory.ts"
import { openProgram, programFiles } from "./ProgramFiles.ts"

/** The build replaces the digits: first byte of the archive in the program. */
const at = Number("@lectern-files@0000000000000000".slice("@lectern-files@".length))

if (isMainThread) GlibcMemory.settle()
new Boot(programFiles(isMainThread ? openProgram() : (workerData as ThreadData).program!, at)).start()
