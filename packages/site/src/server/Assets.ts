/**
 * Files that the pages of all sites load: style sheets, scripts. Each has its content in its name, so whoever has
 * one never asks for it again. They are below each site, so that they come through the proxies of a site too, and say
 * nothing of it.
 */
import type { Hasher } from "@lectern/core/storage/Hasher"
import { HttpBody, HttpServerResponse } from "effect/http"

export interface Asset {
  /** File name, such as `site.css`. */
  readonly name: string
  readonly contentType: string
  readonly content: string | Uint8Array
}

const folder = "~lectern/"
const path = /\/~lectern\/([\w-]+\.[\w-]{16}\.[a-z\d]{2,5})$/
const year = 365 * 24 * 60 * 60

export const make = ({ sha256 }: Pick<Hasher["Service"], "sha256">, assets: ReadonlyArray<Asset>) => {
  const byName = new Map<string, string>()
  const answers = new Map<string, HttpServerResponse.HttpServerResponse>()
  for (const { name, contentType, content } of assets) {
    const named = name.replace(/\.[^.]+$/, (extension) => `.${sha256(content).slice(0, 16)}${extension}`)
    const body =
      typeof content === "string" ? HttpBody.text(content, contentType) : HttpBody.uint8Array(content, contentType)
    byName.set(name, named)
    answers.set(
      named,
      HttpServerResponse.setBody(
        HttpServerResponse.empty({
          status: 200,
          headers: {
            "cache-control": `public, max-age=${year}, immutable`,
            "x-content-type-options": "nosniff",
            // A page of a site is elsewhere than its files where a proxy is between.
            "access-control-allow-origin": "*",
            "cross-origin-resource-policy": "cross-origin"
          }
        }),
        body
      )
    )
  }
  return {
    /** The URL of a file below a site. */
    urlOf: (base: string, name: string): string => `${base}${folder}${byName.get(name) ?? name}`,
    /** The file that a path names; undefined where it names none. */
    at: (pathname: string): HttpServerResponse.HttpServerResponse | undefined => {
      const found = path.exec(pathname)
      return found === null ? undefined : answers.get(found[1]!)
    }
  }
}
