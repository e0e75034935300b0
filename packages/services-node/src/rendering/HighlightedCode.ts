/**
 * Highlights code. Each kind of token gets a one-letter class, and a style sheet sets the colors, so the HTML is equal
 * in all themes. A grammar is loaded when code of its language first appears.
 *
 * Limits: 2,000 characters and half a second of processor time per line. A longer line is plain text. After the time
 * limit, the rest of a line is plain text. The limit uses the thread's processor time and not the clock, so that
 * results do not depend on the load of the machine.
 */
import { createHighlighterCore, type HighlighterCore, type LanguageInput, type ThemeRegistration } from "@shikijs/core"
import {
  EncodedTokenMetadata,
  type IGrammar,
  INITIAL,
  type ITokenizeLineResult2,
  type StateStack
} from "@shikijs/core/textmate"
import { createOnigurumaEngine } from "@shikijs/engine-oniguruma"
import { escape } from "@lectern/site/html/Html"
import { grammarOf } from "./LanguageNames.ts"

/** TextMate scopes by kind of token. `CodeColors` in the package for sites has the colors. */
const kinds = {
  c: ["comment", "punctuation.definition.comment"],
  s: ["string", "punctuation.definition.string", "markup.inline.raw", "markup.fenced_code"],
  r: ["string.regexp", "constant.character.escape", "punctuation.definition.template-expression"],
  n: ["constant", "support.constant", "keyword.other.unit"],
  k: ["keyword", "storage", "variable.language", "keyword.operator.new", "keyword.operator.expression"],
  o: ["keyword.operator", "storage.type.function.arrow"],
  f: ["entity.name.function", "support.function", "meta.function-call.generic", "entity.name.command"],
  t: ["entity.name.type", "entity.name.class", "entity.other.inherited-class", "support.type", "support.class"],
  g: ["entity.name.tag", "punctuation.definition.tag", "markup.heading", "entity.name.section"],
  a: ["entity.other.attribute-name", "support.type.property-name", "meta.object-literal.key", "variable.parameter"],
  i: ["markup.inserted"],
  d: ["markup.deleted"]
} as const

/** A theme whose colors encode the letters. */
const theme: ThemeRegistration = {
  name: "letters",
  type: "light",
  colors: { "editor.foreground": "#000000", "editor.background": "#ffffff" },
  settings: [
    { settings: { foreground: "#000000" } },
    { scope: ["meta.template.expression", "meta.embedded"], settings: { foreground: "#000000" } },
    ...Object.entries(kinds).map(([letter, scope]) => ({
      scope: [...scope],
      settings: { foreground: colorOf(letter) }
    }))
  ]
}

function colorOf(letter: string): string {
  return `#0000${letter.charCodeAt(0).toString(16)}`
}

const classOf = (color: string | undefined): string | undefined => {
  const letter = /^#0000([0-9a-f]{2})$/i.exec(color ?? "")?.[1]
  const code = letter === undefined ? 0 : Number.parseInt(letter, 16)
  return code === 0 ? undefined : String.fromCharCode(code)
}

let highlighter: Promise<HighlighterCore> | undefined
const loadedLanguages = new Map<string, Promise<boolean>>()

const load = (syntax: string): Promise<boolean> => {
  let loading = loadedLanguages.get(syntax)
  if (loading === undefined) {
    loading = (async () => {
      const core = await (highlighter ??= createHighlighterCore({
        themes: [theme],
        engine: createOnigurumaEngine(import("@shikijs/engine-oniguruma/wasm-inlined"))
      }))
      const grammar = (await import(`@shikijs/langs/${syntax}`)) as { readonly default: LanguageInput }
      await core.loadLanguage(grammar.default)
      return true
    })().catch((failure: NodeJS.ErrnoException) => {
      if (failure.code === "ERR_PACKAGE_PATH_NOT_EXPORTED") return false
      throw failure
    })
    loadedLanguages.set(syntax, loading)
  }
  return loading
}

const maxLine = 2_000
const maxProcessor = 500

/** Returns the processor time that this thread has used (ms). */
const processor = (): number => {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/**
 * Tokenizes a line. A grammar stops only by the clock. If a busy machine or an uncompiled grammar stops it before the
 * line has used its processor time, it starts again with twice the time.
 */
const markLine = (grammar: IGrammar, line: string, state: StateStack): ITokenizeLineResult2 => {
  const startedAt = processor()
  for (let timeLimit = maxProcessor; ; timeLimit *= 2) {
    const highlighted = grammar.tokenizeLine2(line, state, timeLimit)
    if (!highlighted.stoppedEarly || processor() - startedAt >= maxProcessor) return highlighted
  }
}

const html = (line: string, tokens: Uint32Array, colors: ReadonlyArray<string>): string => {
  let html = ""
  let from = 0
  let letter: string | undefined
  const closeAt = (to: number) => {
    const text = escape(line.slice(from, to))
    html += letter === undefined ? text : `<span class="${letter}">${text}</span>`
    from = to
  }
  for (let i = 0; i < tokens.length; i += 2) {
    const start = tokens[i]!
    const isBlank = line.slice(start, tokens[i + 2]).trim() === ""
    const next = isBlank ? letter : classOf(colors[EncodedTokenMetadata.getForeground(tokens[i + 1]!)])
    if (next !== letter) {
      closeAt(start)
      letter = next
    }
  }
  closeAt(line.length)
  return html
}

/** Returns highlighted lines as HTML. `written` is the name of the language. Undefined if the language is unknown. */
export const render = async (code: string, language: string): Promise<ReadonlyArray<string> | undefined> => {
  const syntax = grammarOf(language)
  if (!/^[a-z][a-z0-9+#.-]*$/.test(syntax) || syntax === "text" || !(await load(syntax))) return undefined
  const core = await highlighter!
  const { colorMap } = core.setTheme(theme.name!)
  const grammar = core.getLanguage(syntax)
  let state = INITIAL
  return code.split(/\r?\n/).map((line) => {
    if (line === "" || line.length >= maxLine) return escape(line)
    const highlighted = markLine(grammar, line, state)
    state = highlighted.ruleStack
    return html(line, highlighted.tokens, colorMap)
  })
}
