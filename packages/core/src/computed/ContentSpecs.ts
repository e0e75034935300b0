/**
 * Specs that the pages of a content show: specs of the organization by name, and specs in files of the space. Specs
 * that the actor may not see count as missing.
 *
 * A spec in a file is parsed on first use, in a thread, by the rules for all specs (see `SpecText`), and cached by the
 * hash of the file. Pages do not wait for it.
 *
 * Limits: 32 MiB of text of the most recently used specs; files of `maxSpecBytes`; 20 files in progress; for a content,
 * files of 16 MiB in total, so that all of them stay cached.
 */
import { Context, Deferred, Effect, Scope, Layer } from "effect"
import type { LocatedRevision } from "../content/reading/LocatedRevision.ts"
import type { Content } from "../content/Content.ts"
import type { FileEntry } from "../content/files/File.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import { PageConditions } from "../content/pages/PageConditions.ts"
import { Objects } from "../content/store/Objects.ts"
import { maxSpecBytes } from "../openapi/OpenApiSpec.ts"
import { ReadSpec } from "../openapi/ReadSpec.ts"
import * as SpecJson from "../openapi/SpecJson.ts"
import { type BlobHash, BlobStore } from "../storage/BlobStore.ts"
import { LruCache } from "../storage/LruCache.ts"
import type { StorageError } from "../storage/Storage.ts"
import { Threads } from "../thread/Threads.ts"
import * as SpecParser from "./SpecParser.ts"
import * as RefUrl from "@lectern/document/markdown/RefUrl"

const specCacheSize = 32 * 1024 * 1024
const maxReading = 20
const maxText = specCacheSize / 2

/** Names of files that may contain a spec. */
const isNamedAsSpec = /\.(?:json|ya?ml)$/i

/** A spec in a file. */
export type FileSpec =
  | { readonly state: "ready"; readonly spec: SpecParser.Spec }
  /** The file is being parsed, or waits to be parsed. */
  | { readonly state: "reading" }
  /** The file does not exist for the actor, or contains no spec. */
  | { readonly state: "missing" }

export class ContentSpecs extends Context.Service<
  ContentSpecs,
  {
    /** Returns the names of specs of the organization: slugs or ids. */
    readonly referenced: (located: LocatedRevision) => Effect.Effect<ReadonlySet<string>, StorageError>
    /** Returns the spec in a file by the file's id. */
    readonly inFile: (located: LocatedRevision, file: string) => Effect.Effect<FileSpec, StorageError>
    /** Returns the files that pages refer to and whose names suggest a spec. */
    readonly files: (located: LocatedRevision) => Effect.Effect<ReadonlyArray<FileEntry>, StorageError>
    /** Parses the file if necessary, and returns its spec. Undefined if the file contains no spec. */
    readonly read: (file: FileEntry) => Effect.Effect<SpecParser.Spec | undefined>
  }
>()("@lectern/core/computed/ContentSpecs") {
  static readonly layer = Layer.effect(
    ContentSpecs,
    Effect.gen(function* () {
      const blobs = yield* BlobStore
      const conditions = yield* PageConditions
      const objects = yield* Objects
      const threads = yield* Threads
      const scope = yield* Scope.Scope
      const fileSpecCache = new LruCache<BlobHash, FileSpec>(specCacheSize)
      const pendingReads = new Map<BlobHash, Deferred.Deferred<void>>()

      const states = { missing: { state: "missing" }, reading: { state: "reading" } } as const

      /** Stores that a blob contains no spec. Blobs are immutable. */
      const storeMissing = (blob: BlobHash) => fileSpecCache.set(blob, states.missing, 200)

      const parseFile = (blob: BlobHash, ended: Deferred.Deferred<void>) =>
        Effect.gen(function* () {
          const bytes = yield* blobs.get(blob)
          const parsed = bytes && (yield* threads.run(ReadSpec, bytes, { patient: true }))
          if (bytes === undefined || parsed === undefined || "problems" in parsed) return storeMissing(blob)
          const document = parsed.document ?? bytes
          const value = yield* SpecJson.parseInSlices(threads, document)
          yield* Effect.yieldNow
          const spec = SpecParser.read(SpecParser.fieldsOf(value))
          fileSpecCache.set(blob, { state: "ready", spec }, document.length)
        }).pipe(
          Effect.catchTag("TooCostly", () => Effect.sync(() => storeMissing(blob))),
          // Storage errors are ignored and not cached, so that the next read tries again.
          Effect.ignore,
          Effect.ensuring(Effect.sync(() => pendingReads.delete(blob))),
          Effect.ensuring(Deferred.succeed(ended, undefined))
        )

      const stateOf = Effect.fnUntraced(function* ({ blob, size }: FileEntry) {
        if (size > maxSpecBytes) return states.missing
        const cached = fileSpecCache.get(blob)
        if (cached !== undefined) return cached
        if (pendingReads.has(blob) || pendingReads.size >= maxReading) return states.reading
        const ended = yield* Deferred.make<void>()
        pendingReads.set(blob, ended)
        yield* Effect.forkIn(parseFile(blob, ended), scope, { startImmediately: true })
        return states.reading
      })

      /** Returns the references of the pages of a content. */
      const refs = Effect.fnUntraced(function* (content: Content, prefix: string) {
        const urls = new Set<string>()
        for (const { links } of (yield* LinkMap.allLinks(objects, content)).values()) {
          for (const [url] of links) if (url.startsWith(prefix)) urls.add(url)
        }
        return [...urls].map((url) => RefUrl.fromUrl(url))
      })

      return ContentSpecs.of({
        referenced: Effect.fnUntraced(function* ({ revision: { content }, visitor }) {
          const { references } = yield* conditions.visibleContent(content, visitor)
          if (references !== undefined) return (yield* references).specs
          const specRefs = yield* refs(content, "/openapi/")
          return new Set(specRefs.flatMap((ref) => (ref.kind === "openapi" ? ref.spec : [])))
        }),

        inFile: Effect.fnUntraced(function* ({ revision: { content }, visitor }, id) {
          const { reader } = yield* conditions.visibleContent(content, visitor)
          const file = yield* reader.file(id)
          return file === undefined ? states.missing : yield* stateOf(file)
        }),

        files: Effect.fnUntraced(function* ({ revision: { content }, visitor }) {
          const { reader, references } = yield* conditions.visibleContent(content, visitor)
          const fileRefs = references === undefined ? yield* refs(content, "/files/") : undefined
          const referencedFiles = fileRefs && new Set(fileRefs.flatMap((ref) => (ref.kind === "file" ? ref.file : [])))
          let text = 0
          return (yield* reader.files).filter(
            ({ id, name, size }) =>
              isNamedAsSpec.test(name) &&
              referencedFiles?.has(id) !== false &&
              size <= maxSpecBytes &&
              (text += size) <= maxText
          )
        }),

        read: Effect.fnUntraced(function* (file) {
          let state: FileSpec = yield* stateOf(file)
          // If too many files are in progress, waits until one is done.
          while (state.state === "reading" && !pendingReads.has(file.blob) && pendingReads.size >= maxReading) {
            const [first] = pendingReads.values()
            yield* Deferred.await(first!)
            state = yield* stateOf(file)
          }
          const ended = pendingReads.get(file.blob)
          if (ended !== undefined) yield* Deferred.await(ended)
          state = fileSpecCache.get(file.blob) ?? state
          return state.state === "ready" ? state.spec : undefined
        })
      })
    })
  )
}
