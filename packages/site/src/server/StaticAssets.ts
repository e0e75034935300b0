/**
 * Style sheets and scripts that pages of all sites load. Each name contains the hash of the content, so browsers cache
 * a file forever. Files are served below each site, so that proxies of a site serve them too. Their content does not
 * depend on the site.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { HttpBody, HttpServerResponse } from "effect/http"

export interface Asset {
  /** File name without the hash, such as `site.css`. */
  readonly name: string
  readonly contentType: string
  readonly content: string | Uint8Array
}

const folder = "~lectern/"
const path = /\/~lectern\/([\w-]+\.[\w-]{16}\.[a-z\d]{2,5})$/
const year = 365 * 24 * 60 * 60

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">, assets: ReadonlyArray<Asset>) => {
  const byName = new Map<string, string>()
  const responses = new Map<string, HttpServerResponse.HttpServerResponse>()
  for (const { name, contentType, content } of assets) {
    const hashedName = name.replace(/\.[^.]+$/, (extension) => `.${sha256(content).slice(0, 16)}${extension}`)
    const body =
      typeof content === "string" ? HttpBody.text(content, contentType) : HttpBody.uint8Array(content, contentType)
    byName.set(name, hashedName)
    responses.set(
      hashedName,
      HttpServerResponse.setBody(
        HttpServerResponse.empty({
          status: 200,
          headers: {
            "cache-control": `public, max-age=${year}, immutable`,
            "x-content-type-options": "nosniff",
            // Any origin may load the files, since pages behind a proxy have a different origin than their files.
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin"
          }
        }),
        body
      )
    )
  }
  return {
    /** Returns the URL of a file below a site. */
    urlOf: (base: string, name: string): string => `${base}${folder}${byName.get(name) ?? name}`,
    /** Returns the response for the path of a file; undefined for other paths. */
    responseFor: (pathname: string): HttpServerResponse.HttpServerResponse | undefined => {
      const match = path.exec(pathname)
      return match === null ? undefined : responses.get(match[1]!)
    }
  }
}
