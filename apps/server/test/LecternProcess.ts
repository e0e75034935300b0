/** Runs the `lectern` command as people do: as a process, on a real port, over a real file. */
import { type ChildProcess, spawn } from "node:child_process"
import { createHmac } from "node:crypto"
import { once } from "node:events"
import { cpSync, mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join, resolve } from "node:path"
import { inject } from "vitest"

const source = resolve(import.meta.dirname, "../src/main.ts")

/** The bundle of what is there now (`Bundled.ts`): it starts in half the time. */
const main = inject("bundledServer") ?? source

/** A program that is the server in place of the bundle, such as the binary. What is loaded into a server needs the bundle. */
const program = process.env["LECTERN_PROGRAM"]

const environment = (env: Record<string, string>) => ({
  ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("LECTERN_"))),
  // What is published is of interest to few tests, and takes its time.
  LECTERN_CATALOGUE: "off",
  ...env
})

const children = new Set<ChildProcess>()
const folders = new Set<string>()

export const temporaryFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "lectern-test-"))
  folders.add(folder)
  return folder
}

/** Ends what a test started and did not end, and removes its folders. */
export const cleanUp = async (): Promise<void> => {
  for (const child of children) {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill("SIGKILL")
      await once(child, "exit")
    }
  }
  children.clear()
  for (const folder of folders) rmSync(folder, { recursive: true, force: true })
  folders.clear()
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Starts a program that is told its own id, as systemd tells it whom the sockets are for. */
const withItsId = ["sh", "-c", 'LISTEN_PID=$$ exec "$0" "$@"'] as const

/** Starts the command, and goes on at once. */
export const start = (
  args: ReadonlyArray<string>,
  env: Record<string, string>,
  loaded?: string,
  sockets: ReadonlyArray<number> = [],
  output: "pipe" | number = "pipe"
) => {
  const [command, before] =
    program === undefined || loaded !== undefined
      ? [process.execPath, [...(loaded === undefined ? [] : ["--import", loaded]), main]]
      : [program, []]
  const [first, ...words] = [...(sockets.length === 0 ? [] : withItsId), command, ...before, ...args]
  const child = spawn(first!, words, {
    env: environment({ ...(sockets.length > 0 && { LISTEN_FDS: String(sockets.length) }), ...env }),
    stdio: ["ignore", output, "pipe", ...sockets, ...(loaded === undefined ? [] : ["ipc" as const])]
  })
  children.add(child)
  let stdout = ""
  let stderr = ""
  child.stdout?.on("data", (chunk: Buffer) => (stdout += chunk))
  child.stderr!.on("data", (chunk: Buffer) => (stderr += chunk))
  const finished = once(child, "close").then(([code]): Finished => ({ code: code as number | null, stdout, stderr }))
  return { child, finished, stdout: () => stdout }
}

/** `output`: the descriptor of a file that standard output goes to. */
export const lectern = (
  args: ReadonlyArray<string>,
  env: Record<string, string> = {},
  output?: number
): Promise<Finished> => start(args, env, undefined, [], output).finished

/** Output of a command with `--json`: one object, and nothing else. */
export const lecternJson = async <A = any>(args: ReadonlyArray<string>, env?: Record<string, string>): Promise<A> => {
  const { code, stdout, stderr } = await lectern([...args, "--json"], env)
  if (code !== 0) throw new Error(`lectern ${args.join(" ")} ended with ${code}: ${stdout}${stderr}`)
  return JSON.parse(stdout) as A
}

export interface Answer {
  readonly status: number
  readonly body: any
}

export class Server {
  readonly child: ChildProcess
  readonly finished: Promise<Finished>
  /** Line that it printed when it was ready. */
  readonly ready: any
  token: string

  constructor(child: ChildProcess, finished: Promise<Finished>, ready: any, token: string) {
    this.child = child
    this.finished = finished
    this.ready = ready
    this.token = token
  }

  get url(): string {
    return this.ready.url
  }

  async call(method: string, path: string, body?: unknown, token = this.token): Promise<Answer> {
    const response = await fetch(this.url + path, {
      method,
      headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { "content-type": "application/json" }) },
      ...(body !== undefined && { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text) }
  }

  signal(signal: NodeJS.Signals): Promise<Finished> {
    this.child.kill(signal)
    return this.finished
  }
}

interface ServeOptions {
  readonly env?: Record<string, string>
  readonly args?: ReadonlyArray<string>
  /** A module that is loaded into the server, which can be sent messages then. */
  readonly loaded?: string
  /** Descriptors of sockets that somebody else has opened for it. */
  readonly sockets?: ReadonlyArray<number>
}

export const serve = async (
  data: string,
  { env = {}, args = [], token = "", loaded, sockets }: ServeOptions & { token?: string } = {}
): Promise<Server> => {
  const { child, finished, stdout } = start(
    ["serve", "--port", "0", "--data", data, "--json", ...args],
    env,
    loaded,
    sockets
  )
  const ready = await new Promise<any>((answer, fail) => {
    child.stdout!.on("data", () => {
      const [line, rest] = stdout().split("\n", 2)
      if (rest !== undefined) answer(JSON.parse(line!))
    })
    void finished.then(({ code, stderr }) => fail(new Error(`The server ended with ${code}: ${stdout()}${stderr}`)))
  })
  return new Server(child, finished, ready, ready.token ?? token)
}

/** Made once by each worker, and removed with the run: the data of a server whose first start is over, and what it told. */
let begun: Promise<{ readonly data: string; readonly ready: any }> | undefined

const begin = async () => {
  const data = mkdtempSync(join(inject("folderOfRun"), "begun-"))
  const server = await serve(data)
  await server.signal("SIGTERM")
  return { data, ready: server.ready }
}

/**
 * A server whose first start is over, in a folder of its own (`ready.data`): it has an organization, an
 * administrator with a token, and the manual. It is there in a third of the time that a first start takes.
 */
export const begunServer = async (options: ServeOptions = {}): Promise<Server> => {
  const { data, ready } = await (begun ??= begin())
  const folder = temporaryFolder()
  cpSync(data, folder, { recursive: true })
  const server = await serve(folder, { ...options, token: ready.token })
  return new Server(server.child, server.finished, { ...ready, ...server.ready }, ready.token)
}

/**
 * Starts a server with the command of the README, from its sources, and gives what it says to people once it
 * has said all of it. `ended`: every process that the command started has ended, with what they said on standard error.
 */
export const readme = async (data: string) => {
  const child = spawn("npx", ["-y", "pnpm@12", "start"], {
    cwd: resolve(import.meta.dirname, "../../.."),
    env: environment({ LECTERN_DATA: data, LECTERN_PORT: "0" }),
    stdio: ["ignore", "pipe", "pipe"]
  })
  children.add(child)
  let stdout = ""
  let stderr = ""
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk))
  // Whatever it starts writes to the same pipes, so they are open until the last of it has ended.
  const ended = once(child, "close").then(() => stderr)
  await new Promise<void>((answer, fail) => {
    child.stdout.on("data", (chunk: Buffer) => {
      stdout += chunk
      if (/^ +curl .*\n/m.test(stdout)) answer()
    })
    void ended.then((said) => fail(new Error(`The command of the README ended: ${said}`)))
  })
  return { child, said: stdout, ended }
}

/** A token that lets a visitor in to a site, signed as any application would sign it. */
export const visitorToken = (privateKey: string): string => {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url")
  const text = `${part({ alg: "HS256", typ: "JWT" })}.${part({ exp: Math.floor(Date.now() / 1000) + 3600 })}`
  return `${text}.${createHmac("sha256", privateKey).update(text).digest("base64url")}`
}
