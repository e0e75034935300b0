/**
 * The thread of `SyntaxThread`: parses the files of one folder after another. While their order is
 * not known yet, it begins with the first there are; then it goes from the end of each window of
 * them to its start, until it meets the import, which comes from the other side.
 */
import { once } from "node:events"
import { readFileSync, statSync } from "node:fs"
import { enableCompileCache } from "node:module"
import { join } from "node:path"
import { type MessagePort, parentPort, receiveMessageOnPort } from "node:worker_threads"
import type { ParsedAhead } from "@lectern/core/content/import/SyntaxAhead"
import { type Done, done, free, type Order, taken, type Work } from "./SyntaxWork.ts"

/** So many files are parsed before their order is known. */
const maxEarly = 256
/** So many files are parsed ahead at most. */
const window = 32
/** A larger file takes up too much where it waits. */
const maxBytes = 256 * 1024

enableCompileCache()
const { parse } = await import("@lectern/core/content/import/ParsedFile")

const read = (file: string): ParsedAhead | undefined => {
  try {
    return parse(readFileSync(file))
  } catch {
    return undefined
  }
}

const isSmall = (file: string): boolean => (statSync(file, { throwIfNoEntry: false })?.size ?? Infinity) <= maxBytes

const parseFile = (folder: string, path: string, port: MessagePort): boolean => {
  const file = join(folder, path)
  if (!isSmall(file)) return false
  port.postMessage({ path, parsed: read(file) } satisfies Done)
  return true
}

/** Answers what it has parsed when the order comes; undefined: nobody waits any more. */
const parseEarly = async ({ folder, paths, port }: Work) => {
  const early = new Set<string>()
  const closed = once(port, "close").then(() => undefined)
  for (const path of paths.slice(0, maxEarly)) {
    const received = receiveMessageOnPort(port) as { readonly message: Order } | undefined
    if (received !== undefined) return { early, order: received.message }
    if (parseFile(folder, path, port)) early.add(path)
  }
  const order = await Promise.race([once(port, "message").then(([message]) => message as Order), closed])
  return order && { early, order }
}

const parseInOrder = ({ folder, port }: Work, early: ReadonlySet<string>, { paths, shared }: Order) => {
  const place = paths.length
  for (const [index, path] of paths.entries()) if (early.has(path)) Atomics.compareExchange(shared, index, free, done)
  for (let first = 0; first < paths.length; first += window) {
    for (let at = Atomics.load(shared, place); at < first - window; at = Atomics.load(shared, place)) {
      Atomics.wait(shared, place, at)
    }
    for (let index = Math.min(first + window, paths.length) - 1; index >= first; index--) {
      const state = Atomics.compareExchange(shared, index, free, taken)
      if (state === taken) break
      if (state === done) continue
      parseFile(folder, paths[index]!, port)
      Atomics.store(shared, index, done)
      Atomics.notify(shared, index)
    }
  }
}

const run = async (work: Work) => {
  const told = await parseEarly(work)
  if (told !== undefined) parseInOrder(work, told.early, told.order)
  work.port.close()
}

let last = Promise.resolve()
parentPort?.on("message", (work: Work) => {
  last = last.then(() => run(work))
})
