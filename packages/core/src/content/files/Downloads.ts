/**
 * Returns the bytes of files for URLs that need no token (see `FileUrls`). The URL of a member is valid until it
 * expires. The URL of a visitor is checked on each request. The site must be published, include the space, and still
 * admit visitors in the same way (`via`). The content that is visible with the visitor's claims must refer to the file.
 * So removing a file from the published content ends its URLs. These checks read only data that page views keep in
 * memory.
 */
import { Context, Effect, Schema, Layer } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import { accessOrigin } from "../../publishing/Admission.ts"
import { SpaceId } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import { BlobStore } from "../../storage/BlobStore.ts"
import { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import { PageConditions } from "../pages/PageConditions.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { Objects } from "../store/Objects.ts"
import type { FileEntry } from "./File.ts"
import type { PublishedFile, RevisionFile } from "./FileUrl.ts"
import { fileUrls } from "./FileUrls.ts"

/** Raised if the content has no such file, or a signed URL is invalid or has expired. */
export class FileNotFound extends Schema.TaggedError<FileNotFound>()(
  "FileNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export const fileNotFound = (id: string) => new FileNotFound({ message: `There is no file ${id}` })

export interface Download {
  readonly file: FileEntry
  /** Reads the bytes. Run this effect only if the response includes the bytes. */
  readonly bytes: Effect.Effect<Uint8Array, FileNotFound | StorageError>
  /** True if everyone may read the file, so that shared caches may store it. */
  readonly isPublic: boolean
}

/** Current URL of a published file whose bytes have changed since the requested URL was created. */
export interface ReplacedFile {
  readonly replaced: string
}

export class Downloads extends Context.Service<
  Downloads,
  {
    /**
     * Returns the file of a member's URL, such as `downloadURL` of a file.
     *
     * @throws {FileNotFound} After the URL has expired.
     */
    readonly ofRevision: (link: RevisionFile) => Effect.Effect<Download, FileNotFound | StorageError>
    /**
     * Returns the file of a visitor's URL, if a visitor with these claims may read it now. Returns a `ReplacedFile`
     * with the current URL if the bytes have changed.
     *
     * @throws {FileNotFound}
     */
    readonly published: (link: PublishedFile) => Effect.Effect<Download | ReplacedFile, FileNotFound | StorageError>
  }
>()("@lectern/core/content/files/Downloads") {
  static readonly layer = Layer.effect(
    Downloads,
    Effect.gen(function* () {
      const policy = yield* SpacePolicy
      const revisions = yield* Revisions
      const conditions = yield* PageConditions
      const objects = yield* Objects
      const blobs = yield* BlobStore
      const urls = yield* fileUrls

      const bytesOf = ({ id, blob }: FileEntry) =>
        Effect.flatMap(blobs.get(blob), (bytes) =>
          bytes === undefined ? Effect.fail(fileNotFound(id)) : Effect.succeed(bytes)
        )

      return Downloads.of({
        ofRevision: Effect.fn("Downloads.ofRevision")(function* (link) {
          if (!(yield* urls.isValid(link))) return yield* fileNotFound(link.file)
          const { content } = yield* revisions
            .find(link.space, link.revision)
            .pipe(Effect.catchTag("RevisionNotFound", () => fileNotFound(link.file)))
          const file = yield* ContentReader.make(objects, content).file(link.file)
          if (file === undefined) return yield* fileNotFound(link.file)
          return { file, bytes: bytesOf(file), isPublic: false }
        }),

        published: Effect.fn("Downloads.published")(function* (link) {
          const notFound = fileNotFound(link.file)
          const holder = urls.visitorOf(link)
          if (holder === undefined) return yield* notFound
          const { space, visitor } = yield* policy
            .require(SpaceId.make(link.space), "read this space")
            .pipe(
              Effect.provideService(CurrentActor, holder),
              Effect.catchTags({ SpaceNotFound: () => notFound, Forbidden: () => notFound })
            )
          const { content } = yield* revisions.get(space.revision)
          const { reader } = yield* conditions.visibleContent(content, visitor)
          const file = yield* reader.file(link.file)
          if (file === undefined) return yield* notFound
          if (file.blob !== link.hash) return { replaced: urls.published(holder, space.id)(file) }
          return { file, bytes: bytesOf(file), isPublic: link.via === accessOrigin.open && link.claims === undefined }
        })
      })
    })
  )
}
