/**
 * Collects the translatable texts of one page or one reusable content (`CollectTexts`), and inserts their translations
 * (`ApplyTranslations`). A text with an invalid translation stays unchanged.
 *
 * Limits: texts of more than 20,000 characters are not translated.
 */
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import { mapList } from "@lectern/document/DocumentMapping"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import {
  type ParsedOrJson,
  isSmall,
  jsonOf,
  parseDocument,
  type StoredDocument,
  parseValue
} from "../content/documents/StoredDocument.ts"
import { maxTitle } from "../content/pages/Page.ts"
import * as Computation from "../thread/Computation.ts"
import * as DocumentTexts from "@lectern/document/DocumentTexts"
import * as Text from "@lectern/document/Text"
import * as MarkedTranslation from "./MarkedTranslation.ts"
import * as MarkedText from "./MarkedText.ts"
import { countWords } from "./WordCount.ts"

const maxText = 20_000
const maxDescription = 2_000

export interface PageTexts {
  readonly title: string
  readonly description?: string | undefined
  readonly document?: StoredDocument | undefined
}

/** Pairs of text and translation. */
export type TextPairs = ReadonlyArray<readonly [string, string]>

export interface TranslationInput {
  readonly texts: PageTexts
  /** Translations that earlier runs stored. */
  readonly knownTranslations: ParsedOrJson<TextPairs>
}

export interface CollectedTexts {
  /** Texts to send to the engine: texts without a stored translation, in the markup of `MarkedText`. */
  readonly untranslated: ReadonlyArray<string>
  readonly words: number
}

const areSmall = ({ texts, knownTranslations }: TranslationInput) =>
  isSmall(knownTranslations) && (texts.document === undefined || isSmall(texts.document))

export const CollectTexts = Computation.make({
  name: "collect-texts",
  isSmall: areSmall,
  run: ({ texts, knownTranslations }: TranslationInput): CollectedTexts => {
    const untranslated = untranslatedIn(collect(texts), new Map(parseValue(knownTranslations)))
    return {
      untranslated: untranslated.map(({ text }) => text),
      words: untranslated.reduce((sum, { text }) => sum + countWords(text.replace(/<[^<>]*>|&\w+;/g, " ")), 0)
    }
  }
})

interface FilledInput extends TranslationInput {
  /** Translations of the texts without a stored translation (see `CollectedTexts`), in the order of those texts. */
  readonly translations: ReadonlyArray<string>
  /** Id of the source space. References within it are rewritten to the result. */
  readonly source: string
}

export interface TranslatedResult {
  readonly title: string
  readonly description?: string
  /** Document as JSON. */
  readonly document?: string
  /** `TextPairs` as JSON: the stored and the new translations. */
  readonly pairs: string
  /** Indexes of the invalid translations in the input's `translations`. */
  readonly refused: ReadonlyArray<number>
  /** Number of texts without a translation. */
  readonly untranslated: number
}

export const ApplyTranslations = Computation.make({
  name: "put-answers",
  isSmall: areSmall,
  run: ({ texts, knownTranslations: before, translations: newTranslations, source }: FilledInput): TranslatedResult => {
    const knownTranslations = new Map(parseValue(before))
    const markedTexts = collect(texts)
    const translations = new Map<string, string>()
    for (const text of markedTexts.keys()) {
      const storedTranslation = knownTranslations.get(text)
      if (storedTranslation !== undefined) translations.set(text, storedTranslation)
    }
    const refused: Array<number> = []
    for (const [i, markedText] of untranslatedIn(markedTexts, knownTranslations).entries()) {
      if (MarkedTranslation.decode(markedText, newTranslations[i]!) === undefined) refused.push(i)
      else translations.set(markedText.text, newTranslations[i]!)
    }
    return {
      ...apply(texts, translations, source),
      pairs: JSON.stringify(Array.from(translations)),
      refused,
      untranslated: markedTexts.size - translations.size
    }
  }
})

const untranslatedIn = (
  markedTexts: ReadonlyMap<string, MarkedText.MarkedText>,
  knownTranslations: ReadonlyMap<string, string>
) => Array.from(markedTexts.values()).filter(({ text }) => text.length <= maxText && !knownTranslations.has(text))

/** Returns the distinct texts. */
const collect = ({ title, description, document }: PageTexts): ReadonlyMap<string, MarkedText.MarkedText> => {
  const markedTexts = new Map<string, MarkedText.MarkedText>()
  const addText = (markedText: MarkedText.MarkedText | undefined) => {
    if (markedText !== undefined && !markedTexts.has(markedText.text)) markedTexts.set(markedText.text, markedText)
  }
  const visitor: DocumentTexts.TextVisitor = {
    inlines: (nodes) => (addText(MarkedText.encode(nodes)), nodes),
    text: (text) => (addText(MarkedText.encodePlain(text)), text)
  }
  visitor.text(title)
  if (description !== undefined) visitor.text(description)
  if (document !== undefined) mapBlocks(parseDocument(document), (block) => DocumentTexts.mapBlock(block, visitor))
  return markedTexts
}

/** Returns the texts with their translations. */
const apply = (
  { title, description, document: stored }: PageTexts,
  translations: ReadonlyMap<string, string>,
  source: string
) => {
  const translate = <A>(
    markedText: MarkedText.MarkedText | undefined,
    decode: (marked: MarkedText.MarkedText, translated: string) => A | undefined
  ) => {
    const translated = markedText && translations.get(markedText.text)
    return translated === undefined ? undefined : decode(markedText!, translated)
  }
  const visitor: DocumentTexts.TextVisitor = {
    inlines: (nodes) => translate(MarkedText.encode(nodes), MarkedTranslation.decode) ?? nodes,
    text: (text) => translate(MarkedText.encodePlain(text), MarkedTranslation.decodePlain) ?? text
  }
  const document = stored && parseDocument(stored)
  const anchors = document && DocumentTexts.anchorsOf(document)
  const translated = document && mapBlocks(document, (block) => DocumentTexts.mapBlock(block, visitor, anchors))
  return {
    title: Text.toLine(visitor.text(title), maxTitle),
    ...(description !== undefined && { description: Text.truncate(visitor.text(description), maxDescription) }),
    ...(translated !== undefined && {
      document: jsonOf(DocumentRefs.mapRefs(translated, (ref) => withoutSourceSpace(source, ref)))
    })
  }
}

const mapBlocks = (document: Document, f: (block: Block) => Block): Document => {
  const nodes = mapList(document.nodes, f)
  return nodes === document.nodes ? document : { ...document, nodes }
}

/** Converts a reference within the source to a reference within the result. */
export const withoutSourceSpace = (source: string, ref: ContentRef): ContentRef => {
  if (!("space" in ref) || ref.space !== source || ref.kind === "space") return ref
  const { space: _, ...localRef } = ref
  return localRef as ContentRef
}
