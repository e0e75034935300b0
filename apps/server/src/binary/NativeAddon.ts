/**
 * Loads a native addon from bytes. The system loads one from a file alone: it is written into a folder that
 * nobody else can read, and removed as soon as it is loaded.
 *
 * All threads name the same file, for which the system gives them what is loaded already: with two SQLites in a process
 * neither would know of the locks of the other, and one that closes a database would take away those of both. Linux knows
 * it by its name alone; elsewhere the file stays until the process ends.
 *
 * Where nothing may be run from a folder that can be written to, the file may lie beside the program.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const load = (file: string): object => {
  const module = { exports: {} }
  process.dlopen(module, file)
  return module.exports
}

const loaded = (file: string): object | undefined => {
  try {
    return load(file)
  } catch {
    return undefined
  }
}

/** `folder`: the same for all threads of the process, which ask when the process itself has loaded it. */
export const loadAddon = (name: string, folder: string, bytes: () => Uint8Array): object => {
  const beside = join(dirname(process.execPath), name)
  if (existsSync(beside)) return load(beside)
  const file = join(folder, name)
  const known = loaded(file)
  if (known !== undefined) return known
  try {
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(file, bytes(), { mode: 0o500 })
    return load(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `${name} can't be loaded from ${folder}: ${reason}. Let TMPDIR name a folder that programs may be run from, or put ${name} beside the program`,
      { cause }
    )
  } finally {
    if (process.platform === "linux") removeAddon(folder)
  }
}

/** Windows keeps a file that is loaded. */
export const removeAddon = (folder: string): void => {
  if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true })
}
