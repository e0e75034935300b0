import { once } from "node:events"
import { Worker } from "node:worker_threads"
import { assert, it } from "@effect/vitest"
import { ready } from "../src/thread/ThreadMessages.ts"

/** Puts a `node:module` in place that has nothing, for all that files import. */
const bare = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from "node:module"
  registerHooks({
    resolve: (specifier, context, next) =>
      specifier === "node:module" && context.parentURL?.startsWith("file:")
        ? { url: "data:text/javascript,export default {}", shortCircuit: true }
        : next(specifier, context)
  })
`)}`

it("a thread begins where nothing compiled can be kept, as in Deno", async () => {
  const worker = new Worker(new URL("../src/thread/ThreadWorker.ts", import.meta.url), { execArgv: ["--import", bare] })
  try {
    assert.deepStrictEqual(await once(worker, "message"), [ready])
  } finally {
    await worker.terminate()
  }
})
