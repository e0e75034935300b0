/**
 * Highlights blocks of code. The languages load when a document has such a block; until then, and in an unknown
 * language, code is plain text. Typing never waits: a block is highlighted again after a pause of 200 ms.
 *
 * Limit: 50,000 characters of a block, as in sites. A larger block stays plain.
 */
import type { Node } from "prosemirror-model"
import { type EditorState, Plugin, PluginKey } from "prosemirror-state"
import { Decoration, DecorationSet, type EditorView } from "prosemirror-view"
import type { CodeToken } from "./CodeLanguages.ts"

const maxCharacters = 50_000
const pause = 200

interface CodeBlock {
  readonly node: Node
  readonly position: number
}

/** Tokens of a block in its lines. */
interface HighlightedBlock extends CodeBlock {
  readonly tokens: ReadonlyArray<CodeToken>
}

const highlightKey = new PluginKey<DecorationSet>("codeHighlights")

const textOf = (code: Node): string => code.children.map(({ textContent }) => textContent).join("\n")

const syntaxOf = ({ attrs }: Node): string => {
  const syntax: unknown = attrs["data"]?.syntax
  return typeof syntax === "string" ? syntax : ""
}

const codeBlocks = (doc: Node): ReadonlyArray<CodeBlock> => {
  const found: Array<CodeBlock> = []
  doc.descendants((node, position) => {
    if (node.type.name === "code") found.push({ node, position })
    return !node.isTextblock && node.type.name !== "code"
  })
  return found
}

/** Returns the decorations of a block. A token of several lines has one in each. */
const decorationsOf = ({ node, position, tokens }: HighlightedBlock): Array<Decoration> => {
  const decorations: Array<Decoration> = []
  let line = 0
  let start = 0
  for (const { classes, from, to } of tokens) {
    while (line < node.childCount - 1 && start + node.child(line).content.size < from) {
      start += node.child(line).content.size + 1
      line++
    }
    let [lastLine, lastStart] = [line, start]
    while (lastLine < node.childCount && lastStart < to) {
      const end = lastStart + node.child(lastLine).content.size
      const [first, last] = [Math.max(from, lastStart), Math.min(to, end)]
      // Each line before has one position more than the text has line feeds.
      const offset = position + 2 + lastLine
      if (first < last) decorations.push(Decoration.inline(offset + first, offset + last, { class: classes }))
      lastStart = end + 1
      lastLine++
    }
  }
  return decorations
}

export const codeHighlights = (): Plugin<DecorationSet> =>
  new Plugin<DecorationSet>({
    key: highlightKey,
    state: {
      init: () => DecorationSet.empty,
      apply: (tr, before) => {
        const blocks: ReadonlyArray<HighlightedBlock> | undefined = tr.getMeta(highlightKey)
        let set = tr.docChanged ? before.map(tr.mapping, tr.doc) : before
        for (const block of blocks ?? []) {
          const end = block.position + block.node.nodeSize
          set = set.remove(set.find(block.position, end)).add(tr.doc, decorationsOf(block))
        }
        return set
      }
    },
    props: { decorations: (state) => highlightKey.getState(state) },
    view: (view) => {
      /** Blocks whose highlights are those of their text. */
      const done = new WeakSet<Node>()
      let timer: ReturnType<typeof setTimeout> | undefined
      const schedule = (milliseconds: number) => {
        clearTimeout(timer)
        timer = setTimeout(() => {
          highlight().catch(() => undefined)
        }, milliseconds)
      }
      const isWaiting = ({ node }: CodeBlock) => !done.has(node) && node.content.size <= maxCharacters
      const highlight = async () => {
        // An input method would lose its composition.
        if (view.composing) return schedule(pause)
        const waiting = codeBlocks(view.state.doc).filter(isWaiting)
        if (waiting.length === 0) return
        const { tokensOf } = await import("./CodeLanguages.ts")
        const tokens = new Map<Node, ReadonlyArray<CodeToken>>()
        for (const { node } of waiting) {
          const syntax = syntaxOf(node)
          tokens.set(node, (syntax === "" ? undefined : await tokensOf(textOf(node), syntax)) ?? [])
        }
        if (view.isDestroyed || view.composing) return schedule(pause)
        // Blocks that changed in the meantime wait for the next pause.
        const highlighted = codeBlocks(view.state.doc).flatMap(({ node, position }): Array<HighlightedBlock> => {
          const found = tokens.get(node)
          return found === undefined ? [] : [{ node, position, tokens: found }]
        })
        for (const { node } of highlighted) done.add(node)
        if (highlighted.length > 0) view.dispatch(view.state.tr.setMeta(highlightKey, highlighted))
      }
      schedule(0)
      return {
        update: ({ state }: EditorView, before: EditorState) => {
          if (before.doc !== state.doc) schedule(pause)
        },
        destroy: () => clearTimeout(timer)
      }
    }
  })
