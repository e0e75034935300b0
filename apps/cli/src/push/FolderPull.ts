/**
 * Pulls a space: writes its export into a folder, and only the files that differ. The whole export is received into
 * `.lectern/pull` before a file of the folder changes, so an interrupted pull changes nothing, and the next one
 * completes it.
 *
 * A file with changes that were not pushed is a local change. A pull that would overwrite one changes nothing, unless it
 * is forced. A file that the space no longer has is removed if the last push or pull had it.
 */
import { existsSync, lstatSync, mkdirSync, realpathSync, renameSync, rmSync, rmdirSync, writeFileSync } from "node:fs"
import { dirname, join, resolve, sep } from "node:path"
import { fileErrorReason } from "@lectern/core/storage/FileErrorReason"
import * as FolderPath from "@lectern/exchange/import/FolderPath"
import { Effect } from "effect"
import { createTarDecoder } from "modern-tar"
import { CommandFailed } from "../CommandFailed.ts"
import { hashBytes, hashFile } from "./FileHash.ts"
import type * as ServerApi from "./ServerApi.ts"
import { makeFolder, type SyncState } from "./SyncState.ts"

/** Maximum number of local changes that a failure names. */
const maxNamed = 10

export interface PullOptions {
  readonly api: ServerApi.ServerApi
  readonly folder: string
  readonly space: string
  readonly revision: string
  readonly state: SyncState | undefined
  readonly force: boolean
}

export interface FolderPull {
  readonly changed: ReadonlyArray<string>
  readonly removed: ReadonlyArray<string>
  readonly unchanged: number
  /** Git object ids of the files by path. */
  readonly files: Readonly<Record<string, string>>
}

interface Received {
  readonly path: string
  readonly oid: string
  /** Temporary file with the received bytes. Undefined if the file in the folder has these bytes already. */
  readonly staged: string | undefined
}

export const pull = Effect.fnUntraced(function* (options: PullOptions) {
  const { api, folder, space, revision, state, force } = options
  const root = yield* tryWrite(folder, () => {
    mkdirSync(folder, { recursive: true })
    return realpathSync(folder)
  })
  const staging = join(yield* tryWrite(folder, () => makeFolder(root)), "pull")
  const exportPath = (id: string) => `/spaces/${encodeURIComponent(space)}/content/export?revision=${id}`
  const receive = async (response: Response) => {
    rmSync(staging, { recursive: true, force: true })
    mkdirSync(staging)
    const received: Array<Received> = []
    await eachFile(response, (path, bytes) => {
      requireWithin(root, path)
      const oid = hashBytes(bytes)
      const isSame = localOid(root, path) === oid
      const staged = isSame ? undefined : join(staging, `${received.length}`)
      if (staged !== undefined) writeFileSync(staged, bytes)
      received.push({ path, oid, staged })
    })
    return received
  }
  const pulled = api.stream(exportPath(revision), receive).pipe(
    Effect.flatMap((received) =>
      Effect.gen(function* () {
        const incoming = new Map(received.map((file) => [file.path, file]))
        if (!force) yield* refuseLocalChanges(root, received, state)
        const candidates = Object.keys(state?.files ?? {}).filter(
          (path) => !incoming.has(path) && localOid(root, path) === state!.files[path]
        )
        // A push lists files that imports leave out. Only files of an export are files of the space.
        const exports = candidates.length === 0 ? [] : [...new Set([state!.since, state!.revision])]
        const exported = yield* Effect.forEach(exports, (id) => pathsOf(api, exportPath(id)))
        const removed = candidates.filter((path) => exported.some((paths) => paths.has(path)))
        yield* tryWrite(folder, () => {
          for (const { path, staged } of received) {
            if (staged === undefined) continue
            const target = join(root, path)
            mkdirSync(dirname(target), { recursive: true })
            renameSync(staged, target)
          }
          for (const path of removed) removeFile(root, path)
        })
        const changed = received.flatMap(({ path, staged }) => (staged === undefined ? [] : [path]))
        return {
          changed,
          removed,
          unchanged: received.length - changed.length,
          files: Object.fromEntries(received.map(({ path, oid }) => [path, oid]))
        } satisfies FolderPull
      })
    )
  )
  return yield* Effect.ensuring(
    pulled,
    Effect.sync(() => rmSync(staging, { recursive: true, force: true }))
  )
})

/** Calls a function for each file of an archive. Rejects if the archive is incomplete. */
const eachFile = async (response: Response, onFile: (path: string, bytes: Uint8Array) => void): Promise<void> => {
  for await (const { header, body } of response.body!.pipeThrough(createTarDecoder({ strict: true }))) {
    const parts: Array<Uint8Array> = []
    for await (const part of body) parts.push(part)
    if (header.type === "file") onFile(header.name, Buffer.concat(parts))
  }
}

/** Returns the paths of an export. Empty if the revision no longer exists. */
const pathsOf = (api: ServerApi.ServerApi, url: string) =>
  api
    .stream(url, async (response) => {
      const paths = new Set<string>()
      await eachFile(response, (path) => void paths.add(path))
      return paths
    })
    .pipe(Effect.catchTag("RequestRefused", () => Effect.succeed(new Set<string>())))

const refuseLocalChanges = Effect.fnUntraced(function* (
  root: string,
  received: ReadonlyArray<Received>,
  state: SyncState | undefined
) {
  const localChanges = received.flatMap(({ path, staged }) => {
    if (staged === undefined) return []
    const local = localOid(root, path)
    return local === state?.files[path] ? [] : [path]
  })
  if (localChanges.length === 0) return
  const names = localChanges.slice(0, maxNamed).join(", ")
  const more = localChanges.length > maxNamed ? ` and ${localChanges.length - maxNamed} more` : ""
  return yield* new CommandFailed({
    message: `The pull would overwrite local changes that were not pushed: ${names}${more}. Push them first, or pull with --force`,
    report: { localChanges }
  })
})

/** Returns the Git object id of a local file. Undefined if it does not exist. */
const localOid = (root: string, path: string): string | undefined => {
  const full = join(root, path)
  return existsSync(full) && lstatSync(full).isFile() ? hashFile(full).oid : undefined
}

/** Throws if a path leads out of the folder, or into the files of Git or of this command. */
const requireWithin = (root: string, path: string): void => {
  const isValid =
    FolderPath.normalize(path) === path &&
    !/[\\\0]/.test(path) &&
    !path.split("/").some((name) => /^\.(?:git|lectern)$/i.test(name))
  if (!isValid || !`${realpathSync(existingParent(join(root, path)))}${sep}`.startsWith(`${resolve(root)}${sep}`)) {
    throw new CommandFailed({ message: `The server sent a file outside of the folder: ${path.slice(0, 200)}` })
  }
}

/** Returns the nearest enclosing folder that exists. */
const existingParent = (path: string): string => {
  const parent = dirname(path)
  return existsSync(parent) ? parent : existingParent(parent)
}

/** Removes a file, and the folders that become empty. */
const removeFile = (root: string, path: string): void => {
  rmSync(join(root, path))
  for (let folder = dirname(path); folder !== "."; folder = dirname(folder)) {
    try {
      rmdirSync(join(root, folder))
    } catch {
      return
    }
  }
}

const tryWrite = <A>(folder: string, write: () => A): Effect.Effect<A, CommandFailed> =>
  Effect.try({
    try: write,
    catch: (cause) => new CommandFailed({ message: `${folder} can't be written: ${fileErrorReason(cause)}` })
  })
