/** Accepts files of organizations and serves the public ones. */
import { Clock, Context, Duration, Effect, Layer } from "effect"
import { CurrentActor, userOf } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { makeRunHook, type RefusedByHost } from "../hook/BeforeHooks.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { signedUrls } from "../identity/SignedUrls.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { BlobHash, BlobStore } from "../storage/BlobStore.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import * as StoredBlob from "../storage/StoredBlob.ts"
import { Hasher } from "../storage/Hasher.ts"
import {
  type StartedUpload,
  maxBytes,
  maxUploads,
  type StoredFile,
  UploadStart,
  UploadNotFound,
  UploadRefused,
  type UploadRow,
  UploadTable
} from "./Upload.ts"
import { expected, isImportable, typeOf } from "./UploadType.ts"
import { publicPath, type UploadLink, uploadPath } from "./UploadUrl.ts"

const accept = accepting(UploadStart)

/** Validity of an upload URL (ms). */
const urlLifetime = Duration.toMillis(Duration.hours(1))

const invalid = (path: string, message: string) => new InvalidInput({ issues: [{ path, message }] })

/** Public font or image. */
export interface PublicFile {
  readonly file: { readonly name: string; readonly contentType: string; readonly blob: BlobHash }
  /** Bytes of the file, loaded when the response is sent. */
  readonly bytes: Effect.Effect<Uint8Array, UploadNotFound | StorageError>
}

export class Uploads extends Context.Service<
  Uploads,
  {
    /**
     * Declares a file. Returns an upload URL, valid for an hour, and the key of the file.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {RefusedByHost} If the hook `upload` of the host refuses.
     * @throws {UploadRefused}
     */
    readonly begin: (
      organization: OrganizationId,
      input: UploadStart
    ) => Effect.Effect<
      StartedUpload,
      OrganizationNotFound | Forbidden | InvalidInput | UploadRefused | RefusedByHost | StorageError,
      CurrentActor
    >
    /**
     * Stores the bytes of a declared file. Repeating the same upload is allowed.
     *
     * @param bytes Bytes of the file.
     * @param link.organization Id of the organization, from the upload URL.
     * @param link.upload Id of the upload, from the upload URL.
     * @throws {InvalidInput} If kind or size differ from the declaration.
     * @throws {UploadNotFound}
     * @throws {UploadRefused} For other bytes.
     */
    readonly put: (
      link: UploadLink,
      bytes: Uint8Array
    ) => Effect.Effect<StoredFile, UploadNotFound | InvalidInput | UploadRefused | StorageError>
    /**
     * Returns a font or an image by the hash of its bytes. Requires no authorization.
     *
     * @param organization Id of the organization.
     * @param hash Hash of the bytes, from the public URL.
     * @throws {UploadNotFound}
     */
    readonly file: (organization: string, hash: string) => Effect.Effect<PublicFile, UploadNotFound | StorageError>
  }
>()("@lectern/core/upload/Uploads") {
  static readonly layer = Layer.effect(
    Uploads,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const organizations = yield* Organizations
      const publicUrl = yield* PublicUrl
      const urls = yield* signedUrls
      const blobs = yield* BlobStore
      const hasher = yield* Hasher
      const store = yield* StoredBlob.make
      const rows = storage.repository(UploadTable)
      const runHook = yield* makeRunHook

      const present = ({ organization, blob, kind, id, name, contentType, size }: UploadRow): StoredFile => ({
        object: "storage-file",
        key: id,
        kind,
        name,
        contentType,
        size,
        urls: {
          ...(blob !== undefined &&
            kind !== "import_file" && { public: `${publicUrl}${publicPath({ organization }, blob)}` })
        }
      })

      const absent = () => new UploadNotFound({ message: "There is no such file, or its URL has expired" })

      return Uploads.of({
        begin: Effect.fn("Uploads.begin")(function* (organization, rawInput) {
          const input = yield* accept(rawInput)
          const request = Effect.as(organizations.require(organization, "upload files to this organization"), {
            kind: input.kind,
            organization,
            space: undefined,
            name: input.file.name,
            contentType: input.file.type,
            size: input.file.size
          })
          const { name } = yield* runHook("upload", request)
          const { file, kind } = name === undefined ? input : yield* accept({ ...input, file: { ...input.file, name } })
          const user = userOf(yield* CurrentActor)
          const now = yield* Clock.currentTimeMillis
          return yield* storage.transaction(
            Effect.gen(function* () {
              yield* organizations.require(organization, "upload files to this organization")
              const maxSize = maxBytes[kind]
              if (file.size > maxSize) return yield* invalid("body.file.size", `Expected at most ${maxSize} bytes`)
              if (kind === "import_file" && !isImportable(file.name)) {
                return yield* invalid("body.file.name", `Expected ${expected[kind]}`)
              }
              if ((yield* rows.count({ organization })) >= maxUploads) {
                return yield* new UploadRefused({
                  message: `An organization keeps at most ${maxUploads} files: those that nothing uses go after a day`
                })
              }
              const createdAt = Timestamps.at(now)
              const row: UploadRow = {
                id: yield* ids.next,
                organization,
                kind,
                name: file.name,
                contentType: file.type,
                size: file.size,
                ...(user !== null && { createdBy: user }),
                createdAt,
                usedAt: createdAt
              }
              yield* rows.insert(row).pipe(cannotConflict)
              const url = urls.url(uploadPath({ organization, upload: row.id }), now + urlLifetime)
              return { object: "storage-signed-url", url, key: row.id } as const
            })
          )
        }),

        put: Effect.fn("Uploads.put")(function* (link, bytes) {
          if (!(yield* urls.isValid(uploadPath(link), link))) return yield* absent()
          const row = yield* rows.get({ id: link.upload })
          if (row === undefined) return yield* absent()
          if (row.blob !== undefined) {
            if (row.blob === hasher.sha256(bytes)) return present(row)
            return yield* new UploadRefused({ message: "Other bytes have been put there already" })
          }
          if (bytes.length !== row.size) {
            return yield* invalid("body", `Expected ${row.size} bytes, as they were announced`)
          }
          const contentType = typeOf(row.kind, bytes, row.name)
          if (contentType === undefined) return yield* invalid("body", `Expected ${expected[row.kind]}`)
          const storedFields = { blob: yield* store(bytes), contentType }
          const updateCount = yield* rows.update({ id: row.id, blob: null }, storedFields)
          // No row changed: a concurrent upload was faster, or the file was removed.
          if (updateCount === 0) return yield* new UploadRefused({ message: "Bytes have been put there meanwhile" })
          return present({ ...row, ...storedFields })
        }),

        file: Effect.fn("Uploads.file")(function* (organization, hash) {
          const matchingRows = yield* rows.list({
            where: { organization: organization as OrganizationId, blob: BlobHash.make(hash) }
          })
          const row = matchingRows.find(({ kind }) => kind !== "import_file")
          if (row === undefined) return yield* absent()
          const blob = BlobHash.make(hash)
          return {
            file: { name: row.name, contentType: row.contentType, blob },
            bytes: Effect.flatMap(blobs.get(blob), (bytes) =>
              bytes === undefined ? Effect.fail(absent()) : Effect.succeed(bytes)
            )
          }
        })
      })
    })
  )
}
