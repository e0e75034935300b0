/**
 * For vitest, once for a run: the temporary files of tests lie in memory where there is room for them. Most
 * of the time of a test over SQLite, it waits for a disk to sync a commit. That is nothing that it could prove:
 * what was not synced survives the end of a process on a disk as well.
 *
 * Room: 6 GiB of `/dev/shm`, where programs may run, and 8 GiB of memory that nobody uses. Elsewhere they lie
 * where the system wants them.
 */
import { execFileSync } from "node:child_process"
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { availableMemory } from "node:process"

const memory = "/dev/shm"
const gibibyte = 1024 ** 3

const hasRoom = (): boolean => {
  try {
    const { bavail, bsize } = statfsSync(memory)
    return bavail * bsize >= 6 * gibibyte && availableMemory() >= 8 * gibibyte
  } catch {
    return false
  }
}

/** A container may run nothing that lies there. */
const runsPrograms = (folder: string): boolean => {
  const program = join(folder, "program")
  try {
    writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 })
    execFileSync(program)
    return true
  } catch {
    return false
  }
}

/** Of the projects of a run, the first makes the folder for all of them. */
export const setup = (): (() => void) | undefined => {
  const before = process.env["TMPDIR"]
  if (before?.startsWith(memory) || !hasRoom()) return undefined
  const folder = mkdtempSync(join(memory, "lectern-tests-"))
  // Open to all as such folders are: some tests have a program run as nobody.
  chmodSync(folder, 0o1777)
  const remove = () => rmSync(folder, { recursive: true, force: true })
  if (!runsPrograms(folder)) return void remove()
  process.env["TMPDIR"] = folder
  // Fuzzing runs several times in one process.
  return () => {
    if (before === undefined) delete process.env["TMPDIR"]
    else process.env["TMPDIR"] = before
    remove()
  }
}
