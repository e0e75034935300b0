/**
 * The bytes of files behind URLs that need no token (see `FileUrls`). That of a member is good until it
 * expires. That of a visitor is asked about each time: the site is published, its way in is open, the
 * space stands on it, and what a visitor with these claims sees there now refers to the file. So whatever
 * takes a file out of what is published ends its URLs. Nothing is looked up that page views don't keep in
 * memory.
 */
import { Context, Effect, Schema } from "effect"
import { CurrentActor } from "../../access/Actor.ts"
import { Instance } from "../../identity/Instance.ts"
import { via } from "../../publishing/Admission.ts"
import { SpaceId } from "../../space/Space.ts"
import { SpacePolicy } from "../../space/SpacePolicy.ts"
import { BlobStore } from "../../storage/BlobStore.ts"
import { StorageError } from "../../storage/Storage.ts"
import * as ContentReader from "../ContentReader.ts"
import { PageConditions } from "../pages/PageConditions.ts"
import { Revisions } from "../revisions/Revisions.ts"
import { Objects } from "../store/Objects.ts"
import { wired } from "../../wiring/Wired.ts"
import type { FileEntry } from "./File.ts"
import type { PublishedFile, RevisionFile } from "./FileUrl.ts"
import { fileUrls } from "./FileUrls.ts"

export class FileNotFound extends Schema.TaggedError<FileNotFound>()(
  "FileNotFound",
  { message: Schema.String },
  { httpApiStatus: 404 }
) {}

export const fileNotFound = (id: string) => new FileNotFound({ message: `There is no file ${id}` })

export interface Download {
  readonly file: FileEntry
  /** Read where they are sent alone. */
  readonly bytes: Effect.Effect<Uint8Array, FileNotFound | StorageError>
  /** True where it is there for everyone, so that everyone may keep it. */
  readonly isPublic: boolean
}

/** The URL now of a file whose bytes have changed since the one that is asked for was given out. */
export interface Replaced {
  readonly replaced: string
}

export class Downloads extends Context.Service<
  Downloads,
  {
    /** The file of a revision, by the URL that a member was given; `FileNotFound` once that has expired. */
    readonly ofRevision: (link: RevisionFile) => Effect.Effect<Download, FileNotFound | StorageError>
    /**
     * A published file, by the URL that a visitor was given, for as long as such a visitor may read it. Where it has
     * other bytes by now, it is said where they are.
     */
    readonly published: (link: PublishedFile) => Effect.Effect<Download | Replaced, FileNotFound | StorageError>
  }
>()("@lectern/core/content/files/Downloads") {
  static readonly layer = wired(
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
          if (!(yield* urls.isGood(link))) return yield* fileNotFound(link.file)
          const { content } = yield* revisions
            .find(link.space, link.revision)
            .pipe(Effect.catchTag("RevisionNotFound", () => fileNotFound(link.file)))
          const file = yield* ContentReader.make(objects, content).file(link.file)
          if (file === undefined) return yield* fileNotFound(link.file)
          return { file, bytes: bytesOf(file), isPublic: false }
        }),

        published: Effect.fn("Downloads.published")(function* (link) {
          const absent = fileNotFound(link.file)
          const holder = urls.visitorOf(link)
          if (holder === undefined) return yield* absent
          const { space, visitor } = yield* policy
            .require(SpaceId.make(link.space), "read this space")
            .pipe(
              Effect.provideService(CurrentActor, holder),
              Effect.catchTags({ SpaceNotFound: () => absent, Forbidden: () => absent })
            )
          const { content } = yield* revisions.get(space.revision)
          const { reader } = yield* conditions.see(content, visitor)
          const file = yield* reader.file(link.file)
          if (file === undefined) return yield* absent
          if (file.blob !== link.hash) return { replaced: urls.published(holder, space.id)(file) }
          return { file, bytes: bytesOf(file), isPublic: link.via === via.open && link.claims === undefined }
        })
      })
    }),
    [Instance.layer, Objects.layer, PageConditions.layer, Revisions.layer, SpacePolicy.layer]
  )
}
