/**
 * Finds pages by the ids that sidebars name: the path without its extension and without numbers before names, or the
 * `id` in the front matter instead of the file name.
 *
 * Limit: the first 4 KiB of a file.
 */
import { Effect } from "effect"
import { Slice } from "@lectern/core/storage/Slice"
import type { FolderFile, FolderUnreadable } from "../Folder.ts"
import * as FolderPath from "../FolderPath.ts"

const maxBytes = 4096
const decoder = new TextDecoder()
const idLine = /^id:[ \t]*["']?([^\s"'][^"'\n]*?)["']?[ \t]*$/m

/** Returns the paths of pages below a folder by id. */
export const read = Effect.fnUntraced(function* (
  files: Iterable<FolderFile>,
  folder: string
): Effect.fn.Return<ReadonlyMap<string, string>, FolderUnreadable> {
  const ids = new Map<string, string>()
  const slice = yield* Slice.start
  const prefix = folder === "" ? "" : `${folder}/`
  for (const file of files) {
    if (!FolderPath.isMarkdown(file.path) || !file.path.startsWith(prefix)) continue
    const names = FolderPath.withoutExtension(file.path.slice(prefix.length)).split("/").map(withoutNumber)
    const text = decoder.decode((yield* file.bytes()).subarray(0, maxBytes))
    const id = text.startsWith("---") ? idLine.exec(text.slice(0, text.indexOf("\n---", 3)))?.[1] : undefined
    ids.set([...names.slice(0, -1), id ?? names.at(-1)!].join("/"), file.path)
    if (slice.isOver()) yield* slice.pause
  }
  return ids
})

const withoutNumber = (name: string): string => name.replace(/^\d+[ \t]*[-_.]+[ \t]*(?=\S)/, "")
