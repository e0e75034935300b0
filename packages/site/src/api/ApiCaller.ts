/**
 * A port to APIs that readers try and that no browser may ask (see `Trying`). An adapter sends the call, holds it to
 * addresses that the whole internet can reach, and follows no redirect. Without one browsers call themselves.
 */
import { Context, type Effect, Schema } from "effect"
import type { Pairs } from "./CallUrl.ts"

export interface Call {
  readonly method: string
  readonly url: URL
  readonly headers: Pairs
  readonly body?: Uint8Array | undefined
}

export interface Called {
  readonly status: number
  readonly headers: Pairs
  /** Unpacked, as far as it is read. */
  readonly bytes: Uint8Array
  /** There was more than is read. */
  readonly isCut: boolean
}

export class CallFailed extends Schema.TaggedError<CallFailed>()("CallFailed", { message: Schema.String }) {}

/** Marks a call that a site makes: it leads into no site again. */
export const callHeader = "x-lectern-call"

export const ApiCaller = Context.Reference<
  { readonly call: (call: Call) => Effect.Effect<Called, CallFailed> } | undefined
>("@lectern/site/api/ApiCaller", { defaultValue: () => undefined })
