/**
 * Implements `ApiCaller` with Node's http and https. It connects only to public addresses, which are checked when the
 * connection opens. Redirects are not followed but returned as responses.
 *
 * Private networks are not reachable even if the operator lets Lectern fetch from them, since every reader of a site
 * can make such calls.
 *
 * Defaults: 20 seconds, 1 MiB of an unpacked response. Limits: headers of 16 KiB.
 */
import type { IncomingMessage } from "node:http"
import { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"
import { concatenated } from "@lectern/core/schema/Bytes"
import { ApiCaller, type Call, type CallResponse, CallFailed, callHeader } from "@lectern/site/api/ApiCaller"
import { Effect, Layer } from "effect"
import { describeConnectionFailure } from "../fetch/ConnectionFailure.ts"
import { guardedRequest } from "../fetch/GuardedRequest.ts"
import { chunksOf } from "../fetch/NodeFetch.ts"

export interface NodeApiCallerOptions {
  /** Private names, addresses and ranges that readers may reach. Default: none. */
  readonly readersPrivateHosts?: ReadonlyArray<string>
  /** Maximum size of an unpacked response, in bytes. Longer ones are cut. Default: 1 MiB. */
  readonly maxBytes?: number
  /** Maximum time of a call (ms). Default: 20,000. */
  readonly timeout?: number
}

const layer = (options: NodeApiCallerOptions = {}) => Layer.succeed(ApiCaller, make(options))

const make = ({ readersPrivateHosts, maxBytes = 1024 * 1024, timeout = 20_000 }: NodeApiCallerOptions) => {
  const allowed = AllowedHosts.from(readersPrivateHosts)
  return {
    call: (call: Call) => {
      const objection = allowed.objection(call.url)
      if (objection !== undefined) return Effect.fail(new CallFailed({ message: objection }))
      return Effect.tryPromise({
        try: async (signal) => read(call.url, await openCall(call, allowed, signal), maxBytes),
        catch: (error) =>
          new CallFailed({
            message:
              error instanceof FetchFailed ? error.message : `${call.url.host} ${describeConnectionFailure(error)}`
          })
      }).pipe(
        Effect.timeoutOrElse({
          duration: timeout,
          orElse: () =>
            Effect.fail(new CallFailed({ message: `${call.url.host} did not answer within ${timeout / 1000} seconds` }))
        })
      )
    }
  }
}

export const NodeApiCaller = { layer }

const openCall = ({ method, url, headers, body }: Call, allowed: AllowedHosts, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, fail) => {
    const request = guardedRequest(url, allowed, {
      method,
      signal,
      headers: {
        "user-agent": "Lectern",
        accept: "*/*",
        "accept-encoding": "gzip, deflate, br",
        ...Object.fromEntries(headers.map(([name, value]) => [name.toLowerCase(), value])),
        [callHeader]: "1",
        ...(body !== undefined && { "content-length": body.length })
      }
    })
    request.on("response", resolve)
    // A connection that changes to another protocol is closed.
    request.on("upgrade", (_, socket) => {
      socket.destroy()
      fail(new FetchFailed({ reason: "failed", message: `${url.host} wants to speak another protocol` }))
    })
    request.on("error", fail)
    request.end(body)
  })

const read = async (url: URL, response: IncomingMessage, maxBytes: number): Promise<CallResponse> => {
  const chunks: Array<Uint8Array> = []
  let remaining = maxBytes
  let isCut = false
  for await (const chunk of chunksOf({ url, response }, Number.POSITIVE_INFINITY)) {
    isCut = chunk.byteLength > remaining
    chunks.push(chunk.subarray(0, remaining))
    remaining -= chunk.byteLength
    if (isCut) break
  }
  const { rawHeaders, statusCode = 0 } = response
  const headers = rawHeaders.flatMap((name, i) => (i % 2 === 0 ? [[name, rawHeaders[i + 1] ?? ""] as const] : []))
  return { status: statusCode, headers, bytes: concatenated(chunks), isCut }
}
