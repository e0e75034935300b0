/** Returns the tags that a content defines, by slug. The last results are cached, up to 1 MiB. */
import { Effect } from "effect"
import { LruCache } from "../../storage/LruCache.ts"
import type { Content } from "../Content.ts"
import * as ContentReader from "../ContentReader.ts"
import { parseValue } from "../documents/StoredDocument.ts"
import { Objects } from "../store/Objects.ts"
import type { Tag } from "./Tag.ts"
import * as TagsYaml from "./TagsYaml.ts"

const noTags: ReadonlyMap<string, Tag> = new Map()

const maxCachedText = 1024 * 1024

export const make = Effect.gen(function* () {
  const objects = yield* Objects
  const cache = new LruCache<string, ReadonlyMap<string, Tag>>(maxCachedText)

  return Effect.fnUntraced(function* (content: Content) {
    const root = content.written
    if (root === undefined || root === null) return noTags
    const cached = cache.get(root)
    if (cached !== undefined) return cached
    const reader = ContentReader.make(objects, content)
    const passthroughFiles = yield* reader.passthroughFiles
    const file = passthroughFiles.find(({ path }) => path === TagsYaml.path || path.endsWith(`/${TagsYaml.path}`))
    const text = file === undefined ? "" : (parseValue(yield* reader.source(file.source)).text ?? "")
    const tags = new Map(TagsYaml.read(text).tags.map((tag) => [tag.slug, tag]))
    cache.set(root, tags, root.length + text.length)
    return tags
  })
})
