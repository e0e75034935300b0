/**
 * Serializes the phrases of a paragraph, heading or cell. Escapes depend on adjacent phrases, so each phrase gets the
 * characters on both sides.
 */
import * as Emoji from "../Emoji.ts"
import { isCompleteTag, startsBlock } from "../syntax/HtmlBlock.ts"
import * as Attention from "./Attention.ts"
import * as CodeText from "./CodeText.ts"
import { characterReference, escape } from "./Escape.ts"
import type { Image, ImageReference, Link, LinkReference, Marked, Phrase } from "./Phrase.ts"
import * as TextContext from "./TextContext.ts"
import * as Resources from "./Resources.ts"
import type { Style } from "./Style.ts"
import * as Text from "./Text.ts"

export interface PhrasePosition {
  readonly context: number
  /** Characters before and after the phrases. */
  readonly before: string
  readonly after: string
}

export const write = (
  phrases: ReadonlyArray<Phrase>,
  { context, before, after }: PhrasePosition,
  style: Style
): string => Attention.write(toItems(phrases, context, before, after, style), before, after)

const toItems = (
  phrases: ReadonlyArray<Phrase>,
  context: number,
  before: string,
  after: string,
  style: Style
): ReadonlyArray<Attention.Item> => {
  const result: Array<Attention.Item> = []
  let last = before
  for (let i = 0; i < phrases.length; i++) {
    const phrase = phrases[i]!
    if (isMarked(phrase)) {
      const marks = marksOf(phrase.type, style)
      const children = toItems(phrase.children, context, marks[0], marks[0], style)
      if (children.length === 0) continue
      result.push({ items: children, marks })
      last = marks[0].slice(-1)
      continue
    }
    if (phrase.type === "verbatim" && (last === "\n" || last === "\r") && startsBlock(phrase.value)) {
      // HTML at the start of a line would start a block, so the line end before it becomes a space.
      const previous = result.at(-1)
      if (typeof previous === "string") {
        result[result.length - 1] = previous.replace(/(?:\r?\n|\r)$/, " ")
        last = " "
      }
    }
    const next = phrases[i + 1]
    const following = next === undefined ? after : firstCharacter(next, context, style)
    const lineEndReference = i === 1 && before === "\n" ? encodeLineEndAfterTag(phrases[0]!, phrase) : undefined
    const text =
      lineEndReference === undefined
        ? writePhrase(phrase, context, last, following, style)
        : lineEndReference.written + Text.write(lineEndReference.rest, context, ";", following)
    if (text === "") continue
    result.push(text)
    last = lastCharacter(text)
  }
  return result
}

/**
 * Returns the line end after a tag at the start of a paragraph as a character reference. A tag that is the only content
 * of the first line would turn the whole paragraph into HTML.
 */
const encodeLineEndAfterTag = (first: Phrase, phrase: Phrase) => {
  if (first.type !== "verbatim" || phrase.type !== "text" || !/^[\r\n]/.test(phrase.value)) return undefined
  if (!isCompleteTag(first.value)) return undefined
  const rest: Text.Text = { ...phrase, value: phrase.value.slice(1) }
  return { written: characterReference(phrase.value.charCodeAt(0)), rest }
}

const isMarked = (phrase: Phrase): phrase is Marked =>
  phrase.type === "strong" || phrase.type === "emphasis" || phrase.type === "delete"

const strong = ["**", "__"] as const
const strikethroughMarks = ["~~", "~"] as const
const underscoreEmphasis = ["_", "*"] as const
const asteriskEmphasis = ["*", "_"] as const

const marksOf = (type: Marked["type"], style: Style): Attention.Attention["marks"] =>
  type === "strong"
    ? strong
    : type === "delete"
      ? strikethroughMarks
      : style.emphasis === "_"
        ? underscoreEmphasis
        : asteriskEmphasis

