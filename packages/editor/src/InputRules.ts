/**
 * Rules for typed Markdown: `# `, `- `, `1. `, `[] `, `> `, three backticks, `---`, `**bold**`, `_italic_`, `~~struck~~`,
 * backticks, `:name:` of an emoji and `[text](url)`. Backspace right after a rule takes it back.
 */
import type { MarkType } from "@lectern/document/vocabulary/MarkTypes"
import { InputRule, inputRules, textblockTypeInputRule, wrappingInputRule } from "prosemirror-inputrules"
import type { Attrs } from "prosemirror-model"
import { NodeSelection, type Plugin, TextSelection } from "prosemirror-state"
import { newBlock } from "./Commands.ts"
import { inlineName, markName, schema } from "./EditorSchema.ts"
import { loadedMarkdown } from "./clipboard/LateMarkdown.ts"

const heading = (level: 1 | 2 | 3) =>
  textblockTypeInputRule(new RegExp(`^#{${level}}\\s$`), schema.nodes[`heading-${level}`]!, { data: {} })

const list = (pattern: RegExp, type: string, attrs: (match: RegExpMatchArray) => Attrs) =>
  wrappingInputRule(pattern, schema.nodes[type]!, attrs)

/** A task in a list of tasks, which a list of bullets becomes. */
const task = new InputRule(/^\[([ x]?)\]\s$/, (state, match, start, end) => {
  const { $from } = state.selection
  if ($from.parent.type.name !== "paragraph") return null
  const data = { checked: match[1] === "x" }
  const tr = state.tr.delete(start, end)
  if ($from.depth >= 2 && $from.node(-1).type.name === "list-item") {
    const list = $from.node(-2)
    tr.setNodeAttribute($from.before(-1), "data", data)
    return list.type.name === "list-tasks"
      ? tr
      : tr.setNodeMarkup($from.before(-2), schema.nodes["list-tasks"]!, list.attrs)
  }
  const range = tr.doc.resolve(start).blockRange()
  const item = schema.nodes["list-item"]!
  return range && tr.wrap(range, [{ type: schema.nodes["list-tasks"]! }, { type: item, attrs: { data } }])
})

/** Replaces the paragraph by a block. */
const block = (pattern: RegExp, type: "code" | "divider", dataOf: (match: RegExpMatchArray) => Attrs | null) =>
  new InputRule(pattern, (state, match, start) => {
    const $start = state.doc.resolve(start)
    if ($start.parent.type.name !== "paragraph" || $start.parent.content.size > match[0].length) return null
    const node = newBlock(type, dataOf(match) ?? undefined)
    const [from, to] = [$start.before(), $start.after()]
    const next = node.isAtom ? [node, schema.node("paragraph")] : [node]
    const tr = state.tr.replaceWith(from, to, next)
    return tr.setSelection(
      node.isAtom
        ? TextSelection.create(tr.doc, from + node.nodeSize + 1)
        : TextSelection.near(tr.doc.resolve(from + 1))
    )
  })

/**
 * The text between two signs gets a mark. `pattern` has the text as its last group, and the character before it as its
 * first.
 */
const marked = (pattern: RegExp, type: MarkType) =>
  new InputRule(pattern, (state, match, start, end) => {
    const [whole, before = "", text = ""] = match
    const $start = state.doc.resolve(start)
    if (text === "" || $start.parent.type.spec.code === true) return null
    const from = start + before.length
    const sign = (whole.length - before.length - text.length) >> 1
    const tr = state.tr
    // The last character is not in the document yet.
    const typed = Math.max(0, from + sign + text.length)
    if (end > typed) tr.delete(typed, end)
    tr.delete(from, from + sign)
    tr.addMark(from, from + text.length, schema.mark(markName(type)))
    return tr.removeStoredMark(schema.marks[markName(type)]!)
  })

const emoji = new InputRule(/:([a-z0-9_+-]{2,64}):$/, (state, match, start, end) => {
  const code = loadedMarkdown()?.codeOfName(match[1]!)
  if (code === undefined || state.doc.resolve(start).parent.type.spec.code === true) return null
  return state.tr.replaceWith(start, end, schema.node(inlineName("emoji"), { data: { code } }))
})

const link = new InputRule(/\[([^[\]]+)\]\((https?:\/\/[^\s()]+|\/[^\s()]*)\)$/, (state, match, start, end) => {
  const [, text = "", url = ""] = match
  const $start = state.doc.resolve(start)
  if ($start.parent.type.spec.code === true) return null
  const mark = schema.mark(inlineName("link"), { data: { ref: { kind: "url", url } } })
  return state.tr.replaceWith(start, end, schema.text(text, mark.addToSet($start.marks())))
})

const math = new InputRule(/\$\$([^$]+)\$\$$/, (state, match, start, end) => {
  const $start = state.doc.resolve(start)
  if ($start.parent.type.spec.code === true) return null
  const tr = state.tr.replaceWith(start, end, schema.node(inlineName("inline-math"), { data: { formula: match[1] } }))
  return tr.setSelection(NodeSelection.create(tr.doc, start))
})

export const markdownRules = (): Plugin =>
  inputRules({
    rules: [
      heading(1),
      heading(2),
      heading(3),
      list(/^[-*]\s$/, "list-unordered", () => ({ data: null })),
      list(/^(\d{1,9})[.)]\s$/, "list-ordered", ([, number = "1"]) => ({
        data: number === "1" ? {} : { start: Number(number) }
      })),
      task,
      wrappingInputRule(/^>\s$/, schema.nodes["blockquote"]!),
      block(/^```([\w+#-]{0,40})\s$/, "code", ([, syntax = ""]) => (syntax === "" ? {} : { syntax })),
      block(/^---$/, "divider", () => null),
      marked(/(^|[^*])\*\*([^*\s](?:[^*]*[^*\s])?)\*\*$/, "bold"),
      marked(/(^|[^\w_])_([^_\s](?:[^_]*[^_\s])?)_$/, "italic"),
      marked(/(^|[^*])\*([^*\s](?:[^*]*[^*\s])?)\*$/, "italic"),
      marked(/(^|[^~])~~([^~\s](?:[^~]*[^~\s])?)~~$/, "strikethrough"),
      marked(/(^|[^`])`([^`]+)`$/, "code"),
      emoji,
      link,
      math
    ]
  })
