/** HTML pages for signing on. They contain only text: no scripts, images or links. */
import { HttpServerResponse } from "effect/http"

const style =
  ":root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}body{max-width:40rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2}pre{padding:1rem;border:1px solid;border-radius:.5rem;white-space:pre-wrap}"

/** Hash of `style`, for the content security policy. */
const styleHash = "sha256-Qc3iOLgfcB0xOGaVJ6MqhQ2Ar2ff2+G/eBqrSH7M1h0="

const policy = (frameAncestors: string) =>
  `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors ${frameAncestors}`

/** Headers that prevent caching of sign-on responses and disclosure of their URLs. */
export const privateHeaders = {
  "cache-control": "no-store",
  "content-security-policy": policy("'none'"),
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

/** Like `privateHeaders`, for a page that an identity provider may show in a frame. */
export const privateHeadersFramedBy = (issuer: string) => ({
  ...privateHeaders,
  "content-security-policy": policy(new URL(issuer).origin)
})

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

export const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!)

export interface Page {
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  /** Text to copy, such as a token. */
  readonly code?: string
}

export const page = (
  { title, paragraphs, code }: Page,
  options: { readonly status?: number; readonly headers?: Record<string, string> } = {}
): HttpServerResponse.HttpServerResponse =>
  HttpServerResponse.text(
    [
      "<!doctype html>",
      '<html lang="en">',
      '<meta charset="utf-8">',
      '<meta name="viewport" content="width=device-width, initial-scale=1">',
      `<title>${escapeHtml(title)}</title>`,
      `<style>${style}</style>`,
      `<h1>${escapeHtml(title)}</h1>`,
      ...paragraphs.map((text) => `<p>${escapeHtml(text)}</p>`),
      ...(code === undefined ? [] : [`<pre><code>${escapeHtml(code)}</code></pre>`]),
      "</html>",
      ""
    ].join("\n"),
    {
      contentType: "text/html; charset=utf-8",
      status: options.status ?? 200,
      headers: { ...privateHeaders, ...options.headers }
    }
  )
