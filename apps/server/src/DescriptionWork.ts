/**
 * Work of the thread of `Descriptions`. The worker loads this module with a dynamic import, which bundles it separately:
 * a direct import of `effect` would keep all of `effect` in memory.
 */
import { describeInSlices } from "@lectern/http/server/ApiDescription"
import { Effect } from "effect"

/** Generates the page for a description (bytes), or the description of the server with the given URL. */
export const generate = (input: Uint8Array | string): Promise<Uint8Array> =>
  Effect.runPromise(typeof input === "string" ? describeInSlices.json(input) : describeInSlices.page(input))
