/**
 * Runs the real server and measures how long a request blocks its event loop. `LoopTimer.ts` measures inside the
 * server, with no other requests running.
 */
import { type ChildProcess, spawn } from "node:child_process"
import { randomBytes } from "node:crypto"
import { once } from "node:events"
import { mkdtemp, rm } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { freePort, ready } from "./Http.ts"
import type { Held } from "./LoopTimer.ts"

/** Time after the first start until the server has finished its startup work, in ms. */
const idleTime = 4000
/** Timeout of a request, in ms, after which a case is aborted. */
const timeout = 120_000

interface Server {
  readonly process: ChildProcess
  readonly send: (
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>
  ) => Promise<ServerResponse>
}

export interface ServerResponse {
  readonly status: number
  readonly text: string
}

const start = async (folder: string): Promise<Server> => {
  const token = randomBytes(32).toString("base64url")
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const child = spawn(
    process.execPath,
    ["--import", new URL("./LoopTimer.ts", import.meta.url).href, "apps/server/src/main.ts", "serve"],
    {
      env: {
        ...process.env,
        LECTERN_DATA: await mkdtemp(join(folder, "data-")),
        LECTERN_PORT: String(port),
        LECTERN_BOOTSTRAP_TOKEN: token,
        LECTERN_RATE_LIMIT: "0",
        LECTERN_LOG_LEVEL: "Error"
      },
      stdio: ["ignore", "ignore", "inherit", "ipc"]
    }
  )
  child.setMaxListeners(0)
  await ready(`${url}/readyz`)
  await new Promise((resolve) => setTimeout(resolve, idleTime))
  return {
    process: child,
    send: async (method, path, body, headers) => {
      const response = await fetch(url + path, {
        method,
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", ...headers },
        signal: AbortSignal.timeout(timeout),
        ...(body !== undefined && { body: typeof body === "string" ? body : JSON.stringify(body) })
      })
      return { status: response.status, text: await response.text() }
    }
  }
}

export const parsed = ({ status, text }: ServerResponse): any => {
  if (status >= 400) throw new Error(`${status}: ${text.slice(0, 300)}`)
  return JSON.parse(text)
}

export type Row = Record<string, string>

/** Starts a server with a space. Both are created again if the server has exited. */
export const heldServer = async (title: string) => {
  const folder = await mkdtemp(join(tmpdir(), "lectern-stalls-"))
  const rows: Array<Row> = []
  let server = await start(folder)

  const world = async () => {
    const [organization] = parsed(await server.send("GET", "/v1/orgs")).items
    const space = parsed(await server.send("POST", `/v1/orgs/${organization.id}/spaces`, { title }))
    return { organization: organization.id as string, space: space.id as string }
  }
  let { organization, space } = await world()
  const opened = async () =>
    `/v1/spaces/${space}/change-requests/${parsed(await server.send("POST", `/v1/spaces/${space}/change-requests`, {})).id}`
  const write = (at: string, ...changes: ReadonlyArray<unknown>) =>
    server.send("POST", `${at}/content?compat=false`, { changes })
  const insert = async (at: string, document: unknown) => {
    const written = parsed(await write(at, { operation: "insert_page", title: "A page", document }))
    return written.changes[0].page.id as string
  }
  const update = (at: string, page: string, document: unknown) =>
    write(at, { operation: "update_page", page, document })
  const merged = async (at: string) => parsed(await server.send("POST", `${at}/merge`))

  const measure = async (name: string, request: () => Promise<unknown>) => {
    const started = once(server.process, "message")
    server.process.send("start")
    await started
    const message = once(server.process, "message")
    const begun = performance.now()
    let answer = ""
    try {
      const result = await request()
      const statuses = (Array.isArray(result) ? result : [result]).map((one) => (one as ServerResponse)?.status ?? "")
      answer = [...new Set(statuses)].join(" ")
    } catch (error) {
      answer = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 60) : String(error)
    }
    const took = performance.now() - begun
    const ended = server.process.exitCode !== null || server.process.signalCode !== null
    if (!ended) server.process.send("stop")
    const late = new Promise<[undefined]>((resolve) => setTimeout(() => resolve([undefined]), 60_000).unref())
    const [held] = (ended ? [undefined] : await Promise.race([message, late])) as [Held | undefined]
    const row = {
      case: name,
      "held ms": held?.longest.toFixed(0) ?? "the server ended, or answers nothing",
      "commit ms": held?.commit.toFixed(0) ?? "",
      "collection ms": held?.collection.toFixed(0) ?? "",
      "took s": (took / 1000).toFixed(1),
      answer
    }
    console.log(Object.values(row).join(" | "))
    rows.push(row)
    if (held !== undefined) return
    server.process.kill("SIGKILL")
    server = await start(folder)
    ;({ organization, space } = await world())
  }

  return {
    rows,
    measure,
    opened,
    write,
    insert,
    update,
    merged,
    send: ((...request) => server.send(...request)) as Server["send"],
    /** Ids of the organization and of the current space, which changes if the server was restarted. */
    ids: () => ({ organization, space }),
    end: async () => {
      server.process.kill()
      await rm(folder, { recursive: true, force: true })
    }
  }
}

export type HeldServer = Awaited<ReturnType<typeof heldServer>>
