/**
 * Creates the code caches of the binary: runs the server from a folder, as the binary does, and writes a code cache for
 * each loaded chunk. The main thread writes when it exits, other threads every 500 ms.
 *
 * `LECTERN_WARM` names the folder.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMainThread } from "node:worker_threads"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"
import { Boot } from "./Boot.ts"

const folder = process.env["LECTERN_WARM"]!
const emptyBytes = new Uint8Array()

const bytes = (key: string): Uint8Array => {
  const file = join(folder, key)
  return key.startsWith("code/") && !existsSync(file) ? emptyBytes : readFileSync(file)
}

const boot = new Boot({ keys: () => globSync("**/*.*", { cwd: folder }), bytes, readShared: bytes })

/** Returns the chunks whose code cache of an earlier run V8 rejects. The binary would never use those caches. */
const rejectedChunks = () =>
  [...boot.scripts].filter(([, script]) => script.cachedDataRejected === true).map(([name]) => name)

const write = () => {
  const names = rejectedChunks()
  if (isMainThread && names.length > 0) {
    console.error(`V8 rejects its own code cache of ${names.join(", ")}`)
    process.exitCode = 1
    return
  }
  mkdirSync(join(folder, "code"), { recursive: true })
  for (const [name, script] of boot.scripts) {
    writeFileSync(
      join(folder, "code", name),
      HeapGrowth.withV8Defaults(() => script.createCachedData())
    )
  }
}

if (isMainThread) process.on("exit", write)
else setInterval(write, 500).unref()
boot.start()
