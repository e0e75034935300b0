/**
 * Costs of aligning, comparing and merging grow with the documents and no faster: four times the blocks take
 * at most ten times the processor time, where a square would take sixteen times it.
 */
import { assert, describe, it } from "@effect/vitest"
import { align } from "@lectern/document/alignment/DocumentAlignment"
import { diff } from "@lectern/document/difference/DocumentDiff"
import { mergeDocuments } from "@lectern/document/merge/DocumentMerge"
import type { Block, Document } from "@lectern/document/Document"
import { block, code, document, paragraph, table } from "./Documents.ts"

const range = (length: number): ReadonlyArray<number> => Array.from({ length }, (_, i) => i)

/** Numbers that follow from a seed. */
const chanceFrom = (seed: number) => {
  let state = seed
  return (below: number): number => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

type Texts = (chance: (below: number) => number, size: number) => ReadonlyArray<string>

const words = (chance: (below: number) => number, count: number) =>
  range(count)
    .map(() => `w${chance(3000).toString(36)}`)
    .join(" ")
const shuffled = (chance: (below: number) => number, texts: ReadonlyArray<string>) =>
  texts
    .map((text) => [chance(1e9), text] as const)
    .toSorted(([one], [other]) => one - other)
    .map(([, text]) => text)
const anew =
  (length: number): Texts =>
  (chance, size) =>
    range(size).map(() => words(chance, length))
const numbered: Texts = (_, size) => range(size).map((i) => `number ${i} of them`)

interface Shape {
  readonly base: Texts
  readonly edit: (texts: ReadonlyArray<string>, chance: (below: number) => number) => ReadonlyArray<string>
  readonly document: (key: string, texts: ReadonlyArray<string>) => Document
}

const paragraphs = (key: string, texts: ReadonlyArray<string>) =>
  document(...texts.map((text, i) => paragraph(`${key}${i}`, text)))
const nested = (key: string, texts: ReadonlyArray<string>) =>
  document(
    ...range(Math.ceil(texts.length / 80)).map((i) =>
      texts
        .slice(i * 80, i * 80 + 80)
        .reduce<Block>(
          (inner, text, j) => block("blockquote", `${key}${i}.${j}`, [inner, paragraph(`${key}${i}.${j}p`, text)]),
          paragraph(`${key}${i}`, "innermost")
        )
    )
  )
const threeColumns = (key: string, texts: ReadonlyArray<string>) =>
  document(
    table(
      key,
      ["One", "Two", "Three"],
      range(Math.floor(texts.length / 3)).map((i) => texts.slice(i * 3, i * 3 + 3))
    )
  )
const wide = (key: string, texts: ReadonlyArray<string>) =>
  document(
    table(
      key,
      texts.slice(0, texts.length / 4),
      range(3).map((i) => texts.slice((i * texts.length) / 4, ((i + 1) * texts.length) / 4))
    )
  )

const replaceSome: Shape["edit"] = (texts, chance) =>
  texts.map((text) => (chance(3) === 0 ? `${text} ${words(chance, 1)}` : text))

const shapes: Readonly<Record<string, Shape>> = {
  "equal paragraphs, fewer and more": {
    base: (_, size) => range(size).map(() => "always the same"),
    edit: (texts, chance) => texts.slice(chance(texts.length / 10)),
    document: paragraphs
  },
  "other paragraphs": { base: anew(8), edit: (texts, chance) => anew(8)(chance, texts.length), document: paragraphs },
  "edited paragraphs": { base: anew(8), edit: replaceSome, document: paragraphs },
  "paragraphs in reverse": { base: numbered, edit: (texts) => texts.toReversed(), document: paragraphs },
  "paragraphs in reverse, edited": {
    base: anew(8),
    edit: (texts, chance) => replaceSome(texts.toReversed(), chance),
    document: paragraphs
  },
  "paragraphs in other orders": {
    base: numbered,
    edit: (texts, chance) => shuffled(chance, texts),
    document: paragraphs
  },
  "paragraphs of few kinds": {
    base: (chance, size) => range(size).map(() => `kind ${chance(5)}`),
    edit: (texts, chance) => texts.map(() => `kind ${chance(5)}`),
    document: paragraphs
  },
  "groups of 50 long paragraphs between anchors": {
    base: (chance, size) => range(size / 4).map((i) => (i % 51 === 0 ? `anchor ${i}` : words(chance, 60))),
    edit: (texts, chance) => texts.map((text, i) => (i % 51 === 0 ? text : words(chance, 60))),
    document: paragraphs
  },
  "blocks in one another": { base: anew(4), edit: replaceSome, document: nested },
  "words of one paragraph": {
    base: (chance, size) => [words(chance, size * 8)],
    edit: (texts, chance) => [words(chance, texts[0]!.length / 4)],
    document: paragraphs
  },
  "lines of code": { base: anew(6), edit: replaceSome, document: (key, texts) => document(code(key, ...texts)) },
  "rows of a table, edited": { base: anew(3), edit: replaceSome, document: threeColumns },
  "rows of a table, all others": {
    base: anew(3),
    edit: (texts, chance) => anew(3)(chance, texts.length),
    document: threeColumns
  },
  "columns of a table": { base: anew(2), edit: replaceSome, document: wide }
}

const processorTime = (work: () => unknown): number => {
  const before = process.cpuUsage()
  work()
  const { system, user } = process.cpuUsage(before)
  return (system + user) / 1000
}

/** The lesser of two, in milliseconds: others use the processor as well. */
const least = (work: () => unknown): number => Math.min(...range(2).map(() => processorTime(work)))

describe("what comparing documents costs", () => {
  for (const [name, shape] of Object.entries(shapes)) {
    it(name, () => {
      const cost = (size: number): ReadonlyArray<number> => {
        const chance = chanceFrom(7)
        const texts = shape.base(chance, size)
        const base = shape.document("b", texts)
        const [left, right] = ["m", "o"].map((key) => shape.document(key, shape.edit(texts, chance)))
        const [main, ours] = [align(base, left!), align(base, right!)]
        return [
          least(() => align(base, left!)),
          least(() => diff(base, ours)),
          least(() => mergeDocuments({ base, main, ours })),
          least(() => mergeDocuments({ base, main: left!, ours: right! }))
        ]
      }
      const [few, many] = [cost(2000), cost(8000)]
      for (const [i, what] of ["align", "diff", "merge", "merge of strangers"].entries()) {
        assert.isAtMost(many[i]!, 10 * few[i]! + 300, `${what}: ${few[i]} ms and ${many[i]} ms`)
      }
    })
  }
})
