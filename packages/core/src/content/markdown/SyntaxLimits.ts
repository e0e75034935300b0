/**
 * Keeps the time and depth of parsing bounded on hostile text. The constructs of CommonMark look
 * back or ahead as far as the text goes; here each gives up at a limit, and what it would have read
 * is plain text then.
 *
 * Limits: containers nest 24 deep; a paragraph has 500 runs of `*`, `_` or `~`, 1,000 brackets of
 * each kind; code and HTML that are not closed are searched for through 128 KiB in all; 4,000
 * definitions and 1,000 footnotes are found by their labels; 500 headings are underlined.
 */
import {
  attention,
  blockQuote,
  codeText,
  definition,
  htmlText,
  labelEnd,
  labelStartImage,
  labelStartLink,
  list,
  setextUnderline
} from "micromark-core-commonmark"
import type { Construct, Extension, ParseContext, TokenizeContext } from "micromark-util-types"

export const maxDepth = 24
const maxAttention = 500
const maxBrackets = 1000
const maxFailedScan = 128 * 1024
const maxDefinitions = 4000
const maxFootnotes = 1000

const maxUnderlined = 500
const maxLookBack = 20_000_000

type Field = "document" | "flow" | "text" | "contentInitial"
type Allowed = (context: TokenizeContext) => boolean

/** At most `limit` in one paragraph, heading or cell. */
const perText = (limit: number): Allowed => {
  const counts = new WeakMap<TokenizeContext, number>()
  return (context) => {
    const count = (counts.get(context) ?? 0) + 1
    counts.set(context, count)
    return count <= limit
  }
}

const when = (construct: Construct, allowed: Allowed): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    return allowed(this) ? construct.tokenize.call(this, effects, ok, nok) : nok
  }
})

/** An address in plain text looks back for an open bracket, each time through all of the paragraph. */
const lookBack = (): Allowed => {
  const spent = new WeakMap<TokenizeContext, number>()
  return (context) => {
    const total = (spent.get(context) ?? 0) + context.events.length
    spent.set(context, total)
    return total <= maxLookBack
  }
}

/** A construct that is read as such `limit` times in a text. */
const atMost = (construct: Construct, limit: number): Construct => {
  const counts = new WeakMap<ParseContext, number>()
  return {
    ...construct,
    tokenize(effects, ok, nok) {
      const count = counts.get(this.parser) ?? 0
      if (count >= limit) return nok
      return construct.tokenize.call(
        this,
        effects,
        (code) => {
          counts.set(this.parser, count + 1)
          return ok(code)
        },
        nok
      )
    }
  }
}

const failedScans = new WeakMap<ParseContext, number>()

/** Gives up once the construct has searched too far for an end that was not there. */
export const whileScansSucceed = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const spent = failedScans.get(this.parser) ?? 0
    if (spent > maxFailedScan) return nok
    const start = this.now().offset
    return construct.tokenize.call(this, effects, ok, (code) => {
      failedScans.set(this.parser, spent + this.now().offset - start)
      return nok(code)
    })
  }
})

interface Line {
  number: number
  /** Where the containers that the line is in start on it, outermost first. */
  starts: Array<number>
  /** Where the footnote that the line is in starts on it. */
  footnote: number | undefined
}

const footnoteDefinition = "gfmFootnoteDefinition"

const lines = new WeakMap<TokenizeContext, Line>()

const lineOf = (context: TokenizeContext): Line => {
  const { line: number } = context.now()
  let line = lines.get(context)
  if (line === undefined) lines.set(context, (line = { number, starts: [], footnote: undefined }))
  if (line.number !== number) {
    line.number = number
    line.starts = []
    line.footnote = undefined
  }
  return line
}

// A container is first looked for and then read, both from the same place.
const started = (line: Line, start: number, { name }: Construct): void => {
  if (name === footnoteDefinition) line.footnote ??= start
  if (line.starts.at(-1) !== start) line.starts.push(start)
}

