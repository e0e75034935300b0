/**
 * The thread of `SyntaxThread`: parses the files it is given, from the end of each window of them to
 * its start, until it meets the import, which comes from the other side.
 */
import { readFileSync, statSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { parentPort } from "node:worker_threads"
import type { ParsedAhead } from "@lectern/core/content/import/SyntaxAhead"
import { type Done, done, free, taken, type Work } from "./SyntaxWork.ts"

/** So many files are parsed ahead at most. */
const window = 32
/** A larger file takes up too much where it waits. */
const maxBytes = 256 * 1024

enableCompileCache()
const { split } = await import("@lectern/core/content/markdown/FrontMatter")
const { normalise, parse, toJson } = await import("@lectern/core/content/markdown/Syntax")

const decoder = new TextDecoder()

const read = (file: string): ParsedAhead | undefined => {
  try {
    const { body } = split(normalise(decoder.decode(readFileSync(file)).replaceAll("\u0000", "\uFFFD")))
    const root = parse(body)
    return root && { body, tree: toJson(root) }
  } catch {
    return undefined
  }
}

const isSmall = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) <= maxBytes

parentPort?.once("message", ({ folder, paths, shared, port }: Work) => {
  const place = paths.length
  for (let first = 0; first < paths.length; first += window) {
    for (let at = Atomics.load(shared, place); at < first - window; at = Atomics.load(shared, place)) {
      Atomics.wait(shared, place, at)
    }
    for (let index = Math.min(first + window, paths.length) - 1; index >= first; index--) {
      const file = join(folder, paths[index]!)
      if (!isSmall(file)) continue
      if (Atomics.compareExchange(shared, index, free, taken) !== free) break
      port.postMessage({ index, parsed: read(file) } satisfies Done)
      Atomics.store(shared, index, done)
      Atomics.notify(shared, index)
    }
  }
  port.close()
})
