/** Look and language of raw Markdown in CodeMirror, in the colors of the editor. */
import { defineLanguageFacet, HighlightStyle, Language, syntaxHighlighting } from "@codemirror/language"
import { type Extension, RangeSetBuilder } from "@codemirror/state"
import { Decoration, EditorView, MatchDecorator, ViewPlugin, type ViewUpdate } from "@codemirror/view"
import { tags } from "@lezer/highlight"
import { GFM, parser } from "@lezer/markdown"

const language = new Language(
  defineLanguageFacet({ commentTokens: { block: { open: "<!--", close: "-->" } } }),
  parser.configure(GFM),
  [],
  "markdown"
)

const highlights = HighlightStyle.define([
  { tag: tags.heading, fontWeight: "700" },
  { tag: tags.strong, fontWeight: "700" },
  { tag: tags.emphasis, fontStyle: "italic" },
  { tag: tags.strikethrough, textDecoration: "line-through" },
  { tag: [tags.link, tags.url], color: "var(--lectern-accent)" },
  { tag: [tags.processingInstruction, tags.comment, tags.contentSeparator], color: "var(--lectern-muted)" },
  { tag: tags.monospace, backgroundColor: "var(--lectern-hover)", borderRadius: "0.2em" }
])

const tag = Decoration.mark({ class: "cm-lectern-tag" })

/** Marks `{% … %}` tags. */
const blockTags = (() => {
  const decorator = new MatchDecorator({ regexp: /\{%[^%\n]*%\}/g, decoration: tag })
  return ViewPlugin.define(
    (view) => {
      const value = {
        decorations: decorator.createDeco(view),
        update: (update: ViewUpdate) => {
          value.decorations = decorator.updateDeco(update, value.decorations)
        }
      }
      return value
    },
    { decorations: (value) => value.decorations }
  )
})()

/** Each line has the direction of its own words. */
const direction = Decoration.line({ attributes: { dir: "auto" } })

const lineDirections = ViewPlugin.define(
  (view) => {
    const directionsIn = ({ state, visibleRanges }: EditorView) => {
      const lines = new RangeSetBuilder<Decoration>()
      for (const { from, to } of visibleRanges)
        for (let line = state.doc.lineAt(from); ; line = state.doc.line(line.number + 1)) {
          lines.add(line.from, line.from, direction)
          if (line.to >= to || line.number === state.doc.lines) break
        }
      return lines.finish()
    }
    const value = {
      decorations: directionsIn(view),
      update: ({ docChanged, view, viewportChanged }: ViewUpdate) => {
        if (docChanged || viewportChanged) value.decorations = directionsIn(view)
      }
    }
    return value
  },
  { decorations: (value) => value.decorations }
)

const styles = EditorView.theme({
  "&": { color: "var(--lectern-text)", backgroundColor: "transparent", fontSize: "0.9375rem" },
  "&.cm-focused": { outline: "none" },
  ".cm-content": { padding: "0", fontFamily: "var(--lectern-mono, ui-monospace, monospace)", lineHeight: "1.7" },
  ".cm-line": { padding: "0 2px" },
  ".cm-cursor": { borderInlineStartColor: "var(--lectern-text)", borderInlineStartWidth: "2px" },
  "&.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground, .cm-selectionBackground": {
    background: "color-mix(in oklab, var(--lectern-accent) 26%, transparent)"
  },
  ".cm-lectern-tag": { color: "light-dark(#7a3fb8, #cda6f5)" },
  ".cm-panels, .cm-tooltip": {
    color: "var(--lectern-text)",
    backgroundColor: "var(--lectern-surface)",
    border: "1px solid var(--lectern-border)",
    borderRadius: "var(--lectern-radius)",
    fontFamily: "system-ui, sans-serif"
  },
  ".cm-panels": { position: "sticky", insetBlockStart: "0", zIndex: "2" },
  ".cm-panel.cm-search": { padding: "0.5rem 2rem 0.5rem 0.5rem" },
  ".cm-button": {
    backgroundImage: "none",
    backgroundColor: "var(--lectern-surface)",
    borderColor: "var(--lectern-border)",
    borderRadius: "0.375rem",
    color: "inherit",
    padding: "0.25rem 0.625rem"
  },
  ".cm-textfield": {
    backgroundColor: "var(--lectern-surface)",
    border: "1px solid light-dark(#858b96, #737a87)",
    borderRadius: "0.375rem",
    color: "inherit",
    padding: "0.25rem 0.5rem"
  },
  ".cm-panel.cm-search [name=close]": { color: "inherit", fontSize: "1.25rem" },
  ".cm-diagnostic": { padding: "0.375rem 0.625rem", fontSize: "0.875rem" },
  ".cm-diagnostic-warning": { borderInlineStart: "4px solid light-dark(#b26a00, #f0b354)" }
})

export const markdownTheme: Extension = [language, syntaxHighlighting(highlights), blockTags, lineDirections, styles]
