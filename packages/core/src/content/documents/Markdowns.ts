/**
 * Returns the Markdown of stored documents. A document with a given hash never changes, so recently printed Markdown is
 * cached (`MarkdownCacheBytes`).
 */
import { Context, Effect } from "effect"
import type { ObjectHash } from "../../storage/ObjectStore.ts"
import type { StorageError } from "../../storage/Storage.ts"
import * as Fallback from "../../thread/Fallback.ts"
import type { Threads } from "../../thread/Threads.ts"
import { PrintDocument } from "./PrintDocument.ts"
import { LruCache } from "../../storage/LruCache.ts"
import { Objects } from "../store/Objects.ts"
import { jsonCodeBlock, type StoredDocument } from "./StoredDocument.ts"

/** Memory limit of the cache of printed Markdown (bytes). Default: 32 MiB. */
export const MarkdownCacheBytes = Context.Reference<number>("@lectern/core/content/documents/MarkdownCacheBytes", {
  defaultValue: () => 32 * 1024 * 1024
})

export const makeMarkdowns = Effect.gen(function* () {
  const objects = yield* Objects
  const { threads } = objects
  const cache = new LruCache<ObjectHash, string>(yield* MarkdownCacheBytes)
  return {
    /** Returns the Markdown of the document with this hash. Empty for a page without a document. */
    get: Effect.fnUntraced(function* (hash: ObjectHash | undefined) {
      if (hash === undefined) return ""
      const cached = cache.get(hash)
      if (cached !== undefined) return cached
      const text = yield* print(threads, yield* objects.document(hash))
      cache.set(hash, text, text.length)
      return text
    })
  }
})

/**
 * Prints a document as Markdown. If printing takes too much time or memory, returns the document's JSON as a code
 * block.
 */
export const print = (threads: Threads["Service"], document: StoredDocument): Effect.Effect<string, StorageError> =>
  Fallback.withFallback(
    "A document could not be printed as Markdown",
    threads.run(PrintDocument, document),
    Effect.sync(() => jsonCodeBlock(document))
  )
