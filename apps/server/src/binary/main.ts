/** Entry point of the binary, in its main thread and all other threads. */
import { isMainThread, workerData } from "node:worker_threads"
import { Boot, type ThreadData } from "./Boot.ts"
import * as GlibcMemory from "./GlibcMemory.ts"
import { openProgram, programFiles } from "./ProgramFiles.ts"

/** Offset of the archive in the program. The build replaces the digits. */
const archiveOffset = Number("@lectern-files@0000000000000000".slice("@lectern-files@".length))

if (isMainThread) GlibcMemory.setVariables()
new Boot(programFiles(isMainThread ? openProgram() : (workerData as ThreadData).program!, archiveOffset)).start()
