/**
 * Tells forms of our own pages from those that another website sends in a reader's name. Browsers say where a form
 * stands; programs that say nothing have no reader's cookies to misuse.
 */
import type { HttpServerRequest } from "effect/http"

export const isSent = ({ headers }: HttpServerRequest.HttpServerRequest, url: URL): boolean => {
  const from = headers["sec-fetch-site"]
  if (from !== undefined) return from === "same-origin"
  const origin = headers["origin"]
  return origin === undefined || URL.parse(origin)?.host === url.host
}
