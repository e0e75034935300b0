/**
 * Reads the titles of pages from their own files: from the front matter, or else from the first heading. A navigation
 * file contains the names in menus, but the page's file states its title.
 *
 * Limits: the first 64 KiB of a file, headings of 1,000 characters.
 */
import { Effect } from "effect"
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import * as FrontMatterLines from "@lectern/document/markdown/FrontMatterLines"
import { Slice } from "@lectern/core/storage/Slice"
import type { FolderFile, FolderUnreadable } from "../Folder.ts"
import { textOf } from "./NavigationEntry.ts"

const maxBytes = 64 * 1024
const maxHeading = 1_000

/** Returns the titles by file; a file without a title is absent. */
export const read = Effect.fnUntraced(function* (
  files: Iterable<FolderFile>
): Effect.fn.Return<ReadonlyMap<FolderFile, string>, FolderUnreadable> {
  const titles = new Map<FolderFile, string>()
  const slice = yield* Slice.start
  for (const file of files) {
    const title = titleIn(decoder.decode((yield* file.bytes()).subarray(0, maxBytes)))
    if (title !== undefined) titles.set(file, title)
    if (slice.isOver()) yield* slice.pause
  }
  return titles
})

const decoder = new TextDecoder()

const titleIn = (text: string): string | undefined => {
  const { body, frontMatter } = FrontMatter.split(text.replaceAll("\r", ""))
  const frontMatterTitle =
    frontMatter === undefined ? undefined : textOf(FrontMatterLines.read(frontMatter).fields["title"])
  if (frontMatterTitle !== undefined) return frontMatterTitle
  const heading = /^\s*#[ \t]+([^\n]*)/.exec(body)?.[1]
  if (heading === undefined || heading.length > maxHeading) return undefined
  return textOf(heading.replace(/\{[^{}]*\}\s*$/, "").replace(/(?<!#)#+\s*$/, ""))
}
