/**
 * Texts of one page or one reusable content: collects those to translate (`CollectTexts`), and inserts their
 * translations (`PutAnswers`). A text with an invalid translation stays unchanged.
 *
 * Limits: texts of more than 20,000 characters are not translated.
 */
import type { Block, ContentRef, Document } from "@lectern/document/Document"
import { mapList } from "@lectern/document/DocumentMapping"
import * as DocumentRefs from "@lectern/document/DocumentRefs"
import { type Folded, isSmall, jsonOf, open, type StoredDocument, unfold } from "../content/documents/StoredDocument.ts"
import { maxTitle } from "../content/pages/Page.ts"
import * as Computation from "../thread/Computation.ts"
import * as DocumentTexts from "@lectern/document/DocumentTexts"
import * as Text from "@lectern/document/Text"
import * as MarkedAnswer from "./MarkedAnswer.ts"
import * as MarkedText from "./MarkedText.ts"
import { countWords } from "./WordCount.ts"

const maxText = 20_000
const maxDescription = 2_000

export interface Texts {
  readonly title: string
  readonly description?: string | undefined
  readonly document?: StoredDocument | undefined
}

/** Pairs of text and translation. */
export type TextPairs = ReadonlyArray<readonly [string, string]>

export interface Input {
  readonly texts: Texts
  /** Stored translations. */
  readonly known: Folded<TextPairs>
}

export interface CollectedTexts {
  /** Texts for the engine, without those that have a stored translation. */
  readonly open: ReadonlyArray<string>
  readonly words: number
}

const areSmall = ({ texts, known }: Input) =>
  isSmall(known) && (texts.document === undefined || isSmall(texts.document))

export const CollectTexts = Computation.make({
  name: "collect-texts",
  isSmall: areSmall,
  run: ({ texts, known }: Input): CollectedTexts => {
    const open = openOf(collect(texts), new Map(unfold(known)))
    return {
      open: open.map(({ text }) => text),
      words: open.reduce((sum, { text }) => sum + countWords(text.replace(/<[^<>]*>|&\w+;/g, " ")), 0)
    }
  }
})

interface FilledInput extends Input {
  /** Translations of the texts without a stored translation (see `CollectedTexts`), in the order of those texts. */
  readonly given: ReadonlyArray<string>
  /** Id of the source space. References within it are rewritten to the result. */
  readonly source: string
}

export interface TranslatedResult {
  readonly title: string
  readonly description?: string
  /** Document as JSON. */
  readonly document?: string
  /** `Answers` as JSON. */
  readonly answers: string
  /** Indexes of invalid translations. */
  readonly refused: ReadonlyArray<number>
  /** Number of texts without a translation. */
  readonly untranslated: number
}

export const PutAnswers = Computation.make({
  name: "put-answers",
  isSmall: areSmall,
  run: ({ texts, known: before, given, source }: FilledInput): TranslatedResult => {
    const known = new Map(unfold(before))
    const wanted = collect(texts)
    const answers = new Map<string, string>()
    for (const text of wanted.keys()) {
      const answer = known.get(text)
      if (answer !== undefined) answers.set(text, answer)
    }
    const refused: Array<number> = []
    for (const [i, marked] of openOf(wanted, known).entries()) {
      if (MarkedAnswer.decode(marked, given[i]!) === undefined) refused.push(i)
      else answers.set(marked.text, given[i]!)
    }
    return {
      ...apply(texts, answers, source),
      answers: JSON.stringify(Array.from(answers)),
      refused,
      untranslated: wanted.size - answers.size
    }
  }
})

const openOf = (wanted: ReadonlyMap<string, MarkedText.MarkedText>, known: ReadonlyMap<string, string>) =>
  Array.from(wanted.values()).filter(({ text }) => text.length <= maxText && !known.has(text))

/** Returns the distinct texts. */
const collect = ({ title, description, document }: Texts): ReadonlyMap<string, MarkedText.MarkedText> => {
  const wanted = new Map<string, MarkedText.MarkedText>()
  const note = (marked: MarkedText.MarkedText | undefined) => {
    if (marked !== undefined && !wanted.has(marked.text)) wanted.set(marked.text, marked)
  }
  const visitor: DocumentTexts.TextVisitor = {
    inlines: (nodes) => (note(MarkedText.encode(nodes)), nodes),
    plain: (text) => (note(MarkedText.encodePlain(text)), text)
  }
  visitor.plain(title)
  if (description !== undefined) visitor.plain(description)
  if (document !== undefined) mapBlocks(open(document), (block) => DocumentTexts.mapBlock(block, visitor))
  return wanted
}

/** Returns the texts with their translations. */
const apply = (
  { title, description, document: stored }: Texts,
  answers: ReadonlyMap<string, string>,
  source: string
) => {
  const answerTo = <A>(
    marked: MarkedText.MarkedText | undefined,
    decode: (marked: MarkedText.MarkedText, answer: string) => A | undefined
  ) => {
    const answer = marked && answers.get(marked.text)
    return answer === undefined ? undefined : decode(marked!, answer)
  }
  const visitor: DocumentTexts.TextVisitor = {
    inlines: (nodes) => answerTo(MarkedText.encode(nodes), MarkedAnswer.decode) ?? nodes,
    plain: (text) => answerTo(MarkedText.encodePlain(text), MarkedAnswer.decodePlain) ?? text
  }
  const document = stored && open(stored)
  const anchors = document && DocumentTexts.anchorsOf(document)
  const translated = document && mapBlocks(document, (block) => DocumentTexts.mapBlock(block, visitor, anchors))
  return {
    title: Text.inOneLine(visitor.plain(title), maxTitle),
    ...(description !== undefined && { description: Text.cut(visitor.plain(description), maxDescription) }),
    ...(translated !== undefined && {
      document: jsonOf(DocumentRefs.mapRefs(translated, (ref) => toResult(source, ref)))
    })
  }
}

const mapBlocks = (document: Document, f: (block: Block) => Block): Document => {
  const nodes = mapList(document.nodes, f)
  return nodes === document.nodes ? document : { ...document, nodes }
}

/** Converts a reference within the source to a reference within the result. */
export const toResult = (source: string, ref: ContentRef): ContentRef => {
  if (!("space" in ref) || ref.space !== source || ref.kind === "space") return ref
  const { space: _, ...inside } = ref
  return inside as ContentRef
}
