/**
 * The three-way merge of what a block says itself: its type, data, text and the list of its
 * fragments. The blocks inside it are merged on their own.
 */
import type { Block, Fragment, Inline, Text } from "../Document.ts"
import { fragmentNames, inlines } from "../BlockTree.ts"
import * as CodeLineMerge from "./CodeLineMerge.ts"
import { mergeData, type Merged } from "./DataMerge.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"
import { mergeOrder } from "./SiblingOrder.ts"
import { mergeTable } from "./TableMerge.ts"
import type { Part } from "../table/TableParts.ts"
import { mergeText } from "./TextMerge.ts"
import { blockSpec } from "../vocabulary/BlockTypes.ts"

const properties = (block: Block) => {
  const { fragments: _fragments, key: _key, nodes: _nodes, object: _object, ...rest } = block
  return rest
}

const withoutData = (block: Block) => {
  const { data: _data, ...rest } = properties(block)
  return rest
}

const description = (fragment: Fragment) => {
  const { key: _key, nodes: _nodes, object: _object, ...rest } = fragment
  return rest
}

/** A number for what a block says itself. */
export const ownPrint = (block: Block, prints: Fingerprints): number => prints.ownOf(block, said)

const said = (block: Block) => [properties(block), inlines(block), (block.fragments ?? []).map(description)]

export interface MergedBlock extends Merged<Block> {
  /** Of a table: what of it both sides changed differently. */
  readonly parts?: ReadonlyArray<Part>
}

/** The merged block; which blocks are in it has no meaning. */
export const mergeBlock = (base: Block | undefined, main: Block, ours: Block, prints: Fingerprints): MergedBlock => {
  if (base === ours) return { value: main, conflict: false }
  if (base === main || main === ours) return { value: ours, conflict: false }
  const [inBase, inMain, inOurs] = [base && ownPrint(base, prints), ownPrint(main, prints), ownPrint(ours, prints)]
  if (inBase === inOurs) return { value: main, conflict: false }
  if (inBase === inMain || inMain === inOurs) return { value: ours, conflict: false }
  const table = main.type === "table" && ours.type === "table" ? mergeTable(base, main, ours, prints) : undefined
  const described = (block: Block) => (table === undefined ? properties(block) : withoutData(block))
  const rest = mergeData(base && described(base), described(main), described(ours), prints)
  const text = mergeInlines(base === undefined ? [] : inlines(base), main, ours, prints)
  const fragments = mergeFragments(base?.fragments ?? [], main.fragments ?? [], ours.fragments ?? [])
  const { fitting, isLeftOver } = fittingData(rest.value as Block, main, ours)
  const value = {
    object: "block",
    key: ours.key,
    ...(rest.value as Omit<Block, "object" | "key">),
    ...(fitting && { data: fitting }),
    ...(table === undefined ? {} : { data: table.value }),
    ...(main.nodes === undefined && ours.nodes === undefined ? {} : { nodes: text.value }),
    ...(main.fragments === undefined && ours.fragments === undefined ? {} : { fragments })
  } satisfies Block
  const conflict =
    rest.conflict || text.conflict || (table?.conflict ?? false) || isLeftOver || isRefilled(base, main, ours)
  return { value, conflict, ...(table && { parts: table.parts }) }
}

/**
 * The fields of a block of which one side made another type: what the other side gave the former type, and this
 * one has no field for, is left over.
 */
const fittingData = (merged: Block, main: Block, ours: Block) => {
  if (main.type === ours.type || merged.data === undefined) return { fitting: undefined, isLeftOver: false }
  const own = (merged.type === ours.type ? ours : main).data ?? {}
  const { fields } = blockSpec(merged.type)
  const all = Object.entries(merged.data)
  const fitting = all.filter(([name]) => Object.hasOwn(fields, name) || Object.hasOwn(own, name))
  return { fitting: Object.fromEntries(fitting), isLeftOver: fitting.length < all.length }
}

/**
 * Tells whether one side made it a block of another type, and the other put a fragment in: a block of that
 * type may have no room to show it in.
 */
const isRefilled = (base: Block | undefined, main: Block, ours: Block): boolean => {
  if (base === undefined || main.type === ours.type) return false
  const known = byName(base.fragments ?? [])
  const [turned, other] = main.type === base.type ? [ours, main] : [main, ours]
  const room = byName(turned.fragments ?? [])
  return Array.from(byName(other.fragments ?? []).keys()).some((name) => !known.has(name) && !room.has(name))
}

const mergeInlines = (
  base: ReadonlyArray<Inline | Text>,
  main: Block,
  ours: Block,
  prints: Fingerprints
): Merged<ReadonlyArray<Inline | Text>> =>
  blockSpec(ours.type).is === "verbatim"
    ? CodeLineMerge.mergeLine(base, inlines(main), inlines(ours), prints)
    : mergeText(base, inlines(main), inlines(ours), prints)

type Fragments = ReadonlyArray<Fragment>

const mergeFragments = (base: Fragments, main: Fragments, ours: Fragments): Fragments => {
  const [inBase, inMain, inOurs] = [byName(base), byName(main), byName(ours)]
  const keeps = (name: string) => (inMain.has(name) && inOurs.has(name)) || !inBase.has(name)
  return mergeOrder([...inBase.keys()], [...inMain.keys()], [...inOurs.keys()], keeps).map(
    (name) => inOurs.get(name) ?? inMain.get(name)!
  )
}

export const byName = (fragments: Fragments): ReadonlyMap<string, Fragment> => {
  const names = fragmentNames(fragments)
  return new Map(fragments.map((fragment, i) => [names[i]!, fragment]))
}
