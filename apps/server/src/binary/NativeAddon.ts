/**
 * Loads a native addon from bytes. The system only loads addons from files, so the bytes are written into a private folder
 * that is removed after loading.
 *
 * All threads use one path, for which the system returns the loaded library. Two copies of SQLite in a process would not
 * know each other's locks, and closing a database in one would release the locks of both. Linux needs only the path of a
 * loaded library; on other systems the file stays until the process ends.
 *
 * If writable folders are mounted without permission to execute, the addon may be put next to the program.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

const load = (file: string): object => {
  const module = { exports: {} }
  process.dlopen(module, file)
  return module.exports
}

const tryLoad = (file: string): object | undefined => {
  try {
    return load(file)
  } catch {
    return undefined
  }
}

/** Loads an addon. All threads pass one `folder`. The main thread loads the addon first. */
export const loadAddon = (name: string, folder: string, bytes: () => Uint8Array): object => {
  const adjacent = join(dirname(process.execPath), name)
  if (existsSync(adjacent)) return load(adjacent)
  const file = join(folder, name)
  const existing = tryLoad(file)
  if (existing !== undefined) return existing
  try {
    mkdirSync(folder, { mode: 0o700 })
    writeFileSync(file, bytes(), { mode: 0o500 })
    return load(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `${name} can't be loaded from ${folder}: ${reason}. Set TMPDIR to a folder without noexec, or put ${name} next to the program`,
      { cause }
    )
  } finally {
    if (process.platform === "linux") removeAddon(folder)
  }
}

/** Removes the folder, except on Windows, which locks loaded files. */
export const removeAddon = (folder: string): void => {
  if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true })
}
