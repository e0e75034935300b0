/**
 * Serves the console at the server's own origin: one page at `/`, `/account`, `/notifications`, `/signed-in`, and below
 * `/organizations/` and `/spaces/`, and its files below `/console/`. The page has no data of its own: its script uses the API with the session
 * of the browser.
 *
 * The page loads nothing from other websites except pictures that documents show by their URL, and no other page may
 * frame it. Files have the hash of their content in their names, so browsers cache them forever.
 */
import type { AppPaths } from "@lectern/core/identity/AppUrls"
import type { SelectedRequest } from "@lectern/http/server/MountedApp"
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"
import type { ConsoleFiles } from "./ShippedFiles.ts"

/** Addresses of content in the console. */
export const paths: AppPaths = {
  space: (space) => `/spaces/${space}`,
  page: (space, page) => `/spaces/${space}/pages/${page}`,
  changeRequest: (space, changeRequest) => `/spaces/${space}/changes/${changeRequest}`,
  content:
    /^\/spaces\/(?<space>[\w-]{1,128})(?:\/changes\/(?<changeRequest>[\w-]{1,128}))?(?:\/pages\/(?<page>[\w-]{1,128}))?\/?$/
}

const pagePath = /^\/(?:account|notifications|signed-in|(?:organizations|spaces)\/[^?]*)?(?:\?|$)/
const filePath = /^\/console\/([\w.-]+)$/
const page = "index.html"
const year = 365 * 24 * 60 * 60

const contentTypes: Readonly<Record<string, string>> = {
  js: "text/javascript; charset=utf-8",
  css: "text/css; charset=utf-8",
  html: "text/html; charset=utf-8",
  txt: "text/plain; charset=utf-8"
}

const headers = {
  "x-content-type-options": "nosniff",
  "cross-origin-resource-policy": "same-origin"
}

const pageHeaders = {
  ...headers,
  "cache-control": "no-cache",
  "content-security-policy": [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: https:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'"
  ].join("; "),
  "cross-origin-opener-policy": "same-origin",
  "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
  "referrer-policy": "same-origin",
  "x-frame-options": "DENY"
}

/** Selects a request for the console. Undefined for other requests, and if the console was not built. */
export type SelectConsole = (request: HttpServerRequest.HttpServerRequest) => SelectedRequest | undefined

export const make = (files: ConsoleFiles | undefined): SelectConsole => {
  const names = new Set(files?.names)

  const respond = (name: string, headers: Readonly<Record<string, string>>): SelectedRequest => ({
    cacheKey: name,
    respond: Effect.map(files!.read(name), (bytes) =>
      HttpServerResponse.uint8Array(bytes, {
        contentType: contentTypes[name.slice(name.lastIndexOf(".") + 1)] ?? "application/octet-stream",
        headers
      })
    )
  })

  return ({ method, url }) => {
    if (method !== "GET" && method !== "HEAD") return undefined
    if (pagePath.test(url)) return names.has(page) ? respond(page, pageHeaders) : undefined
    const name = filePath.exec(url)?.[1]
    if (name === undefined || name === page || !names.has(name)) return undefined
    const caching = /\.[\w-]{16}\./.test(name) ? `public, max-age=${year}, immutable` : "no-cache"
    return respond(name, { ...headers, "cache-control": caching })
  }
}
