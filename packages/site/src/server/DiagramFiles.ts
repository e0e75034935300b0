/**
 * Files of the program that draws diagrams: `packages/site/client/frame` with the library Mermaid, in parts of which a
 * diagram loads what it needs. A build puts them in a folder, compressed, and an adapter reads them from there when they
 * are asked for. Without it diagrams are code.
 *
 * The program runs in a frame that is sandboxed and may load these files and nothing else, wherever it is opened.
 */
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

export interface DiagramLibrary {
  /** Names of its files, each with the hash of its content in it; one begins with `frame.`. */
  readonly names: ReadonlyArray<string>
  /** Content of a file by its name, compressed by gzip. */
  readonly read: (name: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
}

const path = /\/~lectern\/([\w.-]+)$/
const year = 365 * 24 * 60 * 60

const headers = {
  "cache-control": `public, max-age=${year}, immutable`,
  "x-content-type-options": "nosniff",
  // A frame that is sandboxed is of no origin.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  vary: "Accept-Encoding"
}

const unpacked = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

export const make = ({ names, read }: DiagramLibrary) => {
  const all = new Set(names)
  const entry = names.find((name) => name.startsWith("frame."))!
  return {
    /** The page in the frame. Styles are what the library draws with: they reach no further than the frame. */
    page: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagrams</title><body><script type="module" src="${entry}"></script>`,

    /** Policy of that page. `origin`: the one it is asked for at, which browsers do not all take for its own. */
    policy: (origin: string): string =>
      [
        "sandbox allow-scripts",
        "default-src 'none'",
        `script-src 'self' ${origin}`,
        "style-src 'unsafe-inline'",
        "img-src data:",
        "font-src data:",
        "base-uri 'none'",
        "form-action 'none'"
      ].join("; "),

    /** The file that a path names; undefined where it names none. */
    at: (pathname: string, request: HttpServerRequest.HttpServerRequest) => {
      const name = path.exec(pathname)?.[1]
      if (name === undefined || !all.has(name)) return undefined
      const takesZip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
      return Effect.map(Effect.flatMap(read(name), takesZip ? Effect.succeed : unpacked), (bytes) =>
        HttpServerResponse.uint8Array(bytes, {
          contentType: "text/javascript; charset=utf-8",
          headers: { ...headers, ...(takesZip && { "content-encoding": "gzip" }) }
        })
      )
    }
  }
}
