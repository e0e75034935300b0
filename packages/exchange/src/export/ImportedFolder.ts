/** Files of the imported folder that are neither pages nor files of the content. */
import { Effect } from "effect"
import type { ContentReader } from "@lectern/core/content/ContentReader"
import type { SourceText } from "@lectern/core/content/documents/SourceText"
import { parseValue } from "@lectern/core/content/documents/StoredDocument"
import type { FolderLayout } from "../import/Folder.ts"
import * as GitbookYaml from "../import/GitbookYaml.ts"
import * as ExportPaths from "./ExportPaths.ts"

export interface ImportedFolder {
  /** Layout from the configuration. Undefined if no configuration exists. */
  readonly layout: Omit<FolderLayout, "redirects"> | undefined
  /** Texts by path. */
  readonly texts: ReadonlyMap<string, string>
  readonly sources: ReadonlyMap<string, SourceText>
  /** Line numbers of entries in the table of contents that became no page (see `PassthroughFile`). */
  readonly skippedLines: ReadonlySet<number>
  readonly passthroughPaths: ReadonlyArray<string>
}

/**
 * Reads the written files of a content. `summary`: path of the table of contents, if the destination already has a
 * configuration that contains it.
 */
export const readImportedFolder = Effect.fnUntraced(function* (content: ContentReader, summary: string | undefined) {
  const texts = new Map<string, string>()
  const sources = new Map<string, SourceText>()
  const lines: Array<number> = []
  for (const { leftOut: lineNumbers = [], path, source } of yield* content.passthroughFiles) {
    const sourceText = parseValue(yield* content.source(source))
    sources.set(path, sourceText)
    texts.set(path, sourceText.text ?? "")
    for (const line of lineNumbers) lines.push(line)
  }
  const skippedLines = new Set(lines)
  const configurationText = texts.get(ExportPaths.configuration)
  const config = configurationText === undefined ? undefined : GitbookYaml.parse(configurationText).config
  if (summary !== undefined && (config?.root !== "" || config.summary !== summary)) {
    texts.delete(ExportPaths.configuration)
    const { readme } = GitbookYaml.defaults
    return {
      layout: { root: "", readme, summary },
      texts,
      sources,
      skippedLines,
      passthroughPaths: [...texts.keys()]
    } satisfies ImportedFolder
  }
  return { layout: config, texts, sources, skippedLines, passthroughPaths: [...texts.keys()] } satisfies ImportedFolder
})
