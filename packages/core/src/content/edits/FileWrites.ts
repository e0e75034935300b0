/** Applies an `insert_files` change. Files are sent as base64, or were fetched by URL before the batch. */
import { Effect, Result } from "effect"
import { Base64 } from "effect/encoding"
import type { FileId } from "../files/File.ts"
import * as FileType from "../files/FileType.ts"
import type { ContentBatch } from "./ContentBatch.ts"
import { type InsertFiles, maxFileBytes } from "./ContentChange.ts"
import { invalid, type InvalidChange } from "./ContentErrors.ts"

export const insertFiles = Effect.fnUntraced(function* (
  batch: ContentBatch,
  change: typeof InsertFiles.Type,
  path: string
) {
  for (const [i, file] of change.files.entries()) {
    const filePath = `${path}.files[${i}]`
    if (file.url !== undefined && file.base64 !== undefined) {
      return yield* invalid(`${filePath}.url`, "Expected a URL or base64, not both")
    }
    const { bytes, contentType } = yield* file.url === undefined
      ? Effect.map(sentBytes(file.base64, `${filePath}.base64`), (bytes) => ({ bytes, contentType: undefined }))
      : fetchedBytes(batch, file.url, `${filePath}.url`)
    const id = (file.ref === undefined ? undefined : batch.refs.get("file", file.ref)) ?? (yield* batch.env.nextId)
    yield* batch.editor.putFile({
      id: id as FileId,
      name: file.name,
      size: bytes.length,
      blob: yield* batch.env.putBlob(bytes),
      ...FileType.detect(bytes, file.name, file.contentType ?? contentType)
    })
    batch.insertedFiles.push({ file: id as FileId, ...(file.ref !== undefined && { ref: file.ref }) })
  }
})

/** Decodes the bytes of a file in a request. `path`: path of the field. */
export const sentBytes = (base64: string | undefined, path: string): Effect.Effect<Uint8Array, InvalidChange> => {
  if (base64 === undefined) return invalid(path, "Expected the bytes of the file as base64")
  const tooLarge = invalid(path, `Expected at most ${maxFileBytes} bytes`)
  if (base64.length > Math.ceil(maxFileBytes / 3) * 4 + 4) return tooLarge
  const decoded = Base64.decode(base64)
  if (Result.isFailure(decoded)) return invalid(path, "Expected base64")
  return decoded.success.length > maxFileBytes ? tooLarge : Effect.succeed(decoded.success)
}

const fetchedBytes = ({ env }: ContentBatch, url: string, path: string) => {
  const fetched = env.fileAt?.(url)
  return fetched === undefined
    ? invalid(path, "Files are not fetched here: send the bytes as base64")
    : Effect.succeed(fetched)
}
