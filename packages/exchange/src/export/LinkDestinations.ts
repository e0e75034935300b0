/**
 * Replaces outdated link destinations in the text of a page. Destinations are outdated if their targets have new paths.
 * Nothing else of the text changes. The caller verifies the result by parsing it.
 */
import { align } from "@lectern/document/alignment/DocumentAlignment"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Node } from "@lectern/document/markdown/syntax/SyntaxTree"

/** Target of one link: first in the source text, then in the current document. */
type ReferencePair = readonly [source: ContentRef, current: ContentRef]

interface SourceBody {
  /** Text with normalized line ends, as the Markdown parser reads it. */
  readonly text: string
  /** Start offset of the body, after the front matter. */
  readonly from: number
  /** Returns the URLs in the text that were parsed as a reference. */
  readonly urlsOf: (ref: ContentRef) => Iterable<string>
}

/**
 * Returns the text with new destinations. Undefined if nothing changes. `skipsHtml`: true to leave HTML unchanged,
 * since not all HTML can be parsed.
 */
export const replaceDestinations = (
  { text, from, urlsOf }: SourceBody,
  pairs: Iterable<ReferencePair>,
  urlOf: (ref: ContentRef) => string,
  skipsHtml: boolean
): string | undefined => {
  const replacements = new Map<string, string | undefined>()
  for (const [before, after] of pairs) {
    const to = urlOf(after)
    // A destination with two different new values stays unchanged. The blocks that contain it are then printed without
    // their source.
    for (const url of urlsOf(before))
      replacements.set(url, !replacements.has(url) || replacements.get(url) === to ? to : undefined)
  }
  const changedUrls = new Map<string, string>()
  for (const [url, to] of replacements) if (to !== undefined && url !== to) changedUrls.set(url, to)
  if (changedUrls.size === 0) return undefined
  let result = ""
  let end = 0
  for (const { at, url, to } of destinations(text, from, changedUrls, skipsHtml)) {
    if (at < end) continue
    result += text.slice(end, at) + to
    end = at + url.length
  }
  return end === 0 ? undefined : result + text.slice(end)
}

/** Returns the destinations to replace, in order. */
const destinations = (text: string, from: number, changedUrls: ReadonlyMap<string, string>, skipsHtml: boolean) => {
  const outdatedDestinations: Array<{ readonly at: number; readonly url: string; readonly to: string }> = []
  const add = (url: string, at: number) => {
    const to = changedUrls.get(url)
    if (to !== undefined && at !== -1) outdatedDestinations.push({ at, url, to })
  }
  const pending: Array<Node> = [Syntax.parse(text, { from })]
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const part = () => text.slice(node!.from, node!.to)
    if (node.type === "link" || node.type === "image") {
      add(node.url, text.indexOf(node.url, node.from + part().lastIndexOf("](") + 2))
    } else if (node.type === "definition") add(node.url, text.indexOf(node.url, node.from + part().indexOf("]:") + 2))
    else if (node.type === "tag" || (node.type === "html" && !skipsHtml)) {
      for (const { 0: match, 2: url = "", index } of part().matchAll(/=\s*(["'])([^"']*)\1/g)) {
        add(url, node.from + index + match.length - 1 - url.length)
      }
    }
    if ("children" in node) pending.push(...node.children)
  }
  return outdatedDestinations.sort((a, b) => a.at - b.at)
}

/** Yields the reference pairs of blocks that differ only in their references, including nested blocks. */
export function* referencePairs(parsed: Document, document: Document): Generator<ReferencePair> {
  const byKey = new Map(align(document, parsed).nodes.map((block) => [block.key, block]))
  const pending = document.nodes.map((block) => [byKey.get(block.key), block] as const)
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const [before, after] = next
    if (before === undefined || before === after) continue
    const [source, current] = [withoutRefs(before), withoutRefs(after)]
    if (source.text === current.text) {
      for (const [i, ref] of source.refs.entries()) yield [ref, current.refs[i]!]
      continue
    }
    const children = new Map((before.nodes ?? []).map((node) => ["key" in node ? node.key : undefined, node]))
    for (const child of after.nodes ?? []) {
      const sourceChild = "key" in child && child.key !== undefined ? children.get(child.key) : undefined
      if (child.object === "block" && sourceChild?.object === "block") pending.push([sourceChild, child])
    }
  }
}

/** Returns a block without keys and references as text, and its references. */
export const withoutRefs = (block: Block): { readonly text: string; readonly refs: ReadonlyArray<ContentRef> } => {
  const refs: Array<ContentRef> = []
  const document: Document = { object: "document", data: {}, nodes: [block] }
  const blockWithoutRefs = DocumentRefs.mapRefs(document, (ref) => {
    refs.push(ref)
    return { kind: "url", url: "" }
  })
  return {
    text: JSON.stringify(blockWithoutRefs, (name, value: unknown) => (name === "key" ? undefined : value)),
    refs
  }
}
