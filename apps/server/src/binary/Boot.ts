/**
 * Loads the server from the binary. Its modules are CommonJS chunks, each with a code cache of V8 from an earlier run, so
 * that loading neither parses nor compiles.
 *
 * V8 accepts a code cache only under the flags with which it was created. It compiles chunks whose cache it rejects.
 */
import { randomUUID } from "node:crypto"
import { isBuiltin } from "node:module"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { constants, Script } from "node:vm"
import { isMainThread, Worker, type WorkerOptions, workerData } from "node:worker_threads"
import * as HeapGrowth from "@lectern/cli/HeapGrowth"
import { type Assets, registerBinary } from "./CurrentBinary.ts"
import { loadAddon, removeAddon } from "./NativeAddon.ts"
import { OutsidePackages } from "./OutsidePackages.ts"

interface Chunk {
  readonly exports: Record<string, unknown>
}

type Run = (
  exports: Chunk["exports"],
  require: (id: string) => unknown,
  module: Chunk,
  filename: string,
  dirname: string
) => void

export interface ThreadData {
  readonly program: number | undefined
  readonly module: string
  /** Folder of the unpacked packages. */
  readonly packages: string
  /** Folder of the native addon of SQLite while it is loaded. */
  readonly addon: string
  readonly growth: SharedArrayBuffer
}

/** Pseudo folder of chunks in stack traces. */
const folder = process.platform === "win32" ? "C:\\lectern" : "/lectern"

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString("latin1")

export class Boot {
  /** Scripts of the loaded chunks, by name. */
  readonly scripts = new Map<string, Script>()
  readonly #assets: Assets
  readonly #packages: OutsidePackages
  readonly #addon: string
  readonly #loaded = new Map<string, Chunk>()
  #sqlite: object | undefined
  /** Names of the unpacked packages. */
  #names: ReadonlyArray<string> | undefined

  constructor(assets: Assets) {
    this.#assets = assets
    const thread = isMainThread ? undefined : (workerData as ThreadData)
    if (thread !== undefined) HeapGrowth.joinProcess(thread.growth)
    this.#packages = new OutsidePackages(thread?.packages ?? join(tmpdir(), `lectern-${randomUUID()}`), () =>
      assets.bytes("packages")
    )
    this.#addon = thread?.addon ?? join(tmpdir(), `lectern-addon-${randomUUID()}`)
    registerBinary({
      ...assets,
      startThread: (module, options) => this.#startThread(module, options),
      packages: this.#packages.require,
      sqlite: () =>
        (this.#sqlite ??= loadAddon("better_sqlite3.node", this.#addon, () => assets.readShared("better_sqlite3.node")))
    })
  }

  /** Runs the command with the arguments of the process. In a thread, runs the module of the thread. */
  start(): void {
    // Node's compile cache is disabled, since it works only for files.
    process.env["NODE_DISABLE_COMPILE_CACHE"] = "1"
    if (!isMainThread) return void this.load(`${(workerData as ThreadData).module}.js`)
    process.on("exit", () => {
      this.#packages.remove()
      removeAddon(this.#addon)
    })
    if (process.argv.includes("serve")) HeapGrowth.keepYoungSpaceSmall()
    this.load("Command.js")
  }

  load(name: string): Chunk["exports"] {
    const loadedModule = this.#loaded.get(name)
    if (loadedModule !== undefined) return loadedModule.exports
    const chunk: Chunk = { exports: {} }
    this.#loaded.set(name, chunk)
    const script = HeapGrowth.withV8Defaults(() => this.#compile(name))
    this.scripts.set(name, script)
    const run = script.runInThisContext() as Run
    run(chunk.exports, this.#require, chunk, join(folder, name), folder)
    return chunk.exports
  }

  readonly #require = (id: string): unknown => {
    if (id.startsWith("./")) return this.load(id.slice(2))
    if (isBuiltin(id)) return process.getBuiltinModule(id)
    this.#names ??= JSON.parse(latin1(this.#assets.bytes("packages.json"))) as ReadonlyArray<string>
    if (this.#names.includes(id)) return this.#packages.require(id)
    // Throws the error of Node for a missing module, since some packages try to load optional packages.
    throw Object.assign(new Error(`Package ${id} not found`), { code: "MODULE_NOT_FOUND" })
  }

  #compile(name: string): Script {
    // Chunks are ASCII, so that V8 stores one byte for each character.
    const text = latin1(this.#assets.readShared(`pieces/${name}`))
    const code = this.#assets.readShared(`code/${name}`)
    return new Script(text, {
      filename: join(folder, name),
      ...(code.byteLength > 0 && { cachedData: code }),
      importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
    })
  }

  #startThread(module: string, options: WorkerOptions): Worker {
    return new Worker(latin1(this.#assets.readShared("boot.js")), {
      ...options,
      eval: true,
      workerData: {
        program: this.#assets.program,
        module,
        packages: this.#packages.folder,
        addon: this.#addon,
        growth: HeapGrowth.sharedState()
      } satisfies ThreadData
    })
  }
}
