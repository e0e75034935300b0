/**
 * Work of the thread of `Descriptions`. The worker loads this module with a dynamic import, which bundles it separately:
 * a direct import of `effect` would keep all of `effect` in memory.
 */
import { describeInSlices } from "@lectern/http/server/ApiDescription"
import { Effect } from "effect"

/** Generates the description of the server with the given URL. */
export const generate = (server: string): Promise<Uint8Array> => Effect.runPromise(describeInSlices(server))
