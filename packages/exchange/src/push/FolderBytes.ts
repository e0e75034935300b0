/**
 * Bytes of a pushed folder's files: of uploaded files, and of files that a content of the space still has. The oid of a
 * file in a content may be newer than its stored text, for example after an export to Git, so the bytes are verified.
 */
import { Effect } from "effect"
import type { Content } from "@lectern/core/content/Content"
import * as ContentReader from "@lectern/core/content/ContentReader"
import * as SourceText from "@lectern/core/content/documents/SourceText"
import { parseValue } from "@lectern/core/content/documents/StoredDocument"
import { Objects } from "@lectern/core/content/store/Objects"
import { BlobStore } from "@lectern/core/storage/BlobStore"
import { Hasher } from "@lectern/core/storage/Hasher"
import type { StorageError } from "@lectern/core/storage/Storage"
import { type Folder, FolderUnreadable, maxFileBytes, maxMarkdownBytes } from "../import/Folder.ts"
import * as FolderPath from "../import/FolderPath.ts"
import * as GitBlobId from "../import/GitBlobId.ts"
import type { ListedFile } from "./FileList.ts"
import type { UploadedFile } from "./PushedFiles.ts"

type ReadBytes = Effect.Effect<Uint8Array | undefined, StorageError>

/** Files that an import reads, or reads as soon as a page refers to them. Other files are requested when needed. */
const isReadAnyway = (path: string) =>
  FolderPath.isMarkdown(path) ||
  FolderPath.isPicture(path) ||
  FolderPath.isAsset(path) ||
  FolderPath.isConfigurationFile(path) ||
  /(?:^|\/)[^/]*\.(?:ya?ml|json)$/i.test(path)

const maxBytesOf = (path: string) => (FolderPath.isFile(path) ? maxFileBytes : maxMarkdownBytes)

export interface PushedFolder {
  readonly folder: Folder
  /** Git object ids of files that were needed and have no bytes. Grows while an import reads the folder. */
  readonly missing: Set<string>
}

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const blobs = yield* BlobStore
  const hasher = yield* Hasher

  /** Returns functions that read the files of a content, by Git object id. */
  const readersOf = Effect.fnUntraced(function* (content: Content) {
    const reader = ContentReader.make(objects, content)
    const readers = new Map<string, ReadBytes>()
    const bytesOf = (source: Parameters<typeof reader.source>[0]) =>
      Effect.map(reader.source(source), (value) => {
        const parsed = parseValue(value)
        return parsed.text === undefined ? undefined : SourceText.bytesOf(parsed.text, parsed)
      })
    for (const { git, source } of [...(yield* reader.allPages), ...(yield* reader.reusableContents)]) {
      if (git !== undefined && source !== undefined) readers.set(git.oid, bytesOf(source))
    }
    for (const { git, blob } of yield* reader.files) if (git !== undefined) readers.set(git.oid, blobs.get(blob))
    for (const { source } of yield* reader.passthroughFiles) {
      const bytes = yield* bytesOf(source)
      if (bytes !== undefined) readers.set(GitBlobId.gitBlobId(hasher, bytes), Effect.succeed(bytes))
    }
    return readers
  })

  /** Returns the folder. `contents`: contents whose files need no upload. */
  return Effect.fnUntraced(function* (
    files: ReadonlyArray<ListedFile>,
    uploaded: ReadonlyMap<string, UploadedFile>,
    contents: ReadonlyArray<Content>
  ) {
    const readers = new Map<string, ReadBytes>()
    for (const content of contents) for (const [oid, read] of yield* readersOf(content)) readers.set(oid, read)
    const missing = new Set<string>()
    const read = Effect.fnUntraced(function* ({ oid, size }: ListedFile) {
      if (size === 0) return new Uint8Array(0)
      const upload = uploaded.get(oid)
      const bytes = yield* upload === undefined ? (readers.get(oid) ?? Effect.undefined) : blobs.get(upload.blob)
      if (bytes !== undefined && (upload !== undefined || GitBlobId.gitBlobId(hasher, bytes) === oid)) return bytes
      missing.add(oid)
      return new Uint8Array(0)
    })
    for (const { oid, path, size } of files) {
      if (size === 0 || size > maxBytesOf(path) || uploaded.has(oid) || readers.has(oid)) continue
      if (isReadAnyway(path)) missing.add(oid)
    }
    const folder: Folder = {
      files: files.map((file) => ({
        path: file.path,
        oid: file.oid,
        // The size in the list is the client's claim, and limits depend on it.
        size: uploaded.get(file.oid)?.size ?? file.size,
        bytes: () => Effect.mapError(read(file), ({ message }) => new FolderUnreadable({ path: file.path, message }))
      }))
    }
    return { folder, missing } satisfies PushedFolder
  })
})
