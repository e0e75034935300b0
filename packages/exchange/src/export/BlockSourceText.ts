/** Returns the original source text of a block if its content is unchanged. Moved link targets get their new URL. */
import type { Block, ContentRef } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as RefUrl from "@lectern/document/markdown/RefUrl"
import { replaceDestinations, withoutRefs } from "./LinkDestinations.ts"

export type BlockSourceText = (block: Block) => string | undefined

/**
 * Returns a function from a block to its source text. Undefined if no block has a source text. `urlOf`: returns the
 * current URL of a reference.
 */
export const blockSourceTexts = (
  styled: ReadonlyArray<string>,
  blocks: ReadonlyArray<Block>,
  urlOf: (ref: ContentRef) => string
): BlockSourceText | undefined => {
  const sourcesByContent = new Map<string, readonly [text: string, refs: ReadonlyArray<ContentRef>]>()
  for (const text of styled) {
    let keys = 0
    const [block, ...others] = Markdown.parse(text, { nextKey: () => `styled-${++keys}` }).document.nodes
    if (block === undefined || others.length > 0) continue
    const { refs, text: content } = withoutRefs(block)
    if (!sourcesByContent.has(content)) sourcesByContent.set(content, [text, refs])
  }
  const texts = new Map<Block, string>()
  for (const block of sourcesByContent.size === 0 ? [] : blocks) {
    const { refs, text: content } = withoutRefs(block)
    const source = sourcesByContent.get(content)
    if (source === undefined) continue
    const [text, sourceRefs] = source
    const body = { text, from: 0, urlsOf: (ref: ContentRef) => [RefUrl.toUrl(ref)] }
    const pairs = sourceRefs.map((ref, i) => [ref, refs[i]!] as const)
    texts.set(block, replaceDestinations(body, pairs, urlOf, false) ?? text)
  }
  return texts.size === 0 ? undefined : (block) => texts.get(block)
}
