/**
 * Anchors within pages and reusable contents: their own headings and those of what they include. Headings that
 * are made of an OpenAPI spec are not known, so where a page shows one, any anchor counts as there.
 */
import { Effect } from "effect"
import * as Anchors from "@lectern/document/Anchors"
import type { Content } from "../content/Content.ts"
import { type DocumentLinks, relationOf } from "@lectern/document/DocumentLinks"
import type { ObjectReader } from "../content/store/Objects.ts"
import * as LinkMap from "../content/pages/LinkMap.ts"
import type { StorageError } from "../storage/Storage.ts"

export interface LinkAnchors {
  /** The id of the heading that a fragment names; undefined where there is none. */
  readonly find: (source: string, fragment: string) => string | undefined
}

/** Includes nest that deep at most; what is further down has no anchors. */
const maxDepth = 10

const includes = ({ links }: DocumentLinks): ReadonlyArray<string> =>
  links.flatMap((link) => {
    const id = relationOf(link) === "dependsOn" ? /^\/reusable-contents\/([\w-]+)$/.exec(link[0])?.[1] : undefined
    return id === undefined ? [] : LinkMap.sourceOfReusable(id)
  })

const showsSpec = ({ links }: DocumentLinks): boolean =>
  links.some((link) => relationOf(link) === "dependsOn" && link[0].startsWith("/openapi/"))

/** Of these sources; `known` is what was read of them already. */
export const load = Effect.fnUntraced(function* (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>,
  known: ReadonlyMap<string, DocumentLinks>,
  isComputed: (source: string) => boolean
) {
  const all = new Map<string, DocumentLinks>()
  let level: ReadonlyArray<string> = [...new Set(sources)]
  for (let depth = 0; level.length > 0 && depth < maxDepth; depth++) {
    const missing = level.filter((source) => !known.has(source))
    const read = missing.length === 0 ? known : yield* LinkMap.at(reader, content, missing)
    const next = new Set<string>()
    for (const source of level) {
      const links = known.get(source) ?? read.get(source)
      if (links === undefined) continue
      all.set(source, links)
      for (const included of includes(links)) if (!all.has(included)) next.add(included)
    }
    level = [...next]
  }

  const find = (source: string, fragment: string): string | undefined => {
    if (isComputed(source)) return fragment
    const seen = new Set<string>()
    const open = [source]
    let mayHave = false
    for (let next = open.pop(); next !== undefined; next = open.pop()) {
      const links = all.get(next)
      if (links === undefined || seen.has(next)) continue
      const found = Anchors.find(links.anchors, fragment)
      if (found !== undefined) return found
      mayHave ||= showsSpec(links)
      seen.add(next)
      open.push(...includes(links))
    }
    return mayHave ? fragment : undefined
  }
  return { find } satisfies LinkAnchors
}) as (
  reader: ObjectReader,
  content: Content,
  sources: ReadonlyArray<string>,
  known: ReadonlyMap<string, DocumentLinks>,
  isComputed: (source: string) => boolean
) => Effect.Effect<LinkAnchors, StorageError>
