/** The thread of `Checkpoints`: brings logs into their files, and answers with why it could not. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import { checkpoint } from "@lectern/adapter-sqlite/Checkpoint"

enableCompileCache()

parentPort?.on("message", (filename: string) => {
  let failed: string | undefined
  try {
    checkpoint(filename)
  } catch (error) {
    failed = error instanceof Error ? error.message : String(error)
  }
  parentPort?.postMessage(failed, [])
})
