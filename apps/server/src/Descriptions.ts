/**
 * Generates the OpenAPI description and its HTML page, each in a thread that exits afterwards. The event loop stays free,
 * and the memory is released. If a thread fails, the work runs in the main thread.
 */
import { type Describe, describeInSlices } from "@lectern/http/server/ApiDescription"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Effect } from "effect"

/** Memory limits of a thread, in MiB. A small heap is collected often; little of the description lives long. */
const bounds = { maxMemory: 256, maxYoungMemory: 4 }

/** Generates the page for a description (bytes), or the description of the server with the given URL. */
const generate = (input: Uint8Array | string): Effect.Effect<Uint8Array> =>
  BoundedThread.open<Uint8Array | string, Uint8Array>(import.meta.url, "DescriptionWorker", bounds).pipe(
    Effect.flatMap((thread) => thread.request(input)),
    Effect.orDie,
    Effect.scoped
  )

export const describe: Describe = {
  json: (server) => Effect.catchDefect(generate(server), () => describeInSlices.json(server)),
  page: (json) => Effect.catchDefect(generate(json), () => describeInSlices.page(json))
}
