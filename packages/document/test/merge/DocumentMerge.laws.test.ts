import { isDeepStrictEqual } from "node:util"
import { assert, describe, it } from "@effect/vitest"
import * as fc from "fast-check"
import { Result } from "effect"
import type { Block, Document } from "@lectern/document/Document"
import { entries, inlines, slots } from "@lectern/document/BlockTree"
import { Fingerprints } from "@lectern/document/alignment/Fingerprints"
import { refs } from "@lectern/document/DocumentRefs"
import { diff } from "@lectern/document/difference/DocumentDiff"
import { mergeDocuments, type MergedDocument, resolve } from "@lectern/document/merge/DocumentMerge"
import { contentFingerprint } from "@lectern/document/merge/BlockMerge"
import * as Markdown from "@lectern/document/markdown/Markdown"
import * as TableContent from "@lectern/document/table/TableContent"
import { blockSpec } from "@lectern/document/vocabulary/BlockTypes"
import { keys } from "./Documents.ts"
import { names, words } from "./RandomBlocks.ts"
import { check as conformance } from "../vocabulary/Conformance.ts"
import { edited, randomDocument, randomEdits } from "./RandomDocuments.ts"
import { holding, type Laws } from "../../../core/test/Laws.ts"
import { runs } from "../../../core/test/Runs.ts"

interface Sides {
  readonly base: Document
  readonly main: Document
  readonly ours: Document
}

interface Case extends Sides {
  readonly merged: MergedDocument
}

const cases = fc.tuple(randomDocument, randomEdits, randomEdits).map(([base, left, right]): Case => {
  const sides = { base, main: edited(base, left, "m"), ours: edited(base, right, "o") }
  return { ...sides, merged: mergeDocuments(sides) }
})

/** The values of a document that are one thing although they have fields. */
const wholes = (document: Document): ReadonlyArray<string> => [
  ...refs(document).map((ref) => JSON.stringify(ref)),
  ...Array.from(JSON.stringify(document).matchAll(/"(?:width|height)":({[^}]*})/g), ([, length]) => length!)
]

/** Data that is empty is as good as none. */
const withoutEmpty = (document: Document): unknown =>
  JSON.parse(
    JSON.stringify(document, (name, value: unknown) =>
      name === "data" && isDeepStrictEqual(value, {}) ? undefined : value
    )
  )

const emptyFrames = (document: Document): ReadonlyArray<string> =>
  entries(document).flatMap(({ block }) =>
    blockSpec(block.type).contentKind === "frame" && slots(block).every(({ blocks }) => blocks.length === 0)
      ? [block.key]
      : []
  )

/** Takes of a block what it says itself. */
const own = (block: Block) => ({
  ...block,
  nodes: inlines(block),
  fragments: block.fragments?.map(({ fragment }) => fragment)
})

/** The words of the blocks of a side that the other left as they were, or does not have. */
const wordsOfOne = (base: Document, side: Document, other: Document): ReadonlySet<string> => {
  const prints = new Fingerprints()
  const [before, there] = [base, other].map(
    (document) => new Map(entries(document).map(({ block }) => [block.key, contentFingerprint(block, prints)]))
  )
  return words(
    entries(side).flatMap(({ block }) => {
      const [was, is] = [before!.get(block.key), there!.get(block.key)]
      const isOfOne = is === undefined ? was !== contentFingerprint(block, prints) : was === is
      return isOfOne ? own(block) : []
    })
  )
}

const tables = (document: Document) => entries(document).flatMap(({ block }) => (block.type === "table" ? [block] : []))

const cellsOf = (table: Block) =>
  TableContent.readTable(table)!.rows.flatMap(({ values }) =>
    Object.values(values).flatMap((value) => (typeof value === "string" ? [value] : []))
  )

