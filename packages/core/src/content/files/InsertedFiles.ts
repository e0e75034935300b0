/**
 * Fetches the files of a batch of changes that are specified by URL, before the batch is applied.
 *
 * Limits: 1 MiB for each file, 20 MiB and 30 seconds for all of them.
 */
import { Effect } from "effect"
import { type FetchFailed, type FetchedFile, type GuardedFetch } from "../../fetch/GuardedFetch.ts"
import { type ContentChange, maxFileBytes } from "../edits/ContentChange.ts"
import { invalid } from "../edits/ContentErrors.ts"

const maxBytes = 20 * 1024 * 1024

interface RemoteFile {
  readonly url: string
  /** Path of the URL field in the request body. */
  readonly path: string
}

/** Returns the URLs of a batch, each once. */
export const remoteFilesOf = (changes: ReadonlyArray<ContentChange>): ReadonlyArray<RemoteFile> => {
  const filesByUrl = new Map<string, RemoteFile>()
  for (const [i, change] of changes.entries()) {
    if (change.operation !== "insert_files") continue
    for (const [n, { url }] of change.files.entries()) {
      if (url !== undefined && !filesByUrl.has(url)) {
        filesByUrl.set(url, { url, path: `body.changes[${i}].files[${n}].url` })
      }
    }
  }
  return [...filesByUrl.values()]
}

const invalidFile = ({ path }: RemoteFile, message: string) => invalid(path, message)

export const fetch = Effect.fnUntraced(function* (
  fetcher: GuardedFetch["Service"],
  remoteFiles: ReadonlyArray<RemoteFile>
) {
  const files = new Map<string, FetchedFile>()
  for (const remoteFile of remoteFiles) {
    yield* fetcher.check(remoteFile.url).pipe(Effect.mapError(({ message }) => invalidFile(remoteFile, message)))
  }
  let remainingBytes = maxBytes
  const fetchOne = Effect.fnUntraced(function* (remoteFile: RemoteFile) {
    const fetched = yield* fetcher
      .fetch(remoteFile.url, { maxBytes: maxFileBytes, timeout: "30 seconds" })
      .pipe(Effect.mapError(({ message }: FetchFailed) => invalidFile(remoteFile, message)))
    remainingBytes -= fetched.bytes.length
    if (remainingBytes < 0)
      return yield* invalidFile(
        remoteFile,
        `The files of a batch are fetched up to ${maxBytes / 1024 / 1024} MiB in all`
      )
    files.set(remoteFile.url, fetched)
  })
  const all = Effect.forEach(remoteFiles, fetchOne, { concurrency: 4, discard: true })
  yield* Effect.timeoutOrElse(all, {
    duration: "30 seconds",
    orElse: () => Effect.fail(invalidFile(remoteFiles[0]!, "The files of the batch did not come within 30 seconds"))
  })
  return files as ReadonlyMap<string, FetchedFile>
})
