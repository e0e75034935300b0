/** Files of the imported folder that are neither pages nor files of the content. */
import { Effect } from "effect"
import type { ContentReader } from "../ContentReader.ts"
import type { SourceText } from "../documents/SourceText.ts"
import { unfold } from "../documents/StoredDocument.ts"
import type { FolderLayout } from "../import/Folder.ts"
import * as GitbookYaml from "../import/GitbookYaml.ts"
import * as ExportPaths from "./ExportPaths.ts"

export interface ImportedFolder {
  /** Layout from the configuration. Undefined if no configuration exists. */
  readonly layout: Omit<FolderLayout, "redirects"> | undefined
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, SourceText>
  /** Line numbers of entries in the table of contents that became no page (see `WrittenFile`). */
  readonly leftOut: ReadonlySet<number>
  readonly written: ReadonlyArray<string>
}

/**
 * Reads the written files of a content. `summary`: path of the table of contents, if the destination already has a
 * configuration that contains it.
 */
export const of = Effect.fnUntraced(function* (content: ContentReader, summary: string | undefined) {
  const texts = new Map<string, string>()
  const sources = new Map<string, SourceText>()
  const lines: Array<number> = []
  for (const { leftOut = [], path, source } of yield* content.written) {
    const form = unfold(yield* content.source(source))
    sources.set(path, form)
    texts.set(path, form.text ?? "")
    for (const line of leftOut) lines.push(line)
  }
  const leftOut = new Set(lines)
  const own = texts.get(ExportPaths.configuration)
  const config = own === undefined ? undefined : GitbookYaml.parse(own).config
  if (summary !== undefined && (config?.root !== "" || config.summary !== summary)) {
    texts.delete(ExportPaths.configuration)
    const { readme } = GitbookYaml.defaults
    return {
      layout: { root: "", readme, summary },
      texts,
      sources,
      leftOut,
      written: [...texts.keys()]
    } satisfies ImportedFolder
  }
  return { layout: config, texts, sources, leftOut, written: [...texts.keys()] } satisfies ImportedFolder
})
