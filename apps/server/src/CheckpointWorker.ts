/** Thread of `Checkpoints`: checkpoints databases and replies with the reason of a failure, or undefined. */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import { checkpoint } from "@lectern/adapter-sqlite/durability/LogCheckpoints"

enableCompileCache()

parentPort?.on("message", (filename: string) => {
  let failure: string | undefined
  try {
    checkpoint(filename)
  } catch (error) {
    failure = error instanceof Error ? error.message : String(error)
  }
  parentPort?.postMessage(failure, [])
})
