/**
 * The OpenAPI description of the API. A built server contains it. From sources, a thread generates it and exits
 * afterwards, so the event loop stays free and the memory is released. If the thread fails, the work runs in the main
 * thread.
 */
import { type Describe, describeInSlices, withServer } from "@lectern/http/server/ApiDescription"
import { BoundedThread } from "@lectern/services-node/thread/BoundedThread"
import { Effect } from "effect"
import * as ShippedFiles from "./ShippedFiles.ts"

/** Memory limits of a thread, in MiB. A small heap is collected often; little of the description lives long. */
const bounds = { maxMemory: 256, maxYoungMemory: 4 }

/** Generates the description of the server with the given URL. */
const generate = (server: string): Effect.Effect<Uint8Array> =>
  BoundedThread.open<string, Uint8Array>(import.meta.url, "DescriptionWorker", bounds).pipe(
    Effect.flatMap((thread) => thread.request(server)),
    Effect.orDie,
    Effect.scoped
  )

export const describe: Describe = (server) =>
  Effect.suspend(() => {
    const shipped = ShippedFiles.description()
    return shipped === undefined
      ? Effect.catchDefect(generate(server), () => describeInSlices(server))
      : Effect.succeed(new TextEncoder().encode(withServer(shipped, server)))
  })
