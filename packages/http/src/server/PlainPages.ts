/**
 * HTML pages of the interface, for signing on and for ending mails. They contain only text and buttons: no scripts, images
 * or links.
 */
import { escapeHtml } from "@lectern/core/schema/EscapeHtml"
import { type InterfaceLanguage, languageInfo } from "@lectern/core/schema/InterfaceLanguage"
import { HttpServerResponse } from "effect/http"

const style =
  ":root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}body{max-width:40rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2}pre{padding:1rem;border:1px solid;border-radius:.5rem;white-space:pre-wrap}form{margin:1rem 0}button{font:inherit;padding:.6rem 1rem;border:1px solid;border-radius:.5rem;background:none;color:inherit;cursor:pointer}"

/** Hash of `style`, for the content security policy. */
const styleHash = "sha256-aQjSm3pDv583NCrTLsYET7eOs0sQJVzu11tXSpbev8w="

const policy = ({ formAction = "'none'", frameAncestors = "'none'" } = {}) =>
  `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action ${formAction}; frame-ancestors ${frameAncestors}`

/** Headers that prevent caching of responses and disclosure of their URLs. */
export const privateHeaders = {
  "cache-control": "no-store",
  "content-security-policy": policy(),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** Like `privateHeaders`, for a page that an identity provider may show in a frame. */
export const privateHeadersFramedBy = (issuer: string) => ({
  ...privateHeaders,
  "content-security-policy": policy({ frameAncestors: new URL(issuer).origin })
})

export interface Page {
  /** Default: English. */
  readonly language?: InterfaceLanguage
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  /** Text to copy, such as a token. */
  readonly code?: string
  /** Buttons that post to the URL of the page, with the field that each sends. */
  readonly buttons?: ReadonlyArray<{ readonly name: string; readonly value: string; readonly label: string }>
}

export const page = (
  { language = "en", title, paragraphs, code, buttons = [] }: Page,
  options: { readonly status?: number; readonly headers?: Record<string, string> } = {}
): HttpServerResponse.HttpServerResponse => {
  const info = languageInfo(language)
  return HttpServerResponse.text(
    [
      "<!doctype html>",
      `<html lang="${info.language}" dir="${info.direction}">`,
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      '<meta name="robots" content="noindex">',
      `<title>${escapeHtml(title)}</title>`,
      `<style>${style}</style>`,
      "<main>",
      `<h1>${escapeHtml(title)}</h1>`,
      ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
      ...(code === undefined ? [] : [`<pre><code>${escapeHtml(code)}</code></pre>`]),
      ...buttons.map(
        ({ name, value, label }) =>
          `<form method="post"><button name="${escapeHtml(name)}" value="${escapeHtml(value)}">${escapeHtml(label)}</button></form>`
      ),
      "</main>",
      "</html>",
      ""
    ].join("\n"),
    {
      contentType: "text/html; charset=utf-8",
      status: options.status ?? 200,
      headers: {
        ...privateHeaders,
        ...(buttons.length > 0 && { "content-security-policy": policy({ formAction: "'self'" }) }),
        ...options.headers
      }
    }
  )
}
