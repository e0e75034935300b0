/**
 * The list of a pushed folder's files: one a line, with the Git object id, the size in bytes and the path, separated by
 * single spaces.
 */
import { Result } from "effect"
import { maxFolderBytes, maxPathLength } from "../import/Folder.ts"
import * as FolderPath from "../import/FolderPath.ts"
import { maxFiles } from "./Push.ts"

export interface ListedFile {
  readonly oid: string
  /** Size in bytes. */
  readonly size: number
  readonly path: string
}

export const print = (files: ReadonlyArray<ListedFile>): string =>
  files.map(({ oid, size, path }) => `${oid} ${size} ${path}\n`).join("")

const line = /^([0-9a-f]{40}) (0|[1-9]\d{0,15}) (.+)$/s

/** Returns the files, or the reason why the list is invalid. */
export const parse = (text: string): Result.Result<ReadonlyArray<ListedFile>, string> => {
  const files = new Map<string, ListedFile>()
  let total = 0
  let number = 0
  for (let start = 0; start < text.length;) {
    const end = text.indexOf("\n", start)
    const current = text.slice(start, end === -1 ? text.length : end)
    start = end === -1 ? text.length : end + 1
    number++
    const [, oid, size, path] = line.exec(current) ?? []
    if (oid === undefined || path === undefined) {
      return Result.fail(`Expected a Git object id, a size and a path in line ${number}`)
    }
    if (path.length > maxPathLength || FolderPath.normalize(path) !== path || !path.isWellFormed()) {
      return Result.fail(`Invalid path in line ${number}`)
    }
    if (files.has(path)) return Result.fail(`The path in line ${number} is listed twice`)
    files.set(path, { oid, size: Number(size), path })
    total += Number(size)
    if (files.size > maxFiles) return Result.fail(`Expected at most ${maxFiles.toLocaleString("en")} files`)
  }
  if (total > maxFolderBytes) return Result.fail(`The folder has more than ${maxFolderBytes / 1024 ** 3} GiB`)
  return Result.succeed(Array.from(files.values()))
}
