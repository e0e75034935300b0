/**
 * Makes a file for each thread that a module of a bundle starts, next to the other files of the bundle. Modules name the
 * file of a thread, for example `"SnippetWorker"`.
 */
import { globSync, readFileSync } from "node:fs"
import { basename, join } from "node:path"
import type { Plugin } from "rolldown"
import { root } from "./BuildStamp.ts"

/** Returns the modules that run as threads, by name. */
const threads = (): ReadonlyMap<string, string> =>
  new Map(
    globSync(["apps/*/src/*Worker.ts", "packages/*/src/**/*Worker.ts"], { cwd: root }).flatMap((file) => {
      const text = readFileSync(join(root, file), "utf8")
      if (!text.includes('"node:worker_threads"')) return []
      // Top-level `await` is not possible in the binary, whose modules are CommonJS. Every run of the tests checks this,
      // since the binary is rarely built.
      if (/^(const .*= )?await /m.test(text)) throw new Error(`${file} awaits at its top, which the binary can't`)
      return [[basename(file, ".ts"), join(root, file)]]
    })
  )

export const threadFiles = (): Plugin => {
  const modules = threads()
  const emitted = new Set<string>()
  return {
    name: "files of threads",
    transform: {
      filter: { id: /\.ts$/, code: /"\w+Worker"/ },
      handler(code) {
        for (const [, name] of code.matchAll(/"(\w+Worker)"/g)) {
          const id = modules.get(name!)
          if (id === undefined || emitted.has(id)) continue
          emitted.add(id)
          this.emitFile({ type: "chunk", id, fileName: `${name}.js` })
        }
      }
    }
  }
}