const laws: Laws<Case, void> = {
  "what both sides have is the result": ({ base, main }) =>
    assert.deepStrictEqual(mergeDocuments({ base, main, ours: main }), { document: main, conflicts: [] }),

  "what one side alone changed is the result": ({ base, main, ours }) => {
    assert.deepStrictEqual(mergeDocuments({ base, main: base, ours }), { document: ours, conflicts: [] })
    assert.deepStrictEqual(mergeDocuments({ base, main, ours: base }), { document: main, conflicts: [] })
  },

  "no text is lost that its side did not delete": ({ base, main, merged, ours }) => {
    for (const made of [words, names]) {
      const kept = made([merged.document, merged.conflicts])
      const [inBase, inMain, inOurs] = [made(base), made(main), made(ours)]
      for (const word of [...inMain, ...inOurs]) {
        const isOwed = !inBase.has(word) || (inMain.has(word) && inOurs.has(word))
        if (isOwed) assert.isTrue(kept.has(word), word)
      }
    }
  },

  "no text that only one side touched is ever lost: it is in the document": ({ base, main, merged, ours }) => {
    const { document } = merged
    const [kept, known] = [words(document), words(base)]
    for (const [side, other] of [[main, ours] as const, [ours, main] as const]) {
      const inOther = words(other)
      for (const word of wordsOfOne(base, side, other)) {
        if (!known.has(word) || inOther.has(word)) assert.isTrue(kept.has(word), word)
      }
    }
  },

  "the document is as the types describe it, where both sides are": ({ main, merged, ours }) => {
    const known = new Set([main, ours].flatMap((side) => conformance(side).problems))
    const { problems } = conformance(merged.document)
    assert.deepStrictEqual(
      problems.filter((problem) => !known.has(problem)),
      []
    )
  },

  "what the document says is in its Markdown, where both sides say all in theirs": ({ main, merged, ours }) => {
    const hidden = (document: Document) => {
      const shown = words(Markdown.print(document))
      return Array.from(words(document)).filter((word) => !shown.has(word))
    }
    const known = new Set([main, ours].flatMap(hidden))
    assert.deepStrictEqual(
      hidden(merged.document).filter((word) => !known.has(word)),
      []
    )
  },

  "no frame is empty that is on neither side": ({ main, merged, ours }) => {
    const { conflicts, document } = merged
    const known = new Set([...[main, ours].flatMap(emptyFrames), ...conflicts.map(({ block }) => block)])
    assert.deepStrictEqual(
      emptyFrames(document).filter((key) => !known.has(key)),
      []
    )
  },

  "every reference and every length is one that a side has": ({ main, merged, ours }) => {
    const known = new Set([main, ours].flatMap(wholes))
    for (const whole of wholes(merged.document)) assert.isTrue(known.has(whole), whole)
  },

  "no word is there that neither side has, nor one that a side deleted where nobody touched it": ({
    main,
    merged,
    ours
  }) => {
    const known = words([main, ours])
    for (const word of words(merged.document)) assert.isTrue(known.has(word), word)
  },

  "keys are unique and the same blocks stay whichever side is called main": ({ base, main, merged, ours }) => {
    const one = merged.document
    const other = mergeDocuments({ base, main: ours, ours: main }).document
    const [inOne, inOther] = [new Set(keys(one)), new Set(keys(other))]
    assert.strictEqual(inOne.size, keys(one).length)
    // What both sides inserted alike has the key of the side that is called main.
    const rest = (from: Document, other: ReadonlySet<string>) =>
      entries(from)
        .flatMap(({ block }) => (other.has(block.key) ? [] : [block.type]))
        .toSorted()
    assert.deepStrictEqual(rest(one, inOther), rest(other, inOne))
    assert.strictEqual(inOne.size, inOther.size)
  },

  "every block stands in a block of a type in which one of the sides has it, or which a side made of that": ({
    main,
    merged,
    ours
  }) => {
    const all = [...entries(main), ...entries(ours)]
    const types = new Map<string | undefined, Set<string>>()
    for (const { key, type } of all.map(({ block }) => block)) types.set(key, (types.get(key) ?? new Set()).add(type))
    // A cell that both sides wrote anew has one id, main's.
    const place = (type: string | undefined, slot: string) => `${type} ${type === "table" ? "cell" : slot}`
    const parents = new Map<string, Set<string>>()
    for (const { block, parent, slot } of all) {
      const known = parents.get(block.key) ?? new Set()
      parents.set(block.key, known)
      // An item that one side deleted from a list may stay in what that side made of the list.
      for (const type of types.get(parent?.key) ?? [undefined]) known.add(place(type, slot))
    }
    for (const { block, parent, slot } of entries(merged.document)) {
      assert.isTrue(parents.get(block.key)!.has(place(parent?.type, slot)), `${block.key} in ${parent?.type}`)
    }
  },

  "the cells of a table are there, each once, and what is there is a cell": ({ merged }) => {
    for (const table of tables(merged.document)) {
      const cells = cellsOf(table)
      assert.strictEqual(new Set(cells).size, cells.length, table.key)
      assert.sameMembers(
        cells,
        (table.fragments ?? []).map(({ fragment }) => fragment!)
      )
    }
  },

  "every conflict can be settled by either side, and the keys stay unique": ({ merged }) => {
    const { conflicts, document } = merged
    for (const keep of ["main", "ours", "both"] as const) {
      let count = 0
      const settled = conflicts.reduce((current, conflict) => {
        const result = resolve(current, conflict, keep, () => `fresh${count++}`)
        if (Result.isSuccess(result)) return result.success
        // What an outer conflict took away is settled with it; a cell has no room for both.
        const isGone = !keys(current).includes(conflict.block)
        assert.isTrue(isGone || keep === "both", result.failure.message)
        return current
      }, document)
      assert.strictEqual(new Set(keys(settled)).size, keys(settled).length)
    }
  },

  "the same sides give the same result": ({ base, main, ours, merged }) => {
    const copy = JSON.parse(JSON.stringify({ base, main, ours })) as Sides
    assert.deepStrictEqual(mergeDocuments(copy), merged)
  },

  "without a base nothing is lost": ({ main, ours }) => {
    const merged = mergeDocuments({ base: undefined, main, ours })
    const kept = words([merged.document, merged.conflicts])
    for (const word of words([main, ours])) assert.isTrue(kept.has(word), word)
    assert.deepStrictEqual(mergeDocuments({ base: undefined, main, ours: main }), { document: main, conflicts: [] })
  },

  "a difference is empty exactly between equal documents": ({ base, main }) => {
    assert.deepStrictEqual(diff(main, main), [])
    assert.strictEqual(diff(base, main).length === 0, isDeepStrictEqual(withoutEmpty(base), withoutEmpty(main)))
  }
}

describe("the laws of merging documents", () => {
  it("hold", () => fc.assert(fc.property(cases, holding(laws)), runs(400, 10_000)))
})
