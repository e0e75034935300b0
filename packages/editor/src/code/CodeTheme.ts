/** Look of blocks of code in CodeMirror, in the colors of the editor. */
import { syntaxHighlighting } from "@codemirror/language"
import type { Extension } from "@codemirror/state"
import { EditorView } from "@codemirror/view"
import { classHighlighter } from "@lezer/highlight"

const styles = EditorView.theme({
  "&": { color: "inherit", backgroundColor: "transparent" },
  "&.cm-focused": { outline: "none" },
  ".cm-scroller": { fontFamily: "inherit", lineHeight: "inherit" },
  ".cm-content": { padding: "0", caretColor: "var(--lectern-text)", tabSize: "2" },
  ".cm-line": { padding: "0 2px" },
  ".cm-gutters": {
    border: "0",
    color: "var(--lectern-muted)",
    backgroundColor: "var(--lectern-hover)"
  },
  ".cm-highlighted": { backgroundColor: "color-mix(in oklab, var(--lectern-accent) 14%, transparent)" },
  ".cm-found": { backgroundColor: "light-dark(#ffe58f, #6b5200)" },
  ".cm-found-current": { backgroundColor: "light-dark(#ffb84d, #a36a00)" },
  ".tok-comment": { color: "light-dark(#5c626d, #a3a9b5)" },
  ".tok-keyword, .tok-operatorKeyword, .tok-bool, .tok-atom": { color: "light-dark(#a0268f, #f0a3e6)" },
  ".tok-string, .tok-string2, .tok-link, .tok-url": { color: "light-dark(#1b6b3a, #8fdcab)" },
  ".tok-number": { color: "light-dark(#9a4a00, #f5b982)" },
  ".tok-typeName, .tok-className, .tok-namespace, .tok-labelName": { color: "light-dark(#8a5200, #f0cb7d)" },
  ".tok-definition, .tok-macroName, .tok-heading": { color: "light-dark(#2457d6, #8fb0ff)" },
  ".tok-propertyName, .tok-variableName2, .tok-meta": { color: "light-dark(#0a6375, #86d5e6)" }
})

export const codeTheme: Extension = [syntaxHighlighting(classHighlighter), styles]