/** A quote, list item or footnote that is not read as one below the limit. */
const bounded = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    const line = lineOf(this)
    const start = this.now().offset
    const depth = line.starts.at(-1) === start ? line.starts.length - 1 : line.starts.length
    if (depth >= maxDepth) return nok
    // Footnotes in footnotes are read in more than one way.
    if (construct.name === footnoteDefinition && (line.footnote ?? start) !== start) return nok
    return construct.tokenize.call(
      this,
      effects,
      (code) => {
        started(line, start, construct)
        return ok(code)
      },
      nok
    )
  },
  continuation: {
    ...construct.continuation!,
    tokenize(effects, ok, nok) {
      const line = lineOf(this)
      const start = this.now().offset
      return construct.continuation!.tokenize.call(
        this,
        effects,
        (code) => {
          started(line, start, construct)
          return ok(code)
        },
        nok
      )
    }
  }
})

const limited: ReadonlyArray<readonly [Field, ReadonlyArray<string>, Construct, (construct: Construct) => Construct]> =
  [
    ["document", [..."*+-0123456789"], list, bounded],
    ["document", [">"], blockQuote, bounded],
    ["contentInitial", ["["], definition, (c) => when(c, ({ parser }) => parser.defined.length < maxDefinitions)],
    ["flow", [..."-="], setextUnderline, (c) => atMost(c, maxUnderlined)],
    ["text", [..."*_"], attention, (c) => when(c, attentionRuns)],
    ["text", ["["], labelStartLink, (c) => when(c, openBrackets)],
    ["text", ["!"], labelStartImage, (c) => when(c, openBrackets)],
    ["text", ["]"], labelEnd, (c) => when(c, closeBrackets)],
    ["text", ["`"], codeText, whileScansSucceed],
    ["text", ["<"], htmlText, whileScansSucceed]
  ]
const attentionRuns = perText(maxAttention)
const openBrackets = perText(maxBrackets)
const closeBrackets = perText(maxBrackets)
const autolinks = lookBack()

/** The same for the extensions of GFM, by their names. */
export const limitExtension = (extension: Extension): Extension => {
  const limit = (construct: Construct): Construct => {
    switch (construct.name) {
      case "strikethrough":
        return when(construct, attentionRuns)
      case "gfmFootnoteCall":
        return when(construct, openBrackets)
      case "gfmPotentialFootnoteCall":
        return when(construct, closeBrackets)
      case "emailAutolink":
      case "protocolAutolink":
      case "wwwAutolink":
        return when(construct, autolinks)
      case footnoteDefinition:
        return when(bounded(construct), ({ parser }) => footnotesOf(parser) < maxFootnotes)
      default:
        return construct
    }
  }
  const limitMap = (map: Extension["text"]): Extension["text"] =>
    map &&
    Object.fromEntries(
      Object.entries(map).map(([code, constructs]) => [
        code,
        Array.isArray(constructs) ? constructs.map(limit) : constructs && limit(constructs)
      ])
    )
  return { ...extension, document: limitMap(extension.document), text: limitMap(extension.text) }
}

const footnotesOf = (parser: ParseContext): number =>
  (parser as { readonly gfmFootnotes?: ReadonlyArray<string> }).gfmFootnotes?.length ?? 0

const prepared = new WeakSet<ParseContext>()

/**
 * An extension can add constructs but not take any away, and the unlimited ones would be tried when
 * a limited one gives up: so the first limited one that is tried takes them out of the parser's map,
 * which is made anew for each text.
 */
const withoutUnlimited = (construct: Construct): Construct => ({
  ...construct,
  tokenize(effects, ok, nok) {
    if (!prepared.has(this.parser)) {
      prepared.add(this.parser)
      for (const [field, characters, original] of limited) {
        for (const character of characters) {
          const constructs = this.parser.constructs[field]?.[character.charCodeAt(0)]
          if (!Array.isArray(constructs)) continue
          const at = constructs.indexOf(original)
          if (at !== -1) constructs.splice(at, 1)
        }
      }
    }
    return construct.tokenize.call(this, effects, ok, nok)
  }
})

const extensionOf = (field: Field): Record<number, Array<Construct>> => {
  const map: Record<number, Array<Construct>> = {}
  for (const [of, characters, original, limit] of limited) {
    if (of !== field) continue
    const construct = withoutUnlimited(limit(original))
    for (const character of characters) (map[character.charCodeAt(0)] ??= []).push(construct)
  }
  return map
}

export const limits: Extension = {
  document: extensionOf("document"),
  flow: extensionOf("flow"),
  text: extensionOf("text"),
  contentInitial: extensionOf("contentInitial")
}
