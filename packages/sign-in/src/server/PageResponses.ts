/**
 * Responses with pages. No page is stored, framed, or loads anything: its only style is allowed by its hash. Other
 * servers get no `Referer`.
 */
import { Hasher } from "@lectern/core/storage/Hasher"
import { Context, Effect, Layer } from "effect"
import { HttpServerResponse } from "effect/http"
import * as Cookies from "effect/http/Cookies"
import { type Page, renderPage } from "../page/PageLayout.ts"
import type { PageMessages } from "../page/PageMessages.ts"
import { style } from "../page/PageStyle.ts"

type Response = HttpServerResponse.HttpServerResponse

interface ResponseOptions {
  /** Default: 200. */
  readonly status?: number
  /** `Set-Cookie` headers. Default: none. */
  readonly cookies?: ReadonlyArray<string>
  readonly headers?: Readonly<Record<string, string>>
}

export class PageResponses extends Context.Service<
  PageResponses,
  {
    readonly page: (page: Page, messages: PageMessages, options?: ResponseOptions) => Response
    /** Responds to a script of a page. */
    readonly json: (value: object, options?: ResponseOptions) => Response
    /** Redirects to a path of this server. */
    readonly redirect: (path: string, options?: Omit<ResponseOptions, "status">) => Response
  }
>()("@lectern/sign-in/server/PageResponses") {
  static readonly layer = Layer.effect(
    PageResponses,
    Effect.gen(function* () {
      const { sha256 } = yield* Hasher
      const hashOf = (text: string) => `'sha256-${sha256(text).replaceAll("-", "+").replaceAll("_", "/")}='`
      const styleHash = hashOf(style)
      const scriptHashes = new Map<string, string>()

      const scriptSource = (script: string) => {
        const hash = scriptHashes.get(script) ?? hashOf(script)
        scriptHashes.set(script, hash)
        return `; script-src ${hash}; connect-src 'self'`
      }

      const headersOf = (script: string | undefined) => ({
        "cache-control": "no-store",
        "content-security-policy": `default-src 'none'; style-src ${styleHash}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'${script === undefined ? "" : scriptSource(script)}`,
        "cross-origin-opener-policy": "same-origin",
        "cross-origin-resource-policy": "same-origin",
        "permissions-policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "referrer-policy": "same-origin",
        "x-content-type-options": "nosniff",
        "x-frame-options": "DENY",
        "x-robots-tag": "noindex"
      })

      const withCookies = (response: Response, cookies: ReadonlyArray<string> = []): Response =>
        cookies.length === 0 ? response : HttpServerResponse.mergeCookies(response, Cookies.fromSetCookie(cookies))

      return PageResponses.of({
        page: (page, messages, { status = 200, cookies, headers } = {}) =>
          withCookies(
            HttpServerResponse.text(renderPage(page, messages), {
              status,
              contentType: "text/html; charset=utf-8",
              headers: { ...headersOf(page.script), "content-language": messages.language, ...headers }
            }),
            cookies
          ),
        json: (value, { status = 200, cookies, headers } = {}) =>
          withCookies(
            HttpServerResponse.text(JSON.stringify(value), {
              status,
              contentType: "application/json",
              headers: { ...headersOf(undefined), ...headers }
            }),
            cookies
          ),
        redirect: (path, { cookies, headers } = {}) =>
          withCookies(
            HttpServerResponse.empty({ status: 303, headers: { ...headersOf(undefined), location: path, ...headers } }),
            cookies
          )
      })
    })
  )
}
