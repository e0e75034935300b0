/**
 * Pushes a folder: sends the list of its files, uploads the files that the server lacks in parts, and sends the list
 * again. Nothing changes on the server before it has all files. After an interruption, the next push uploads only the
 * remaining files.
 *
 * Limits: parts of 8 MiB and 2,000 files, so that a part is uploaded within seconds. A larger file is its own part.
 */
import { readFileSync } from "node:fs"
import { join } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import { concatenated } from "@lectern/core/schema/Bytes"
import type { ImportProblem } from "@lectern/exchange/import/Folder"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import * as FileList from "@lectern/exchange/push/FileList"
import type { CompletePush, PushResult } from "@lectern/exchange/push/Push"
import * as Tar from "@lectern/exchange/push/Tar"
import { readFolder } from "@lectern/services-node/folder/FolderReader"
import { Effect } from "effect"
import { CommandFailed } from "../CommandFailed.ts"
import { hashFile } from "./FileHash.ts"
import * as ServerApi from "./ServerApi.ts"

const maxPartBytes = 8 * 1024 * 1024
const maxPartFiles = 2_000

export interface PushOptions {
  readonly api: ServerApi.ServerApi
  readonly folder: string
  readonly space: string
  readonly name: string
  /** Revision that the folder was pulled at. Undefined if it was pushed since. */
  readonly base: string | undefined
  readonly dryRun: boolean
}

export interface FolderPush {
  readonly result: CompletePush
  readonly files: ReadonlyArray<FileList.ListedFile>
  /** Files that the list does not contain. */
  readonly problems: ReadonlyArray<ImportProblem>
  readonly uploadedFiles: number
  /** Total size of the uploaded files in bytes. */
  readonly uploadedBytes: number
}

const changedMeanwhile = new CommandFailed({ message: "The folder changed while it was pushed: push it again" })

const unreadable = (path: string, cause: unknown) =>
  new CommandFailed({ message: `${path} can't be read: ${fileErrorReason(cause)}` })

export const push = Effect.fnUntraced(function* (options: PushOptions) {
  const { api, folder, space, name, base, dryRun } = options
  const { files: listed, problems } = yield* readFolder(folder)
  if (!listed.some(({ path }) => FolderPath.isMarkdown(path))) {
    return yield* new CommandFailed({ message: `No Markdown files found in ${folder}` })
  }
  const files: Array<FileList.ListedFile> = []
  for (const { path } of listed) {
    // The list has a line for each file.
    if (path.includes("\n")) continue
    files.push(
      yield* Effect.try({
        try: () => ({ path, ...hashFile(join(folder, path)) }),
        catch: (cause) => unreadable(path, cause)
      })
    )
    if (files.length % 100 === 0) yield* Effect.yieldNow
  }
  const url = `/spaces/${encodeURIComponent(space)}/push`
  const request = {
    name,
    files: FileList.print(files),
    ...(base !== undefined && { base }),
    ...(dryRun && { dryRun })
  }
  const pathsByOid = new Map(files.map(({ oid, path }) => [oid, path]))
  const uploaded = new Set<string>()
  let uploadedBytes = 0

  const uploadPart = Effect.fnUntraced(function* (oids: ReadonlyArray<string>) {
    const entries: Array<Uint8Array> = []
    for (const oid of oids) {
      const path = pathsByOid.get(oid)!
      const bytes = yield* Effect.try({
        try: () => readFileSync(join(folder, path)),
        catch: (cause) => unreadable(path, cause)
      })
      entries.push(yield* Tar.entry(oid, bytes))
      uploaded.add(oid)
      uploadedBytes += bytes.length
    }
    yield* api.json(`${url}/files`, { method: "POST", body: concatenated([...entries, Tar.end]) })
  })

  const sizes = new Map(files.map(({ oid, size }) => [oid, size]))
  for (;;) {
    const result = yield* api.json<PushResult>(url, { method: "POST", body: request })
    if (result.object === "push") {
      return { result, files, problems, uploadedFiles: uploaded.size, uploadedBytes } satisfies FolderPush
    }
    // The bytes of an uploaded file differ from its id if the file changed meanwhile.
    if (result.missing.some((oid) => uploaded.has(oid) || !sizes.has(oid))) return yield* changedMeanwhile
    let part: Array<string> = []
    let partBytes = 0
    for (const oid of result.missing) {
      const size = sizes.get(oid)!
      if (part.length > 0 && (partBytes + size > maxPartBytes || part.length >= maxPartFiles)) {
        yield* uploadPart(part)
        part = []
        partBytes = 0
      }
      part.push(oid)
      partBytes += size
    }
    if (part.length > 0) yield* uploadPart(part)
  }
})
