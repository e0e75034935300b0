/** Work of the thread of `Descriptions`. Whoever imports `effect` as a whole has all of it in memory, not what it uses. */
import { describeInSlices } from "@lectern/http/server/ApiDescription"
import { Effect } from "effect"

/** `of`: what the page is made around, or the URL of the server that is to be described. */
export const make = (of: Uint8Array | string): Promise<Uint8Array> =>
  Effect.runPromise(typeof of === "string" ? describeInSlices.json(of) : describeInSlices.page(of))
