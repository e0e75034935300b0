/**
 * A file server that knows nothing of Lectern: files by their paths, `index.html` of a folder at the path with a slash, a
 * redirect to that path without one, and `404.html`.
 */
import { readFileSync, statSync } from "node:fs"
import { createServer } from "node:http"
import { extname, join, normalize } from "node:path"
import { afterAll } from "vitest"

const types: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".css": "text/css",
  ".js": "text/javascript",
  ".json": "application/json",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff2": "font/woff2",
  ".xml": "application/xml",
  ".txt": "text/plain; charset=utf-8",
  ".md": "text/plain; charset=utf-8"
}

const fileAt = (path: string) => statSync(path, { throwIfNoEntry: false })

/** Serves a folder below a path, until the tests of the file end. Returns the URL with a trailing slash. */
export const serveFiles = async (folder: string, base: string) => {
  const requested: Array<string> = []
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url!, "http://localhost")
    requested.push(pathname)
    const send = (status: number, file: string) => {
      response.writeHead(status, { "content-type": types[extname(file)] ?? "application/octet-stream" })
      response.end(readFileSync(file))
    }
    if (!pathname.startsWith(base)) return response.writeHead(404).end()
    const path = join(folder, normalize(decodeURIComponent(pathname.slice(base.length))))
    if (pathname.endsWith("/")) {
      const index = join(path, "index.html")
      return fileAt(index)?.isFile() === true ? send(200, index) : send(404, join(folder, "404.html"))
    }
    const stats = fileAt(path)
    if (stats?.isDirectory() === true) return response.writeHead(301, { location: `${pathname}/` }).end()
    return stats?.isFile() === true ? send(200, path) : send(404, join(folder, "404.html"))
  })
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve))
  afterAll(() => {
    server.closeAllConnections()
    server.close()
  })
  const address = server.address()
  if (address === null || typeof address === "string") throw new Error("The server has no port")
  return { url: `http://127.0.0.1:${address.port}${base}`, requested }
}
