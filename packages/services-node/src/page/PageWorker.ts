/**
 * The thread of `NodePageThreads`: parses and writes the pages it is given, one after another. What
 * an import needs is loaded at once, and what an export needs beside it when there is one.
 */
import { enableCompileCache } from "node:module"
import { parentPort } from "node:worker_threads"
import { type Links, type PageAnswer, type PageDone, type PageTask, ready } from "./PageWork.ts"

enableCompileCache()
const { parse } = await import("@lectern/core/content/import/ParsedFile")

const writerOf = async ({ space, paths }: Links) => {
  const [{ write }, { ExportLinks }] = await Promise.all([
    import("@lectern/core/content/export/PageText"),
    import("@lectern/core/content/export/ExportLinks")
  ])
  const links = new ExportLinks(space, paths)
  return (page: (PageTask & { readonly call: "write" })["page"]) => write({ ...page, links })
}

let writer: ReturnType<typeof writerOf> | undefined

const done = async (task: PageTask): Promise<PageDone> => {
  if (task.call === "parse") return parse(task.bytes)
  if (writer === undefined) throw new Error("What the pages link to is not known")
  return (await writer)(task.page)
}

const answerTo = async (task: PageTask): Promise<PageAnswer> => {
  try {
    return { done: { value: await done(task) } }
  } catch (error) {
    // Deeper than the stack is deep.
    if (error instanceof RangeError) return {}
    throw error
  }
}

let last = Promise.resolve()

parentPort?.on("message", (task: PageTask | Links) => {
  last = last.then(async () => {
    if (task.call === "links") writer = writerOf(task)
    else parentPort?.postMessage(await answerTo(task), [])
  })
})
parentPort?.postMessage(ready, [])
