/**
 * Port for API calls that the site's server makes for readers (see `TryIt`). An adapter sends the call to public
 * internet addresses only, and follows no redirect. Without an adapter, browsers call APIs directly.
 */
import { Context, type Effect, Schema } from "effect"
import type { Pairs } from "./CallUrl.ts"

export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: Pairs
  readonly body?: Uint8Array | undefined
}

export interface CallResponse {
  readonly status: number
  readonly headers: Pairs
  /** Decompressed bytes, cut at the adapter's limit. */
  readonly bytes: Uint8Array
  /** True if the body is longer than `bytes`. */
  readonly isCut: boolean
}

export class CallFailed extends Schema.TaggedError<CallFailed>()("CallFailed", { message: Schema.String }) {}

/** Marks a call by a site's server. Sites reject it, which prevents loops. */
export const callHeader = "x-lectern-call"

export const ApiCaller = Context.Reference<
  { readonly call: (call: Call) => Effect.Effect<CallResponse, CallFailed> } | undefined
>("@lectern/site/api/ApiCaller", { defaultValue: () => undefined })
