/**
 * Paths and Git object ids of the parts of a content in its export. An import of the exported folder recognizes the
 * parts by them.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as PageTree from "@lectern/core/content/pages/PageTree"
import type { ObjectDraft } from "@lectern/core/content/store/Objects"
import * as Timestamps from "@lectern/core/schema/Timestamps"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import { Threads } from "@lectern/core/thread/Threads"
import * as GitPaths from "../git/GitPaths.ts"
import * as GitBlobId from "../import/GitBlobId.ts"
import type { CommonContent } from "../import/FolderMerge.ts"
import * as ExportPaths from "./ExportPaths.ts"
import * as FolderExport from "./FolderExport.ts"
import * as ImportedFolder from "./ImportedFolder.ts"

export const make = Effect.gen(function* () {
  const blobs = yield* BlobStore
  const hasher = yield* Hasher
  const threads = yield* Threads

  /** Exports the content without writing files. */
  const exportContent = Effect.fnUntraced(function* (draft: ObjectDraft, space: string, content: Content) {
    const oids = new Map<string, string>()
    const texts = new Map<string, Uint8Array>()
    yield* FolderExport.run({
      content: ContentReader.make(draft, content),
      space,
      blob: blobs.get,
      threads,
      write: (path, bytes) =>
        Effect.sync(() => {
          oids.set(path, GitBlobId.gitBlobId(hasher, bytes))
          if (GitPaths.affectsImport(path)) texts.set(path, bytes)
        })
    })
    return { oids, texts, summary: undefined, reservedPaths: [] } satisfies GitPaths.Exported
  })

  /** Returns the paths of all parts of the content in an export. */
  const exportedPaths = Effect.fnUntraced(function* (draft: ObjectDraft, space: string, content: Content) {
    const exported = yield* exportContent(draft, space, content)
    return yield* GitPaths.pathsOfExport(draft, hasher, content, exported, exported.oids)
  })

  return {
    /** Returns the Git object ids of all exported files, by path. */
    oids: (draft: ObjectDraft, space: string, content: Content) =>
      Effect.map(exportContent(draft, space, content), ({ oids }) => oids),

    /** Returns the content with the paths and object ids of its export. */
    asExported: Effect.fnUntraced(function* (draft: ObjectDraft, space: string, content: Content) {
      const { paths, outline } = yield* exportedPaths(draft, space, content)
      const withPaths = yield* GitPaths.withPaths(draft, content, paths, yield* Timestamps.now)
      return { content: withPaths, outline } satisfies CommonContent
    }),

    /**
     * Returns the content with the path of each part that was created in Lectern, if `isInFolder` returns true for the
     * path. The content is exported only if such a part exists.
     */
    withMissingPaths: Effect.fnUntraced(function* (
      draft: ObjectDraft,
      space: string,
      content: Content,
      isInFolder: (path: string) => boolean
    ) {
      const reader = ContentReader.make(draft, content)
      const entries = [...(yield* reader.allPages), ...(yield* reader.files), ...(yield* reader.reusableContents)]
      const pathless = new Set<string>(entries.flatMap(({ id, git }) => (git === undefined ? [id] : [])))
      if (pathless.size === 0) return content
      const tree = yield* PageTree.tree(reader)
      const files = yield* reader.files
      const reusableContents = yield* reader.reusableContents
      const folder = yield* ImportedFolder.readImportedFolder(reader, undefined)
      const paths = yield* ExportPaths.make({ tree, files, reusableContents, ...folder })
      const pathOf = (id: string) => paths.pages.get(id) ?? paths.files.get(id) ?? paths.reusableContents.get(id)
      // The path of a group or link is its position in the table of contents, which only an export has.
      const isAnyInFolder = Array.from(pathless).some((id) => isInFolder(pathOf(id) ?? paths.summary))
      if (!isAnyInFolder) return content
      const exported = (yield* exportedPaths(draft, space, content)).paths
      const missing = (pathsById: GitPaths.GitPaths["pages"]) =>
        new Map(Array.from(pathsById).filter(([id, { path }]) => pathless.has(id) && isInFolder(path)))
      const missingPaths = {
        pages: missing(exported.pages),
        files: missing(exported.files),
        reusableContents: missing(exported.reusableContents)
      }
      return yield* GitPaths.withPaths(draft, content, missingPaths, yield* Timestamps.now)
    })
  }
})
