/** How Markdown is parsed: the syntax of CommonMark, GFM, tags, formulas and emoji, and the tree that it gives. */
import type { Node, Root } from "mdast"
import { type Extension as FromMarkdownExtension, fromMarkdown } from "mdast-util-from-markdown"
import { gfmFromMarkdown } from "mdast-util-gfm"
import { combineExtensions } from "micromark-util-combine-extensions"
import type { Extension } from "micromark-util-types"
import * as EmojiSyntax from "./EmojiSyntax.ts"
import * as FencedCode from "./FencedCode.ts"
import * as GfmSyntax from "./GfmSyntax.ts"
import { isHostile } from "./HostileText.ts"
import * as MathSyntax from "./MathSyntax.ts"
import * as SyntaxLimits from "./SyntaxLimits.ts"
import * as TagSyntax from "./TagSyntax.ts"

// The transforms of the GFM extension find more autolinks by searching the text anew; the syntax
// has found those of the specification, and the search takes quadratic time on hostile text.
const mdastExtensions: Array<FromMarkdownExtension> = [
  ...gfmFromMarkdown().map(({ transforms: _, ...extension }) => extension),
  TagSyntax.fromMarkdown,
  MathSyntax.fromMarkdown,
  EmojiSyntax.fromMarkdown
]

// The same for every text, and joined once.
const always = combineExtensions([SyntaxLimits.limits, TagSyntax.syntax, EmojiSyntax.syntax]) as Extension

/**
 * The tree of a text that is normalised and has no front matter; undefined where the text is hostile.
 * Its positions mean nothing.
 */
export const parse = (body: string): Root | undefined => {
  if (isHostile(trim(body))) return undefined
  const aside = FencedCode.setAside(body)
  if (aside === undefined) return parseWhole(body)
  const root = parseWhole(aside.text)
  return FencedCode.putBack(root, aside.codes) ? root : parseWhole(body)
}

/** The same without setting anything aside. */
export const parseWhole = (body: string): Root =>
  fromMarkdown(body, {
    extensions: [always, GfmSyntax.syntaxOf(body), MathSyntax.syntaxOf(body)],
    mdastExtensions
  })

/** A tree as text, for another thread; its positions, which nobody asks for, are taken away. */
export const toJson = (root: Root): string => {
  const open: Array<Node & { readonly children?: ReadonlyArray<Node> }> = [root]
  for (let node = open.pop(); node !== undefined; node = open.pop()) {
    delete node.position
    for (const child of node.children ?? []) open.push(child)
  }
  return JSON.stringify(root)
}

export const fromJson = (text: string): Root => JSON.parse(text)

export const trim = (body: string): string => body.replace(/^\n+/, "").trimEnd()

/** A text as it is parsed: its lines end with a line feed alone. */
export const normalise = (text: string): string => text.replace(/^\uFEFF/, "").replace(/\r\n?/g, "\n")
