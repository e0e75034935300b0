/** Shared steps of push tests: a client in memory, and functions to read and edit the pushed content. */
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import { FolderExports } from "@lectern/exchange/export/FolderExports"
import * as GitBlobId from "@lectern/exchange/import/GitBlobId"
import * as FileList from "@lectern/exchange/push/FileList"
import type { CompletePush, PushRequest } from "@lectern/exchange/push/Push"
import { Pushes } from "@lectern/exchange/push/Pushes"
import * as Tar from "@lectern/exchange/push/Tar"
import type { SpaceId } from "@lectern/core/space/Space"
import { Hasher } from "@lectern/core/storage/Hasher"
import { assert } from "@effect/vitest"
import { Effect } from "effect"

export type TestFolder = Readonly<Record<string, string>>

const encoder = new TextEncoder()
const decoder = new TextDecoder()

const archiveOf = Effect.fnUntraced(function* (files: ReadonlyArray<Uint8Array>) {
  const entries = yield* Effect.forEach(files, (bytes, i) => Tar.entry(`${i}`, bytes))
  return Uint8Array.from([...entries, Tar.end].flatMap((part) => Array.from(part)))
})

/** Returns the list of a folder's files, and an upload of the files with these ids. */
export const clientOf = Effect.fnUntraced(function* (space: SpaceId, folder: TestFolder) {
  const hasher = yield* Hasher
  const pushes = yield* Pushes
  const files = Object.entries(folder).map(([path, text]) => {
    const bytes = encoder.encode(text)
    return { path, bytes, size: bytes.length, oid: GitBlobId.gitBlobId(hasher, bytes) }
  })
  const upload = Effect.fnUntraced(function* (oids: ReadonlyArray<string>) {
    const uploaded = files.filter(({ oid }) => oids.includes(oid))
    assert.strictEqual(new Set(uploaded.map(({ oid }) => oid)).size, oids.length)
    return yield* pushes.upload(space, yield* archiveOf(uploaded.map(({ bytes }) => bytes)))
  })
  return { list: FileList.print(files), upload }
})

/** Pushes a folder as a client does: uploads the missing files until the push is complete. */
export const push = Effect.fnUntraced(function* (
  space: SpaceId,
  name: string,
  folder: TestFolder,
  options: Omit<PushRequest, "name" | "files"> = {}
) {
  const pushes = yield* Pushes
  const { list, upload } = yield* clientOf(space, folder)
  for (let round = 0; round < 5; round++) {
    const result = yield* pushes.push(space, { name, files: list, ...options })
    if (result.object === "push") return result
    yield* upload(result.missing)
  }
  return assert.fail("The push stays incomplete")
})

/** Returns the id of the change request of a push. */
export const idOf = ({ changeRequest }: CompletePush): string =>
  changeRequest?.id ?? assert.fail("There is no change request")

/** Returns the files of an export of a revision, by default of the main content. */
export const pull = Effect.fnUntraced(function* (space: SpaceId, revision?: string) {
  const files: Record<string, string> = {}
  const report = yield* (yield* FolderExports).exportFolder(space, {
    revision,
    isCaseSensitive: true,
    write: (path, bytes) => Effect.sync(() => void (files[path] = decoder.decode(bytes)))
  })
  return { files, revision: report.revision }
})

export const merge = Effect.fnUntraced(function* (space: SpaceId, pushed: CompletePush) {
  return (yield* (yield* ChangeRequestContents).merge(space, idOf(pushed))).result
})

/** Replaces the Markdown of a page of a change request. */
export const edit = Effect.fnUntraced(function* (
  space: SpaceId,
  changeRequest: string,
  title: string,
  markdown: string
) {
  const contents = yield* Contents
  const { pages } = yield* contents.pages(yield* contents.locate({ space, changeRequest }))
  const page = pages.find((one) => one.title === title) ?? assert.fail(`There is no page ${title}`)
  yield* (yield* ChangeRequestContents).write(space, changeRequest, [
    { operation: "update_page", page: page.id, document: { markdown } }
  ])
})

/** Edits the main content of a space as people do: in a change request, which is merged. */
export const editMain = Effect.fnUntraced(function* <E, R>(
  space: SpaceId,
  change: (changeRequest: string) => Effect.Effect<void, E, R>
) {
  const { id } = yield* (yield* ChangeRequests).create(space, { subject: "By hand" })
  yield* change(id)
  assert.strictEqual((yield* (yield* ChangeRequestContents).merge(space, id)).result, "merge")
})

export const insert = Effect.fnUntraced(function* (
  space: SpaceId,
  changeRequest: string,
  title: string,
  markdown: string
) {
  yield* (yield* ChangeRequestContents).write(space, changeRequest, [
    { operation: "insert_page", title, document: { markdown } }
  ])
})

export const titles = Effect.fnUntraced(function* (space: SpaceId, changeRequest?: string) {
  const contents = yield* Contents
  const { pages } = yield* contents.pages(
    yield* contents.locate({ space, ...(changeRequest !== undefined && { changeRequest }) })
  )
  return pages.map(({ title }) => title)
})
