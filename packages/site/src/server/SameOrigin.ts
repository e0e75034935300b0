/**
 * Distinguishes forms of the site's own pages from forms that another website submits with a reader's cookies. Browsers
 * send the origin of a form. Programs that send no origin carry no cookies of a reader.
 */
import type { HttpServerRequest } from "effect/http"

export const isSameOrigin = ({ headers }: HttpServerRequest.HttpServerRequest, url: URL): boolean => {
  const fetchSite = headers["sec-fetch-site"]
  if (fetchSite !== undefined) return fetchSite === "same-origin"
  const origin = headers["origin"]
  return origin === undefined || URL.parse(origin)?.host === url.host
}
