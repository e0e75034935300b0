/**
 * Replaces outdated link destinations in the text of a page. Destinations are outdated if their targets have new paths.
 * Nothing else of the text changes. The caller verifies the result by parsing it.
 */
import { align } from "@lectern/document/alignment/DocumentAlignment"
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import * as Syntax from "@lectern/document/markdown/Syntax"
import type { Node } from "@lectern/document/markdown/syntax/SyntaxTree"

/** References at the same position: in the text, and in the current document. */
type Pair = readonly [was: ContentRef, is: ContentRef]

interface Written {
  /** Text as normalized by `Syntax.normalise`. */
  readonly text: string
  /** Start offset of the body, after the front matter. */
  readonly from: number
  /** Returns the URLs in the text that were parsed as a reference. */
  readonly urlsOf: (ref: ContentRef) => Iterable<string>
}

/**
 * Returns the text with new destinations. Undefined if nothing changes. `isBare`: HTML stays unchanged, since not all
 * HTML can be parsed.
 */
export const exchanged = (
  { text, from, urlsOf }: Written,
  pairs: Iterable<Pair>,
  urlOf: (ref: ContentRef) => string,
  isBare: boolean
): string | undefined => {
  const wanted = new Map<string, string | undefined>()
  for (const [was, is] of pairs) {
    const to = urlOf(is)
    // If a destination would have two new values, it stays. The blocks are then printed without their source.
    for (const url of urlsOf(was)) wanted.set(url, !wanted.has(url) || wanted.get(url) === to ? to : undefined)
  }
  const changed = new Map<string, string>()
  for (const [url, to] of wanted) if (to !== undefined && url !== to) changed.set(url, to)
  if (changed.size === 0) return undefined
  let written = ""
  let done = 0
  for (const { at, url, to } of destinations(text, from, changed, isBare)) {
    if (at < done) continue
    written += text.slice(done, at) + to
    done = at + url.length
  }
  return done === 0 ? undefined : written + text.slice(done)
}

/** Returns the destinations to replace, in order. */
const destinations = (text: string, from: number, changed: ReadonlyMap<string, string>, isBare: boolean) => {
  const found: Array<{ readonly at: number; readonly url: string; readonly to: string }> = []
  const add = (url: string, at: number) => {
    const to = changed.get(url)
    if (to !== undefined && at !== -1) found.push({ at, url, to })
  }
  const open: Array<Node> = [Syntax.parse(text, { from })]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    const part = () => text.slice(node!.from, node!.to)
    if (node.type === "link" || node.type === "image") {
      add(node.url, text.indexOf(node.url, node.from + part().lastIndexOf("](") + 2))
    } else if (node.type === "definition") add(node.url, text.indexOf(node.url, node.from + part().indexOf("]:") + 2))
    else if (node.type === "tag" || (node.type === "html" && !isBare)) {
      for (const { 0: whole, 2: url = "", index } of part().matchAll(/=\s*(["'])([^"']*)\1/g)) {
        add(url, node.from + index + whole.length - 1 - url.length)
      }
    }
    if ("children" in node) open.push(...node.children)
  }
  return found.sort((a, b) => a.at - b.at)
}

/** Yields the reference pairs of blocks that differ only in their references, including nested blocks. */
export function* pairs(read: Document, document: Document): Generator<Pair> {
  const byKey = new Map(align(document, read).nodes.map((block) => [block.key, block]))
  const open = document.nodes.map((block) => [byKey.get(block.key), block] as const)
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const [was, is] = next
    if (was === undefined || was === is) continue
    const [one, other] = [withoutRefs(was), withoutRefs(is)]
    if (one.text === other.text) {
      for (const [i, ref] of one.refs.entries()) yield [ref, other.refs[i]!]
      continue
    }
    const children = new Map((was.nodes ?? []).map((node) => ["key" in node ? node.key : undefined, node]))
    for (const child of is.nodes ?? []) {
      const known = "key" in child && child.key !== undefined ? children.get(child.key) : undefined
      if (child.object === "block" && known?.object === "block") open.push([known, child])
    }
  }
}

/** Returns a block without keys and references as text, and its references. */
export const withoutRefs = (block: Block): { readonly text: string; readonly refs: ReadonlyArray<ContentRef> } => {
  const refs: Array<ContentRef> = []
  const document: Document = { object: "document", data: {}, nodes: [block] }
  const erased = DocumentRefs.mapRefs(document, (ref) => {
    refs.push(ref)
    return { kind: "url", url: "" }
  })
  return { text: JSON.stringify(erased, (name, value: unknown) => (name === "key" ? undefined : value)), refs }
}
