/**
 * Makes the description of the interface, and the page to read it on, in threads that end then: that
 * holds up nobody, and the memory that it took is given back. Where a thread fails, they are made in place.
 */
import { type Describe, describeInSlices } from "@lectern/http/server/ApiDescription"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Effect } from "effect"

/** A small heap is collected often, and is soon given back: little in the description lives long. */
const bounds = { maxMemory: 256, maxYoungMemory: 4 }

/** `of`: what the page is made around, or the URL of the server that is to be described. */
const made = (of: Uint8Array | string): Effect.Effect<Uint8Array> =>
  BoundedThread.open<Uint8Array | string, Uint8Array>(import.meta.url, "DescriptionWorker", bounds).pipe(
    Effect.flatMap((thread) => thread.ask(of)),
    Effect.orDie,
    Effect.scoped
  )

export const describe: Describe = {
  json: (server) => Effect.catchDefect(made(server), () => describeInSlices.json(server)),
  page: (json) => Effect.catchDefect(made(json), () => describeInSlices.page(json))
}
