/** How Markdown is written: CommonMark, GFM and tags (`Syntax` is how it is read). */
import { gfmToMarkdown } from "mdast-util-gfm"
import type { Link, ListItem, Table, Text } from "mdast"
import { defaultHandlers, type Handle, type Info, type Options, type State } from "mdast-util-to-markdown"
import * as BlockSpacing from "./BlockSpacing.ts"
import type { EmojiNode, InlineMathNode, MathNode, TagBlockNode, VerbatimNode } from "./BlocksToMarkdown.ts"
import * as Emoji from "./Emoji.ts"
import type { EscapedText } from "./InlinesToMarkdown.ts"
import * as TagLine from "./TagLine.ts"

const tagBlock: Handle = (node: TagBlockNode, _parent, state, info) => {
  const open = TagLine.print(node.line)
  if (!node.hasEnd) return open
  const close = TagLine.print({ name: `end${node.line.name}`, attributes: [] })
  const exit = state.enter("tagBlock")
  const content = state.containerFlow({ type: "root", children: node.children }, info)
  exit()
  if (content === "") return `${open}\n${close}`
  // HTML goes on to the next blank line.
  const gap = node.children.at(-1)?.type === "html" ? "\n\n" : "\n"
  return `${open}\n${content}${gap}${close}`
}

/** A marker has nine digits at most: a list that would pass them repeats its number. */
const listItem: Handle = (node: ListItem, parent, state, info) => {
  const last = parent?.type === "list" ? (parent.start ?? 0) + parent.children.length : 0
  state.options.incrementListMarker = last <= 999_999_999
  return defaultHandlers.listItem(node, parent, state, info)
}

/** Not aligned: a change of one cell is a change of one line, and a wide cell does not widen every row. */
const table: Handle = (node: Table, _parent, state, info) => {
  const exit = state.enter("table")
  const lines = node.children.map((row) => tableLine(row.children.map((cell) => state.handle(cell, row, state, info))))
  exit()
  const delimiters = (node.align ?? []).map((align) =>
    align === "left" ? ":---" : align === "right" ? "---:" : align === "center" ? ":---:" : "---"
  )
  lines.splice(1, 0, tableLine(delimiters))
  return lines.join("\n")
}

const tableLine = (cells: ReadonlyArray<string>): string => (cells.length === 0 ? "|" : `| ${cells.join(" | ")} |`)

const verbatim: Handle = (node: VerbatimNode) => node.value

/** `<…>` takes fewer addresses than those that are links by themselves in GFM. */
const isAddress =
  /^mailto:[\w.!#$%&'*+/=?^`{|}~-]+@[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?(?:\.[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?)*$/i

const link: Handle & { peek?: Handle } = (node: Link, parent, state, info) =>
  withResource(node, state, () => defaultHandlers.link(node, parent, state, info))
link.peek = (node: Link, parent, state) =>
  withResource(node, state, () => defaultHandlers.link.peek(node, parent, state))

const withResource = (node: Link, state: State, write: () => string): string => {
  const isShort = node.url.startsWith("mailto:") ? isAddress.test(node.url) : !node.url.includes("|")
  if (isShort) return write()
  state.options.resourceLink = true
  const written = write()
  state.options.resourceLink = false
  return written
}

/**
 * Whether nothing in it could be read as anything else, which is told in a fraction of the time that
 * the library looks for each of its patterns, and is so of most text.
 */
const isInnocent = ({ value, hasFormula }: EscapedText, { stack }: State, { before, after }: Info): boolean => {
  if (value === "" || hasFormula === true || meaningful.test(value)) return false
  if (value.includes("\n") && (stack.includes("tableCell") || stack.includes("headingAtx"))) return false
  if (endsLine.test(before) && !startsWord.test(value)) return false
  return !(/^[\r\n]/.test(after) && /[ \t]$/.test(value))
}

const meaningful = /[\\#&*<[\]_`~|@$\r\t{}]|[wW]\.|:(?! )|!$|^\(|[ \n]\n|\n(?![a-zA-Z])/
const endsLine = /[\r\n]$/
const startsWord = /^[a-zA-Z\u00c0-\u1fff]/

/** An address goes on over a backslash and marks, so its first dot is escaped before those as well. */
const withoutAddress = (written: string, after: string): string =>
  /www\.(?:\\|$)/i.test(written)
    ? written.replace(/(www)\.(?=\\|$)/gi, (name, _, at: number) =>
        at + name.length === written.length && /^(?:\s|$)/.test(after) ? name : `${name.slice(0, 3)}\\.`
      )
    : written

/** Besides what the library escapes, what would be an emoji or a formula. */
const text: Handle = (node: Text, _parent, state, info) => {
  if (isInnocent(node as EscapedText, state, info)) return node.value
  const safe = state.safe(node.value, info)
  if (state.stack.includes("autolink")) return safe
  const written = withoutAddress(safe, info.after)
  const escaped =
    written.includes(":") && node.value.includes(":")
      ? Emoji.escaped(written + info.after.slice(0, 1), "\\:").slice(0, -info.after.slice(0, 1).length || undefined)
      : written
  return (node as EscapedText).hasFormula === true ? escaped.replaceAll("$", "\\$") : escaped
}

/** By its name, unless it has none or a letter before it would make text of it. */
const emoji: Handle & { peek?: Handle } = (node: EmojiNode, _parent, _state, info) => {
  const name = Emoji.nameOfCode(node.value)
  return name === undefined || /[a-zA-Z0-9]$/.test(info.before) ? Emoji.charactersOf(node.value) : `:${name}:`
}
emoji.peek = () => ":"

/** A formula that can't stand between `$$` is text. */
const inlineMath: Handle & { peek?: Handle } = (node: InlineMathNode, _parent, state, info) =>
  isFormula.test(node.value) ? `$$${node.value}$$` : state.safe(node.value, info)
inlineMath.peek = () => "$"

const isFormula = /^(?!\s)(?:[^$\\\s]|\\[^\n]|[^\S\n](?!$))+$/

const math: Handle = (node: MathNode) => (node.value === "" ? "$$\n$$" : `$$\n${node.value}\n$$`)

/** A line of text that could be read as a tag; one that goes on after its `%}` is none. */
const tagLike = `%(?!(?:[^"'\\\\\\n%]|"[^"\\\\\\n]*"|'[^'\\\\\\n]*'|%(?!\\}))*%\\}[ \\t]*[^\\s])`

export const toMarkdown: Options = {
  bullet: "*",
  bulletOther: "+",
  rule: "*",
  emphasis: "_",
  fences: true,
  listItemIndent: "one",
  resourceLink: false,
  join: [BlockSpacing.join],
  unsafe: [
    { atBreak: true, character: "{", after: tagLike },
    // The library's own patterns take the line feed too, and then miss the same on the next line.
    { atBreak: true, character: "-", after: "(?=[ \t\r\n-])" },
    { atBreak: true, character: "+", after: "(?=[ \t\r\n])" },
    { atBreak: true, before: "\\d+", character: ".", after: "(?=[ \t\r\n]|$)" }
  ],
  extensions: [
    gfmToMarkdown({ tablePipeAlign: false }),
    { handlers: { emoji, inlineMath, link, listItem, math, table, tagBlock, text, verbatim } }
  ]
}

declare module "mdast-util-to-markdown" {
  interface ConstructNameMap {
    tagBlock: "tagBlock"
  }
}
