/** Returns the original source text of a block if its content is unchanged. Moved link targets get their new URL. */
import type { Block, ContentRef } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { exchanged, withoutRefs } from "./LinkDestinations.ts"

export type StyledText = (block: Block) => string | undefined

/**
 * Returns the function for these blocks. Undefined if no block has a source text. `urlOf`: the current URL of a
 * reference.
 */
export const reader = (
  styled: ReadonlyArray<string>,
  blocks: ReadonlyArray<Block>,
  urlOf: (ref: ContentRef) => string
): StyledText | undefined => {
  const known = new Map<string, readonly [text: string, refs: ReadonlyArray<ContentRef>]>()
  for (const text of styled) {
    let keys = 0
    const [block, ...others] = Markdown.parse(text, { nextKey: () => `styled-${++keys}` }).document.nodes
    if (block === undefined || others.length > 0) continue
    const { refs, text: name } = withoutRefs(block)
    if (!known.has(name)) known.set(name, [text, refs])
  }
  const texts = new Map<Block, string>()
  for (const block of known.size === 0 ? [] : blocks) {
    const { refs, text: name } = withoutRefs(block)
    const found = known.get(name)
    if (found === undefined) continue
    const [text, written] = found
    const own = { text, from: 0, urlsOf: (ref: ContentRef) => [RefUrl.toUrl(ref)] }
    const pairs = written.map((ref, i) => [ref, refs[i]!] as const)
    texts.set(block, exchanged(own, pairs, urlOf, false) ?? text)
  }
  return texts.size === 0 ? undefined : (block) => texts.get(block)
}
