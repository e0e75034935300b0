/**
 * Global setup of vitest: puts temporary files of tests in memory if there is enough. Otherwise tests over SQLite
 * mostly wait for the disk to sync commits, which no test observes: unsynced data survives the end of a process anyway.
 *
 * Required: 6 GiB of `/dev/shm` with execution allowed, and 8 GiB of free memory. Otherwise the folder for temporary
 * files of the system is used.
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

/** Containers may forbid execution in this folder. */
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

/** The first project of a run creates the folder for all of them. */
export const setup = (): (() => void) | undefined => {
  const before = process.env["TMPDIR"]
  if (before?.startsWith(memory) || !hasRoom()) return undefined
  const folder = mkdtempSync(join(memory, "lectern-tests-"))
  // Writable by everyone like other such folders: some tests run a program as another user.
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
