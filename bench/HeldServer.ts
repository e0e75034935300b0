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
  const openChangeRequest = async () =>
    `/v1/spaces/${space}/change-requests/${parsed(await server.send("POST", `/v1/spaces/${space}/change-requests`, {})).id}`
  const write = (draftUrl: string, ...changes: ReadonlyArray<unknown>) =>
    server.send("POST", `${draftUrl}/content?compat=false`, { changes })
  const insert = async (draftUrl: string, document: unknown) => {
    const insertResult = parsed(await write(draftUrl, { operation: "insert_page", title: "A page", document }))
    return insertResult.changes[0].page.id as string
  }
  const update = (draftUrl: string, page: string, document: unknown) =>
    write(draftUrl, { operation: "update_page", page, document })
  const mergeChangeRequest = async (draftUrl: string) => parsed(await server.send("POST", `${draftUrl}/merge`))

  const measure = async (name: string, request: () => Promise<unknown>) => {
    const started = once(server.process, "message")
    server.process.send("start")
    await started
    const message = once(server.process, "message")
    const startedAt = performance.now()
    let answer = ""
    try {
      const result = await request()
      const statuses = (Array.isArray(result) ? result : [result]).map((one) => (one as ServerResponse)?.status ?? "")
      answer = [...new Set(statuses)].join(" ")
    } catch (error) {
      answer = error instanceof Error ? `${error.name}: ${error.message}`.slice(0, 60) : String(error)
    }
    const duration = performance.now() - startedAt
    const hasEnded = server.process.exitCode !== null || server.process.signalCode !== null
    if (!hasEnded) server.process.send("stop")
    const timeoutPromise = new Promise<[undefined]>((resolve) => setTimeout(() => resolve([undefined]), 60_000).unref())
    const [heldMessage] = (hasEnded ? [undefined] : await Promise.race([message, timeoutPromise])) as [Held | undefined]
    const row = {
      case: name,
      "held ms": heldMessage?.longest.toFixed(0) ?? "the server ended, or answers nothing",
      "commit ms": heldMessage?.commit.toFixed(0) ?? "",
      "collection ms": heldMessage?.collection.toFixed(0) ?? "",
      "took s": (duration / 1000).toFixed(1),
      answer
    }
    console.log(Object.values(row).join(" | "))
    rows.push(row)
    if (heldMessage !== undefined) return
    server.process.kill("SIGKILL")
    server = await start(folder)
    ;({ organization, space } = await world())
  }

  return {
    rows,
    measure,
    opened: openChangeRequest,
    write,
    insert,
    update,
    merged: mergeChangeRequest,
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
