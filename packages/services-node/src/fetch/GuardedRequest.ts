/**
 * Sends one request over a new connection. The address of the name is checked when the connection opens. Proxies of the
 * environment are not used. An IP address in the URL is not checked here, so callers check the URL with
 * `AllowedHosts.objection` before.
 *
 * Limits: headers of 16 KiB.
 */
import { Agent as HttpAgent, type ClientRequest, request as requestHttp, type RequestOptions } from "node:http"
import { Agent as HttpsAgent, request as requestHttps } from "node:https"
import type { AllowedHosts } from "@lectern/core/fetch/Addresses"
import { guardedLookup } from "./GuardedLookup.ts"

const maxHeaderSize = 16 * 1024

export const guardedRequest = (
  url: URL,
  allowed: AllowedHosts,
  options: Pick<RequestOptions, "method" | "headers" | "signal" | "timeout">
): ClientRequest => {
  const secure = url.protocol === "https:"
  return (secure ? requestHttps : requestHttp)(url, {
    ...options,
    agent: secure ? new HttpsAgent({ keepAlive: false }) : new HttpAgent({ keepAlive: false }),
    lookup: guardedLookup(allowed, allowed.hasName(url.hostname)),
    maxHeaderSize
  })
}
