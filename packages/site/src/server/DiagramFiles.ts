/**
 * Files of the program that renders diagrams: `packages/site/client/frame` with the library Mermaid. The library is
 * split into chunks, and a diagram loads the chunks that it needs. A build stores them compressed in a folder, and an
 * adapter reads them on request. Without these files, diagrams are shown as code.
 *
 * The program runs in a sandboxed frame that may load only these files. Its policy applies even if the frame's page is
 * opened on its own.
 */
import { Effect } from "effect"
import { type HttpServerRequest, HttpServerResponse } from "effect/http"

export interface DiagramLibrary {
  /** File names, each with the hash of the content. One name starts with `frame.`. */
  readonly names: ReadonlyArray<string>
  /** Returns the gzip-compressed content of a file by its name. */
  readonly read: (name: string) => Effect.Effect<Uint8Array<ArrayBuffer>>
}

const path = /\/~lectern\/([\w.-]+)$/
const year = 365 * 24 * 60 * 60

const headers = {
  "cache-control": `public, max-age=${year}, immutable`,
  "x-content-type-options": "nosniff",
  // Any origin may load the files, since a sandboxed frame has an opaque origin.
  "access-control-allow-origin": "*",
  "cross-origin-resource-policy": "cross-origin",
  vary: "Accept-Encoding"
}

const decompress = (bytes: Uint8Array<ArrayBuffer>) =>
  Effect.promise(async () => {
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))
    return new Uint8Array(await new Response(stream).arrayBuffer())
  })

export const make = ({ names, read }: DiagramLibrary) => {
  const fileNames = new Set(names)
  const entry = names.find((name) => name.startsWith("frame."))!
  return {
    /**
     * HTML of the frame's page. Its policy allows inline styles, since the library uses them; they affect only the
     * frame.
     */
    page: `<!doctype html><html lang="en"><meta charset="utf-8"><title>Diagrams</title><body><script type="module" src="${entry}"></script>`,

    /**
     * Returns the policy of the frame's page. `origin`: origin of the request. It is listed in addition to `'self'`,
     * which some browsers do not match in a sandboxed frame.
     */
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

    /** Returns the response for the path of a file; undefined for other paths. */
    responseFor: (pathname: string, request: HttpServerRequest.HttpServerRequest) => {
      const name = path.exec(pathname)?.[1]
      if (name === undefined || !fileNames.has(name)) return undefined
      const acceptsGzip = /\bgzip\b/.test(request.headers["accept-encoding"] ?? "")
      return Effect.map(Effect.flatMap(read(name), acceptsGzip ? Effect.succeed : decompress), (bytes) =>
        HttpServerResponse.uint8Array(bytes, {
          contentType: "text/javascript; charset=utf-8",
          headers: { ...headers, ...(acceptsGzip && { "content-encoding": "gzip" }) }
        })
      )
    }
  }
}
