/**
 * Fetch function for requests to identity providers. It connects only to public hosts and to those that the operator
 * allows, and sends `http` only to the latter. Redirects are not followed, so that a client secret
 * is sent only to the endpoints of the discovery document.
 *
 * Limits: 512 KiB of an unpacked response, headers of 16 KiB.
 */
import type { IncomingMessage } from "node:http"
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { FetchFailed } from "@lectern/core/fetch/GuardedFetch"
import { concatenated } from "@lectern/core/schema/Bytes"
import type { CustomFetch, CustomFetchOptions } from "openid-client"
import { describeConnectionFailure } from "../fetch/ConnectionFailure.ts"
import { guardedRequest } from "../fetch/GuardedRequest.ts"
import { chunksOf } from "../fetch/NodeFetch.ts"

const maxBytes = 512 * 1024

/** Returns why no request is sent to a URL; undefined if one is. */
export const objectionTo = (allowed: AllowedHosts, url: URL): string | undefined => {
  const objection = allowed.objection(url)
  if (objection !== undefined || url.protocol === "https:") return objection
  // Without TLS a network could change keys and tokens, except in one that the operator knows.
  return allowed.hasPrivate(url.hostname) ? undefined : "Expected a URL that begins with https://"
}

/** Returns the function for a time limit in ms, which includes the body. */
export const guardedFetch =
  (allowed: AllowedHosts, timeout: number): CustomFetch =>
  async (text, options) => {
    const url = new URL(text)
    const objection = objectionTo(allowed, url)
    if (objection !== undefined) throw new FetchFailed({ reason: "refused", message: objection })
    const signal = AbortSignal.timeout(timeout)
    try {
      const response = await send(url, options, allowed, signal)
      const chunks: Array<Uint8Array> = []
      for await (const chunk of chunksOf({ url, response }, maxBytes)) chunks.push(chunk)
      const status = response.statusCode ?? 0
      return new Response(status === 204 || status === 304 ? null : (concatenated(chunks) as BodyInit), {
        status,
        headers: headersOf(response)
      })
    } catch (error) {
      if (error instanceof FetchFailed) throw error
      const message = signal.aborted
        ? `${url.host} did not answer in full within ${timeout / 1000} seconds`
        : `${url.host} ${describeConnectionFailure(error)}`
      throw new FetchFailed({ reason: signal.aborted ? "timeout" : "failed", message })
    }
  }

const send = (url: URL, { method, headers, body }: CustomFetchOptions, allowed: AllowedHosts, signal: AbortSignal) =>
  new Promise<IncomingMessage>((resolve, fail) => {
    const request = guardedRequest(url, allowed, {
      method,
      signal,
      headers: { ...headers, "accept-encoding": "gzip, deflate, br", "user-agent": "Lectern" }
    })
    request.on("response", (response) => {
      // The body ends with the time limit too.
      signal.addEventListener("abort", () => response.destroy(new Error("The time is over")), { once: true })
      resolve(response)
    })
    request.on("error", fail)
    // The library sends forms, which it passes as text or as parameters.
    request.end(body == null ? undefined : String(body))
  })

/** Headers that the library reads. Those about the transfer no longer apply to the unpacked body. */
const headersOf = ({ headers }: IncomingMessage): Headers => {
  const relevantHeaders = new Headers()
  for (const name of ["content-type", "www-authenticate", "date"] as const) {
    const value = headers[name]
    if (value !== undefined) relevantHeaders.set(name, value)
  }
  return relevantHeaders
}
