/**
 * The Markdown of stored documents. A document never changes under its hash, so what was printed
 * last is kept (default: 32 MiB).
 */
import { Context, Effect, Layer } from "effect"
import type { ObjectHash } from "../storage/ObjectStore.ts"
import type { StorageError } from "../storage/Storage.ts"
import type { Document } from "./Document.ts"
import { Lru } from "./Lru.ts"
import * as Markdown from "./markdown/Markdown.ts"
import { Objects } from "./Objects.ts"

export class Markdowns extends Context.Service<
  Markdowns,
  {
    /** The Markdown of the document with this hash; nothing for a page that has none. */
    readonly of: (document: ObjectHash | undefined) => Effect.Effect<string, StorageError>
  }
>()("@lectern/core/content/Markdowns") {
  static readonly layer = (options: { readonly cacheBytes?: number } = {}) =>
    Layer.effect(
      Markdowns,
      Effect.gen(function* () {
        const objects = yield* Objects
        const printed = new Lru<ObjectHash, string>(options.cacheBytes ?? 32 * 1024 * 1024)
        return Markdowns.of({
          of: Effect.fnUntraced(function* (hash) {
            if (hash === undefined) return ""
            const known = printed.get(hash)
            if (known !== undefined) return known
            const text = Markdown.print(yield* objects.read<Document>(hash))
            printed.set(hash, text, text.length)
            return text
          })
        })
      })
    )
}
