/**
 * Translates the texts of one page, or of one reusable content: those that were answered before are
 * not asked for again, the others go to the engine in batches. An answer that can't be used is asked
 * for once more; then the text stays as it is in the source until the next run, and is counted.
 *
 * Limits: a text of over 20,000 characters stays as it is.
 */
import { Effect } from "effect"
import type { Block, Document } from "../content/Document.ts"
import { Slice } from "../storage/Slice.ts"
import * as DocumentTexts from "./DocumentTexts.ts"
import * as MarkedAnswer from "./MarkedAnswer.ts"
import * as MarkedText from "./MarkedText.ts"
import { type TranslationRequest, type Translator, TranslatorFailed } from "./Translator.ts"
import { countWords } from "./WordCount.ts"

const maxText = 20_000
const maxTitle = 256
const maxDescription = 2_000

export interface Texts {
  readonly title: string
  readonly description?: string | undefined
  readonly document?: Document | undefined
}

export interface Translated extends Texts {
  /** Each text with its answer. */
  readonly answers: ReadonlyMap<string, string>
  /** Words that went to the engine; 0 where it was asked for nothing. */
  readonly words: number
  /** Texts without an answer. */
  readonly untranslated: number
}

type Guidance = Omit<TranslationRequest, "texts">

export const translate = Effect.fnUntraced(function* (
  texts: Texts,
  known: ReadonlyMap<string, string>,
  translator: Translator["Service"],
  guidance: Guidance
): Effect.fn.Return<Translated, TranslatorFailed> {
  const wanted = yield* collect(texts)
  const answers = new Map<string, string>()
  const open: Array<MarkedText.MarkedText> = []
  for (const [text, marked] of wanted) {
    const answer = known.get(text)
    if (answer !== undefined) answers.set(text, answer)
    else if (text.length <= maxText) open.push(marked)
  }
  const words = open.reduce((sum, { text }) => sum + countWords(text.replace(/<[^<>]*>|&\w+;/g, " ")), 0)
  let missing: ReadonlyArray<MarkedText.MarkedText> = open
  for (let attempt = 1; attempt <= 2 && missing.length > 0; attempt++) {
    const refused: Array<MarkedText.MarkedText> = []
    for (const batch of batchesOf(missing, translator.batch)) {
      const answered = yield* ask(batch, translator, guidance)
      for (const [i, marked] of batch.entries()) {
        if (MarkedAnswer.decode(marked, answered[i]!) === undefined) refused.push(marked)
        else answers.set(marked.text, answered[i]!)
      }
      yield* Effect.yieldNow
    }
    missing = refused
  }
  return { ...(yield* apply(texts, answers)), answers, words, untranslated: wanted.size - answers.size }
})

const ask = Effect.fnUntraced(function* (
  batch: ReadonlyArray<MarkedText.MarkedText>,
  translator: Translator["Service"],
  guidance: Guidance
) {
  const answered = yield* translator.translate({ ...guidance, texts: batch.map(({ text }) => text) })
  if (answered.length === batch.length) return answered
  return yield* new TranslatorFailed({
    reason: "invalid",
    message: `The translation engine answered ${answered.length} of ${batch.length} texts`
  })
})

const batchesOf = (
  all: ReadonlyArray<MarkedText.MarkedText>,
  limit: Translator["Service"]["batch"]
): ReadonlyArray<ReadonlyArray<MarkedText.MarkedText>> => {
  const batches: Array<Array<MarkedText.MarkedText>> = []
  let characters = Infinity
  for (const marked of all) {
    const last = batches.at(-1)
    characters += marked.text.length
    if (last !== undefined && last.length < limit.texts && characters <= limit.characters) {
      last.push(marked)
      continue
    }
    batches.push([marked])
    characters = marked.text.length
  }
  return batches
}

/** The texts that there are, each once. */
const collect = Effect.fnUntraced(function* ({ title, description, document }: Texts) {
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
  if (document !== undefined) yield* mapBlocks(document, (block) => DocumentTexts.mapBlock(block, visitor))
  return wanted
})

/** The texts with their answers in place. */
const apply = Effect.fnUntraced(function* (
  { title, description, document }: Texts,
  answers: ReadonlyMap<string, string>
) {
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
  const anchors = document && DocumentTexts.anchorsOf(document)
  return {
    title: cut(visitor.plain(title), maxTitle),
    ...(description !== undefined && { description: cut(visitor.plain(description), maxDescription) }),
    ...(document !== undefined && {
      document: yield* mapBlocks(document, (block) => DocumentTexts.mapBlock(block, visitor, anchors))
    })
  }
})

const mapBlocks = Effect.fnUntraced(function* (document: Document, f: (block: Block) => Block) {
  const nodes: Array<Block> = []
  const slice = yield* Slice.begin
  for (const block of document.nodes) {
    nodes.push(f(block))
    if (slice.isOver()) yield* slice.rest
  }
  return nodes.every((node, i) => node === document.nodes[i]) ? document : { ...document, nodes }
})

/** Counts characters as limits do. */
const cut = (text: string, max: number): string => (text.length <= max ? text : Array.from(text).slice(0, max).join(""))
