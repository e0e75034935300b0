/** Writes the changes of fixes into the files of a folder. A file that is not UTF-8 stays unchanged. */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import * as Fix from "./Fix.ts"
import type { Problem } from "./Problems.ts"

/** Keeps a byte order mark, which is written back. */
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true })

/** Returns the number of mended problems. */
export const write = Effect.fnUntraced(function* (folder: string, problems: ReadonlyArray<Problem>) {
  let count = 0
  for (const [path, fileProblems] of Map.groupBy(problems, ({ path }) => path)) {
    const fixes = fileProblems.flatMap(({ fix }) => fix ?? [])
    if (fixes.length === 0) continue
    const isWritten = yield* Effect.try({
      try: () => writeFixes(join(folder, path), fixes),
      catch: (error) => new CommandFailed({ message: `${path} can't be mended: ${fileErrorReason(error)}` })
    })
    if (isWritten) count += fixes.length
  }
  return count
})

const writeFixes = (file: string, fixes: ReadonlyArray<Fix.Fix>): boolean => {
  const source = decode(readFileSync(file))
  if (source === undefined) return false
  const text = Fix.apply(source, fixes)
  if (text === source) return false
  writeFileSync(file, text)
  return true
}

const decode = (bytes: Uint8Array): string | undefined => {
  try {
    return decoder.decode(bytes)
  } catch {
    return undefined
  }
}
