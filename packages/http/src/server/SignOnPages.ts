/**
 * Pages that a browser is shown when it signs on. They hold text and nothing else: no script, no style, no
 * picture, nothing that leads away.
 */
import { HttpServerResponse } from "effect/http"

/** Nothing of a sign-on is kept on the way, or told to where people go next. */
export const privately = {
  "cache-control": "no-store",
  "content-security-policy": "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
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
