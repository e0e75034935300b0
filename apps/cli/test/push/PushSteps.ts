/** Shared steps of tests of `lectern push` and `lectern pull`: the real command and a real server. */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs"
import { createServer, type Server as HttpServer } from "node:http"
import type { AddressInfo } from "node:net"
import { dirname, join, relative } from "node:path"
import { assert } from "vitest"
import { lectern, type Server, temporaryFolder } from "../../../server/test/LecternProcess.ts"

export type Files = Readonly<Record<string, string>>

/** Writes a folder on a Git branch. */
export const folderOnBranch = (files: Files, branch?: string): string => {
  const folder = temporaryFolder()
  write(folder, files)
  if (branch !== undefined) write(folder, { ".git/HEAD": `ref: refs/heads/${branch}\n` })
  return folder
}

export const write = (folder: string, files: Files): void => {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Returns the files of a folder, without those of Git and of the state. */
export const filesIn = (folder: string): Record<string, string> => {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" })
  return Object.fromEntries(
    paths
      .filter((path) => !/^\.(?:git|lectern)(?:\/|$)/.test(path) && statSync(join(folder, path)).isFile())
      .map((path) => [relative(folder, join(folder, path)), readFileSync(join(folder, path), "latin1")])
  )
}

export const newSpace = async (server: Server, title = "Docs"): Promise<string> => {
  const { body, status } = await server.call("POST", `/v1/orgs/${server.ready.organization.id}/spaces`, { title })
  assert.strictEqual(status, 201, JSON.stringify(body))
  return body.id
}

export interface Target {
  readonly server: Pick<Server, "url" | "token">
  readonly space: string
}

/** Runs the command, with `--json`. */
export const run = async (
  command: "push" | "pull",
  folder: string,
  { server, space }: Target,
  ...args: ReadonlyArray<string>
) => {
  const words = [command, folder, "--server", server.url, "--space", space, "--json", ...args]
  const { code, stdout, stderr } = await lectern(words, { LECTERN_TOKEN: server.token })
  return { code, stderr, json: stdout === "" ? undefined : JSON.parse(stdout) }
}

/** Runs the command, which must succeed. Returns its output. */
export const runWell = async (...[command, folder, target, ...args]: Parameters<typeof run>) => {
  const { code, json, stderr } = await run(command, folder, target, ...args)
  assert.strictEqual(code, 0, `${JSON.stringify(json)} ${stderr}`)
  return json
}

/** Responds to a request in place of the server: a status, or no response. Undefined passes the request on. */
export type Interruption = (request: { readonly method: string; readonly url: string }) => number | "cut" | undefined

/** A server in front of the real one, which can refuse requests and cut connections. */
export const proxy = async (target: () => string, interrupt: Interruption) => {
  const server: HttpServer = createServer((request, response) => {
    const parts: Array<Buffer> = []
    request.on("data", (part: Buffer) => parts.push(part))
    request.on("end", () => {
      const method = request.method!
      const interruption = interrupt({ method, url: request.url! })
      if (interruption === "cut") {
        request.socket.destroy()
        return
      }
      if (interruption !== undefined) {
        response.writeHead(interruption, { "retry-after": "0" }).end()
        return
      }
      const headers = {
        authorization: request.headers.authorization!,
        "content-type": request.headers["content-type"] ?? ""
      }
      const body = method === "GET" ? {} : { body: Buffer.concat(parts) }
      fetch(target() + request.url, { method, headers, ...body })
        .then(async (answer) => {
          const bytes = Buffer.from(await answer.arrayBuffer())
          response.writeHead(answer.status, { "content-type": answer.headers.get("content-type") ?? "" }).end(bytes)
        })
        .catch(() => request.socket.destroy())
    })
  })
  await new Promise<void>((listening) => void server.listen(0, "127.0.0.1", listening))
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() }
}
