/**
 * Detects whether a build is up to date. A stamp file names the source files of the build and their hash. The lockfile
 * represents files of packages.
 */
import { createHash } from "node:crypto"
import { existsSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"

export const root = join(import.meta.dirname, "..")

interface BuildStamp {
  readonly files: ReadonlyArray<string>
  readonly hash: string
}

const commonFiles = [
  ...globSync("bundle/*.ts", { cwd: root }).map((file) => join(root, file)),
  join(root, "pnpm-lock.yaml")
]

const hashOf = (files: ReadonlyArray<string>): string => {
  const hash = createHash("sha256")
  for (const file of [...commonFiles, ...files]) hash.update(existsSync(file) ? readFileSync(file) : "").update("\0")
  return hash.digest("hex")
}

export const isFresh = (stamp: string): boolean => {
  if (!existsSync(stamp)) return false
  const { files, hash } = JSON.parse(readFileSync(stamp, "utf8")) as BuildStamp
  return hash === hashOf(files)
}

export const writeStamp = (stamp: string, modules: Iterable<string>): void => {
  const files = [...new Set(modules)].filter((id) => id.startsWith(root) && !id.includes("/node_modules/")).sort()
  mkdirSync(dirname(stamp), { recursive: true })
  writeFileSync(stamp, JSON.stringify({ files, hash: hashOf(files) } satisfies BuildStamp))
}
