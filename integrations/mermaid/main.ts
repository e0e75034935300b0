/**
 * Renders Mermaid diagrams in a frame. The library is part of this program, so no other server is involved. Frame and library
 * are equal for all readers and have the version in their URLs, so browsers cache them.
 */
import library from "mermaid/dist/mermaid.min.js?gzip"
import frame from "./frame.ts?page"
import { type RequestContext, integration, Refused } from "../runtime/Integration.ts"
import type { Render } from "../runtime/Event.ts"

const example = "graph TD\n  Text --> Diagram"

/** Cache lifetimes in seconds: a day for blocks, a year for files with a version in the URL. */
const day = 86_400
const year = 365 * day

const diagram = ({ props, state = {}, context }: Render, { environment: { integration } }: RequestContext) => {
  const source = state["content"] ?? props["content"]
  const content = typeof source === "string" && source.trim() !== "" ? source : example
  const url = new URL(`${integration.urls.publicContentEndpoint}/frame`)
  url.searchParams.set("v", String(integration.version))
  if (context.theme === "dark") url.searchParams.set("theme", "dark")
  const bound = { $state: "content" }
  const frameElement = {
    type: "webframe",
    source: { url: url.href },
    aspectRatio: 16 / 9,
    data: { content: bound }
  } as const
  const edited = {
    type: "codeblock",
    state: "content",
    content,
    syntax: "mermaid",
    onContentChange: { action: "@editor.node.updateProps", props: { content: bound } },
    footer: [frameElement]
  } as const
  return {
    state: { content },
    props: { ...props, content },
    maxAge: day,
    element: { type: "block", children: [context.editable === true ? edited : frameElement] } as const
  }
}

const page = (version: string, scheme: string) => `<!doctype html>
<html lang="en" style="color-scheme: ${scheme}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>Diagram</title>
<style>
  body { margin: 0; background: Canvas; color: CanvasText; font: 16px/1.5 system-ui, sans-serif }
  main:focus-visible { outline: 2px solid Highlight; outline-offset: -2px }
  main { overflow: auto }
  svg { display: block; margin: auto; max-width: 100%; height: auto }
  pre { margin: 0; white-space: pre-wrap; font: 14px/1.5 ui-monospace, monospace }
  .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%) }
</style>
<main tabindex="0" role="region" aria-label="Diagram"><noscript>Diagrams are drawn by scripts.</noscript></main>
<script src="mermaid.js?v=${version}"></script>
<script src="frame.js?v=${version}"></script>
`

let unpacked: Uint8Array<ArrayBuffer> | undefined

const bytesOf = (base64: string) => Uint8Array.from(atob(base64), (character) => character.charCodeAt(0))

/** Returns the library: compressed, or decompressed for clients without gzip. */
const drawer = (request: Request): Response => {
  unpacked ??= bytesOf(library)
  const headers = { ...cacheHeaders, "content-type": "text/javascript; charset=utf-8", vary: "accept-encoding" }
  if (!/\bgzip\b/.test(request.headers.get("accept-encoding") ?? "")) {
    return new Response(new Blob([unpacked]).stream().pipeThrough(new DecompressionStream("gzip")), { headers })
  }
  // Without `encodeBody: "manual"`, `workerd` would compress the body again.
  const init: ResponseInit & { encodeBody: "manual" } = {
    headers: { ...headers, "content-encoding": "gzip" },
    encodeBody: "manual"
  }
  return new Response(unpacked, init)
}

const cacheHeaders = { "cache-control": `public, max-age=${year}, immutable` }

export default integration({
  components: { diagram },

  fetch: (_, { request, environment }) => {
    const { pathname, searchParams } = new URL(request.url)
    const file = pathname.slice(pathname.lastIndexOf("/") + 1)
    if (request.method !== "GET" && request.method !== "HEAD") throw new Refused("It is only read", 405)
    switch (file) {
      case "frame": {
        const scheme = searchParams.get("theme") === "dark" ? "dark" : "light dark"
        const html = page(String(environment.integration.version), scheme)
        return new Response(html, { headers: { ...cacheHeaders, "content-type": "text/html; charset=utf-8" } })
      }
      case "frame.js":
        return new Response(frame, { headers: { ...cacheHeaders, "content-type": "text/javascript; charset=utf-8" } })
      case "mermaid.js":
        return drawer(request)
      default:
        throw new Refused("There is no such file", 404)
    }
  }
})
