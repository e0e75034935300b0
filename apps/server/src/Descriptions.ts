/**
 * Makes the description of the interface, and the page to read it on, in threads that end then: that
 * holds up nobody, and the memory that it took is given back. Where a thread fails, they are made in place.
 */
import { extname } from "node:path"
import { Worker } from "node:worker_threads"
import { type Describe, inSteps } from "@lectern/http/server/ApiDescription"
import { Effect } from "effect"

/** `json`: what the page is made around; the description itself is made where there is none. */
const made = (json?: Uint8Array): Effect.Effect<Uint8Array> =>
  Effect.callback((resume) => {
    const worker = new Worker(new URL(`./DescriptionWorker${extname(import.meta.url)}`, import.meta.url), {
      workerData: json,
      // It has little that lives long: a small heap is collected often, and is soon given back.
      resourceLimits: { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 256 }
    })
    worker.once("message", (bytes: Uint8Array) => resume(Effect.succeed(bytes)))
    worker.once("error", (error) => resume(Effect.die(error)))
    worker.once("exit", () => resume(Effect.die(new Error("The thread that describes the interface ended"))))
    return Effect.promise(() => worker.terminate())
  })

export const describe: Describe = {
  json: Effect.catchDefect(made(), () => inSteps.json),
  page: (json) => Effect.catchDefect(made(json), () => inSteps.page(json))
}
