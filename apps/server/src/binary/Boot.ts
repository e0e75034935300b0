/**
 * Loads the server from inside the binary: its modules are pieces of CommonJS, each with the code that V8
 * made of it in a run like this one, so that nothing is parsed or compiled that was before.
 *
 * V8 takes such code only under the flags that it was made with, and compiles as ever what it does not take.
 */
import { randomUUID } from "node:crypto"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { constants, Script } from "node:vm"
import { isMainThread, Worker, type WorkerOptions, workerData } from "node:worker_threads"
import * as HeapGrowth from "../HeapGrowth.ts"
import { type Assets, enter } from "./Inside.ts"
import { loadAddon, removeAddon } from "./NativeAddon.ts"
import { OutsidePackages } from "./OutsidePackages.ts"

interface Piece {
  readonly exports: Record<string, unknown>
}

type Run = (
  exports: Piece["exports"],
  require: (id: string) => unknown,
  module: Piece,
  filename: string,
  dirname: string
) => void

export interface ThreadData {
  readonly program: number | undefined
  readonly module: string
  /** Folder of the packages that are unpacked. */
  readonly packages: string
  /** Folder of the native part of SQLite, while that is loaded. */
  readonly addon: string
  readonly growth: SharedArrayBuffer
}

/** Folder in which stack traces say that a piece lies. */
const folder = process.platform === "win32" ? "C:\\lectern" : "/lectern"

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

export class Boot {
  /** Of the pieces that are loaded. */
  readonly scripts = new Map<string, Script>()
  readonly #assets: Assets
  readonly #packages: OutsidePackages
  readonly #addon: string
  readonly #loaded = new Map<string, Piece>()
  #sqlite: object | undefined
  /** Of the packages that are unpacked. */
  #names: ReadonlyArray<string> | undefined

  constructor(assets: Assets) {
    this.#assets = assets
    const thread = isMainThread ? undefined : (workerData as ThreadData)
    if (thread !== undefined) HeapGrowth.join(thread.growth)
    this.#packages = new OutsidePackages(thread?.packages ?? join(tmpdir(), `lectern-${randomUUID()}`), () =>
      assets.bytes("packages")
    )
    this.#addon = thread?.addon ?? join(tmpdir(), `lectern-addon-${randomUUID()}`)
    enter({
      ...assets,
      startThread: (module, options) => this.#startThread(module, options),
      packages: this.#packages.require,
      sqlite: () =>
        (this.#sqlite ??= loadAddon("better_sqlite3.node", this.#addon, () => assets.lend("better_sqlite3.node")))
    })
  }

  /** The command with the arguments of the process; in a thread what it was started for. */
  start(): void {
    // Node would keep nothing of files that are none.
    process.env["NODE_DISABLE_COMPILE_CACHE"] = "1"
    if (!isMainThread) return void this.load(`${(workerData as ThreadData).module}.js`)
    process.on("exit", () => {
      this.#packages.remove()
      removeAddon(this.#addon)
    })
    if (process.argv.includes("serve")) HeapGrowth.hold()
    this.load("Command.js")
  }

  load(name: string): Piece["exports"] {
    const known = this.#loaded.get(name)
    if (known !== undefined) return known.exports
    const piece: Piece = { exports: {} }
    this.#loaded.set(name, piece)
    const script = HeapGrowth.usually(() => this.#compile(name))
    this.scripts.set(name, script)
    const run = script.runInThisContext() as Run
    run(piece.exports, this.#require, piece, join(folder, name), folder)
    return piece.exports
  }

  readonly #require = (id: string): unknown => {
    if (id.startsWith("./")) return this.load(id.slice(2))
    if (isBuiltin(id)) return process.getBuiltinModule(id)
    this.#names ??= JSON.parse(latin1(this.#assets.bytes("packages.json"))) as ReadonlyArray<string>
    if (this.#names.includes(id)) return this.#packages.require(id)
    // Some packages try whether another is there.
    throw Object.assign(new Error(`There is no package ${id}`), { code: "MODULE_NOT_FOUND" })
  }

  #compile(name: string): Script {
    // Pieces are in ASCII, so that they take a byte for each character in memory.
    const text = latin1(this.#assets.lend(`pieces/${name}`))
    const code = this.#assets.lend(`code/${name}`)
    return new Script(text, {
      filename: join(folder, name),
      ...(code.byteLength > 0 && { cachedData: code }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    })
  }

  #startThread(module: string, options: WorkerOptions): Worker {
    return new Worker(latin1(this.#assets.lend("boot.js")), {
      ...options,
      eval: true,
      workerData: {
        program: this.#assets.program,
        module,
        packages: this.#packages.folder,
        addon: this.#addon,
        growth: HeapGrowth.shared()
      } satisfies ThreadData
    })
  }
}
