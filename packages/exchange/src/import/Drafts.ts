/**
 * Finds the pages of a folder that are drafts: `draft: true` in front matter, as in Hugo, Docusaurus, Starlight and
 * MkDocs, or `published: false`, as in Jekyll.
 */
import * as FrontMatter from "@lectern/document/markdown/FrontMatter"
import { Effect } from "effect"
import type { FolderFile, FolderUnreadable } from "./Folder.ts"
import * as FolderPath from "./FolderPath.ts"

const draftLine =
  /^["']?(?:draft["']?[ \t]*:[ \t]*["']?true|published["']?[ \t]*:[ \t]*["']?false)["']?[ \t]*(?:#.*)?$/m

/** Number of bytes at the start of a file in which the field must occur. */
const maxBytes = 16 * 1024

const decoder = new TextDecoder()

/** Returns the paths of drafts. `known`: results for files that did not change. */
export const find = Effect.fnUntraced(function* (
  files: ReadonlyArray<FolderFile>,
  known: WeakMap<FolderFile, boolean>
): Effect.fn.Return<ReadonlySet<string>, FolderUnreadable> {
  const drafts = new Set<string>()
  for (const file of files) {
    if (!FolderPath.isMarkdown(file.path)) continue
    let isDraft = known.get(file)
    if (isDraft === undefined) {
      isDraft = isDraftPage(decoder.decode((yield* file.bytes()).subarray(0, maxBytes)))
      known.set(file, isDraft)
    }
    if (isDraft) drafts.add(file.path)
  }
  return drafts
})

const isDraftPage = (text: string): boolean => {
  const { frontMatter } = FrontMatter.split(text.replace(/^\uFEFF|\r/g, ""))
  return frontMatter !== undefined && draftLine.test(frontMatter)
}
