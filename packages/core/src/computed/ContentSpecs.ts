/**
 * Specs that the pages of a content show: those of the organization that they name, and those in files of the space.
 * What the actor does not see there is as if it were not.
 *
 * A spec in a file is read when it is first asked for, in a thread, by the rules for all specs (see `SpecText`), and
 * kept by the hash of the file. Nobody waits for that.
 *
 * Limits: 32 MiB of text of specs that are kept, those used last; files of `maxSpecBytes`; 20 that are being read.
 */
import { Context, Effect, Scope } from "effect"
import type { Located } from "../content/reading/Located.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import { Objects } from "../content/store/Objects.ts"
import { maxSpecBytes } from "../openapi/OpenApiSpec.ts"
import { ReadSpec } from "../openapi/ReadSpec.ts"
import * as JsonPieces from "../schema/JsonPieces.ts"
import { type BlobHash, BlobStore } from "../storage/BlobStore.ts"
import { Lru } from "../storage/Lru.ts"
import type { StorageError } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import { wired } from "../wiring/Wired.ts"
import * as SpecReading from "./SpecReading.ts"
import * as RefUrl from "@lectern/document/markdown/RefUrl"

const keptText = 32 * 1024 * 1024
const maxReading = 20

/** A spec in a file. */
export type FileSpec =
  | { readonly state: "ready"; readonly spec: SpecReading.Spec }
  /** It is being read, or waits for that. */
  | { readonly state: "reading" }
  /** There is no such file for who asks, or it is no spec. */
  | { readonly state: "missing" }

export class ContentSpecs extends Context.Service<
  ContentSpecs,
  {
    /** Names of specs of the organization: slugs, or ids. */
    readonly named: (at: Located) => Effect.Effect<ReadonlySet<string>, StorageError>
    /** The spec in a file, by the file's id. */
    readonly inFile: (at: Located, file: string) => Effect.Effect<FileSpec, StorageError>
  }
>()("@lectern/core/computed/ContentSpecs") {
  static readonly layer = wired(
    ContentSpecs,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const conditions = yield* PageConditions
      const objects = yield* Objects
      const threads = yield* Threads
      const scope = yield* Scope.Scope
      const read = new Lru<BlobHash, FileSpec>(keptText)
      const reading = new Set<BlobHash>()

      const known = { missing: { state: "missing" }, reading: { state: "reading" } } as const

      /** A file that is no spec stays so, as its bytes do. */
      const none = (blob: BlobHash) => read.set(blob, known.missing, 200)

      const begin = (blob: BlobHash) =>
        Effect.gen(function* () {
          const bytes = yield* blobs.get(blob)
          const found = bytes && (yield* threads.run(ReadSpec, bytes, { patient: true }))
          if (bytes === undefined || found === undefined || "problems" in found) return none(blob)
          const document = found.document ?? bytes
          const value = yield* JsonPieces.unfold(threads, document)
          yield* Effect.yieldNow
          const spec = SpecReading.read(SpecReading.fieldsOf(value))
          read.set(blob, { state: "ready", spec }, document.length)
        }).pipe(
          Effect.catchTag("TooCostly", () => Effect.sync(() => none(blob))),
          // A store that fails may be there the next time.
          Effect.ignore,
          Effect.ensuring(Effect.sync(() => reading.delete(blob)))
        )

      return ContentSpecs.of({
        named: Effect.fnUntraced(function* ({ revision: { content }, visitor }) {
          const { reach } = yield* conditions.see(content, visitor)
          if (reach !== undefined) return (yield* reach).specs
          const names = new Set<string>()
          for (const { links } of (yield* LinkMap.all(objects, content)).values()) {
            for (const [url] of links) {
              const ref = url.startsWith("/openapi/") ? RefUrl.fromUrl(url) : undefined
              if (ref?.kind === "openapi") names.add(ref.spec)
            }
          }
          return names
        }),

        inFile: Effect.fnUntraced(function* ({ revision: { content }, visitor }, id) {
          const { reader } = yield* conditions.see(content, visitor)
          const file = yield* reader.file(id)
          if (file === undefined || file.size > maxSpecBytes) return known.missing
          const { blob } = file
          const found = read.get(blob)
          if (found !== undefined) return found
          if (reading.has(blob) || reading.size >= maxReading) return known.reading
          reading.add(blob)
          yield* Effect.forkIn(begin(blob), scope, { startImmediately: true })
          return known.reading
        })
      })
    }),
    [Objects.layer, PageConditions.layer]
  )
}
