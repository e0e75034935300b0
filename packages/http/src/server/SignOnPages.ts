/**
 * Pages that a browser is shown when it signs on. They hold text and nothing else: no script, no picture,
 * nothing that leads away.
 */
import { HttpServerResponse } from "effect/http"

const style =
  ":root{color-scheme:light dark;font:1rem/1.6 system-ui,sans-serif}body{max-width:40rem;margin:15vh auto;padding:0 1rem;overflow-wrap:anywhere}h1{font-size:1.75rem;line-height:1.2}pre{padding:1rem;border:1px solid;border-radius:.5rem;white-space:pre-wrap}"

/** Hash of `style`. */
const styleHash = "sha256-Qc3iOLgfcB0xOGaVJ6MqhQ2Ar2ff2+G/eBqrSH7M1h0="

/** Nothing of a sign-on is kept on the way, or told to where people go next. */
export const privately = {
  "cache-control": "no-store",
  "content-security-policy": `default-src 'none'; style-src '${styleHash}'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff"
}

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;"
}

const escape = (text: string): string => text.replace(/[&<>"']/g, (char) => entities[char]!)

export interface Page {
  readonly title: string
  readonly paragraphs: ReadonlyArray<string>
  /** To be copied. */
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
      `<title>${escape(title)}</title>`,
      `<style>${style}</style>`,
      `<h1>${escape(title)}</h1>`,
      ...paragraphs.map((text) => `<p>${escape(text)}</p>`),
      ...(code === undefined ? [] : [`<pre><code>${escape(code)}</code></pre>`]),
      "</html>",
      ""
    ].join("\n"),
    {
      contentType: "text/html; charset=utf-8",
      status: options.status ?? 200,
      headers: { ...privately, ...options.headers }
    }
  )
