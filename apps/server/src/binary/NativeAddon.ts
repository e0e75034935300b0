/**
 * Loads a native addon from bytes. The system loads one from a file alone: it is written into a folder that
 * nobody else can read, and removed as soon as it is loaded.
 *
 * Where nothing may be run from a folder that can be written to, the file may lie beside the program.
 */
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { dirname, join } from "node:path"

const load = (file: string): object => {
  const module = { exports: {} }
  process.dlopen(module, file)
  return module.exports
}

export const loadAddon = (name: string, bytes: () => Uint8Array): object => {
  const beside = join(dirname(process.execPath), name)
  if (existsSync(beside)) return load(beside)
  const folder = mkdtempSync(join(tmpdir(), "lectern-addon-"))
  try {
    const file = join(folder, name)
    writeFileSync(file, bytes(), { mode: 0o500 })
    return load(file)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new Error(
      `${name} can't be loaded from ${folder}: ${reason}. Let TMPDIR name a folder that programs may be run from, or put ${name} beside the program`,
      { cause }
    )
  } finally {
    // Windows keeps a file that is loaded.
    if (process.platform !== "win32") rmSync(folder, { recursive: true, force: true })
  }
}
