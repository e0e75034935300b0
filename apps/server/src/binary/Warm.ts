/**
 * The binary before it is one, from a folder, to let V8 make the code of its pieces: each thread writes the
 * code of what it has loaded when it ends, or while it lives.
 *
 * `LECTERN_WARM` names the folder.
 */
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { isMainThread } from "node:worker_threads"
import * as HeapGrowth from "../HeapGrowth.ts"
import { Boot } from "./Boot.ts"

const folder = process.env["LECTERN_WARM"]!
const none = new Uint8Array()

const bytes = (key: string): Uint8Array => {
  const file = join(folder, key)
  return key.startsWith("code/") && !existsSync(file) ? none : readFileSync(file)
}

const boot = new Boot({ keys: () => globSync("**/*.*", { cwd: folder }), bytes, lend: bytes })

/** Code that V8 made in a run before, and does not take in this one, would never be taken. */
const refused = () => [...boot.scripts].filter(([, script]) => script.cachedDataRejected === true).map(([name]) => name)

const write = () => {
  const names = refused()
  if (isMainThread && names.length > 0) {
    console.error(`V8 does not take the code that it made of ${names.join(", ")}`)
    process.exitCode = 1
    return
  }
  mkdirSync(join(folder, "code"), { recursive: true })
  for (const [name, script] of boot.scripts) {
    writeFileSync(
      join(folder, "code", name),
      HeapGrowth.usually(() => script.createCachedData())
    )
  }
}

if (isMainThread) process.on("exit", write)
else setInterval(write, 500).unref()
boot.start()