const writePhrase = (
  phrase: Exclude<Phrase, Marked>,
  context: number,
  before: string,
  after: string,
  style: Style
): string => {
  switch (phrase.type) {
    case "text":
      return Text.write(phrase, context, before, after)
    case "verbatim":
      return phrase.value
    case "code":
      return CodeText.inlineCode(phrase.value, context)
    case "break":
      return (context & TextContext.oneLine) === 0 ? "\\\n" : /[\t ]$/.test(before) ? "" : " "
    case "emoji":
      return emoji(phrase.value, before)
    case "formula":
      // A formula that `$$` cannot enclose is written as text.
      return formulaPattern.test(phrase.value) ? `$$${phrase.value}$$` : escape(phrase.value, context, before, after)
    case "link":
      return link(phrase, context, before, style)
    case "linkReference":
      return linkReference(phrase, context, style)
    case "image":
      return `![${writeAlt(phrase, context)}](${Resources.resource(phrase, context)})`
    case "imageReference":
      return writeReference("![", writeAlt(phrase, context), phrase, context)
    case "footnoteReference":
      return `[^${escape(phrase.label, TextContext.inFootnoteMark(context), "[^", "]")}]`
  }
}

/** Returns the first character of a phrase, as far as it does not depend on the text before the phrase. */
const firstCharacter = (phrase: Phrase, context: number, style: Style): string => {
  switch (phrase.type) {
    case "text":
      return Text.firstCharacter(phrase, context)
    case "strong":
      return "*"
    case "emphasis":
      return style.emphasis
    case "delete":
      return "~"
    case "verbatim":
      return "<"
    case "code":
      return "`"
    case "break":
      return (context & TextContext.oneLine) === 0 ? "\\" : " "
    case "emoji":
      return ":"
    case "formula":
      return "$"
    case "link":
      return Resources.isAutolink(phrase) ? "<" : "["
    case "linkReference":
    case "footnoteReference":
      return "["
    case "image":
    case "imageReference":
      return "!"
  }
}

const lastCharacter = (written: string): string => {
  const code = written.codePointAt(written.length - 2)
  return code !== undefined && code > 0xffff ? written.slice(-2) : written.slice(-1)
}

const formulaPattern = /^(?!\s)(?:[^$\\\s]|\\[^\n]|[^\S\n](?!$))+$/

/**
 * Writes an emoji by its name. Writes an element if it has no name, or if a letter or digit before it would turn the
 * name into text.
 */
const emoji = (code: string, before: string): string => {
  const name = Emoji.nameOfCode(code)
  return name === undefined || /[a-zA-Z0-9]$/.test(before) ? Emoji.emojiElement(code) : `:${name}:`
}

const link = (phrase: Link, context: number, before: string, style: Style): string => {
  if (Resources.isAutolink(phrase)) return `<${(phrase.children[0] as Text.Text).value}>`
  const position = { context: TextContext.inBrackets(context), before: "[", after: "](" }
  const text = write(phrase.children, position, style)
  const { url, title } = phrase
  const isDefinition = /[\r\n]$/.test(before) && !Resources.mustBeEnclosed(url) && startsDefinition(text)
  // A title, even an empty one, prevents the link from being parsed as a definition.
  return `[${text}](${Resources.resource({ url, title: title ?? (isDefinition ? "" : undefined) }, context)})`
}

/** True if the first `]` in the text of a link, such as in code, is followed by a colon. */
const startsDefinition = (text: string): boolean => {
  let i = 0
  while (i < text.length && text[i] !== "]") i += text[i] === "\\" ? 2 : 1
  return text[i + 1] === ":"
}

const linkReference = (phrase: LinkReference, context: number, style: Style): string => {
  const text = write(phrase.children, { context: TextContext.inBrackets(context), before: "[", after: "]" }, style)
  return writeReference("[", text, phrase, context)
}

const writeReference = (
  open: string,
  text: string,
  { label, isCollapsed }: LinkReference | ImageReference,
  context: number
): string => {
  const escapedLabel = escape(label, TextContext.inReference(context), "[", "]")
  if (text === "" || text !== escapedLabel) return `${open}${text}][${escapedLabel}]`
  return isCollapsed === true ? `${open}${text}][]` : `${open}${text}]`
}

const writeAlt = ({ alt }: Image | ImageReference, context: number): string =>
  escape(alt, TextContext.inBrackets(context), "![", "]")
