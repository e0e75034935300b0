/**
 * Three-way merge of a block's own content: type, data, text and the list of fragments. Child blocks are merged
 * separately.
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

const ownProperties = (block: Block) => {
  const { fragments: _fragments, key: _key, nodes: _nodes, object: _object, ...rest } = block
  return rest
}

const withoutData = (block: Block) => {
  const { data: _data, ...rest } = ownProperties(block)
  return rest
}

const fragmentProperties = (fragment: Fragment) => {
  const { key: _key, nodes: _nodes, object: _object, ...rest } = fragment
  return rest
}

/** Returns a number for a block's own content. Equal content has equal numbers. */
export const contentFingerprint = (block: Block, fingerprints: Fingerprints): number =>
  fingerprints.ofAspect(block, ownContent)

const ownContent = (block: Block) => [
  ownProperties(block),
  inlines(block),
  (block.fragments ?? []).map(fragmentProperties)
]

export interface MergedBlock extends Merged<Block> {
  /** Headers, rows and cells of a table that both sides changed differently. */
  readonly parts?: ReadonlyArray<Part>
}

/** Returns the merged block. Callers replace its child blocks. */
export const mergeBlock = (
  base: Block | undefined,
  main: Block,
  ours: Block,
  fingerprints: Fingerprints
): MergedBlock => {
  if (base === ours) return { value: main, conflict: false }
  if (base === main || main === ours) return { value: ours, conflict: false }
  const [inBase, inMain, inOurs] = [
    base && contentFingerprint(base, fingerprints),
    contentFingerprint(main, fingerprints),
    contentFingerprint(ours, fingerprints)
  ]
  if (inBase === inOurs) return { value: main, conflict: false }
  if (inBase === inMain || inMain === inOurs) return { value: ours, conflict: false }
  const table = main.type === "table" && ours.type === "table" ? mergeTable(base, main, ours, fingerprints) : undefined
  const mergedProperties = (block: Block) => (table === undefined ? ownProperties(block) : withoutData(block))
  const rest = mergeData(base && mergedProperties(base), mergedProperties(main), mergedProperties(ours), fingerprints)
  const text = mergeInlines(base === undefined ? [] : inlines(base), main, ours, fingerprints)
  const fragments = mergeFragments(base?.fragments ?? [], main.fragments ?? [], ours.fragments ?? [])
  const { fitting, hasUnfitting } = fittingData(rest.value as Block, main, ours)
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
    rest.conflict ||
    text.conflict ||
    (table?.conflict ?? false) ||
    hasUnfitting ||
    addsFragmentToRetyped(base, main, ours)
  return { value, conflict, ...(table && { parts: table.parts }) }
}

/**
 * Removes data fields that do not fit if one side changed the type of a block: fields that the new type lacks and that
 * only the other side set. `hasUnfitting` is true if at least one field was removed.
 */
const fittingData = (merged: Block, main: Block, ours: Block) => {
  if (main.type === ours.type || merged.data === undefined) return { fitting: undefined, hasUnfitting: false }
  const ownData = (merged.type === ours.type ? ours : main).data ?? {}
  const { fields } = blockSpec(merged.type)
  const entries = Object.entries(merged.data)
  const fitting = entries.filter(([name]) => Object.hasOwn(fields, name) || Object.hasOwn(ownData, name))
  return { fitting: Object.fromEntries(fitting), hasUnfitting: fitting.length < entries.length }
}

/**
 * Returns true if one side changed the type of the block and the other side added a fragment. The new type may not
 * display that fragment.
 */
const addsFragmentToRetyped = (base: Block | undefined, main: Block, ours: Block): boolean => {
  if (base === undefined || main.type === ours.type) return false
  const baseFragments = fragmentsByName(base.fragments ?? [])
  const [retypedBlock, otherBlock] = main.type === base.type ? [ours, main] : [main, ours]
  const retypedFragments = fragmentsByName(retypedBlock.fragments ?? [])
  return Array.from(fragmentsByName(otherBlock.fragments ?? []).keys()).some(
    (name) => !baseFragments.has(name) && !retypedFragments.has(name)
  )
}

const mergeInlines = (
  base: ReadonlyArray<Inline | Text>,
  main: Block,
  ours: Block,
  fingerprints: Fingerprints
): Merged<ReadonlyArray<Inline | Text>> =>
  blockSpec(ours.type).contentKind === "verbatim"
    ? CodeLineMerge.mergeLine(base, inlines(main), inlines(ours), fingerprints)
    : mergeText(base, inlines(main), inlines(ours), fingerprints)

type Fragments = ReadonlyArray<Fragment>

const mergeFragments = (base: Fragments, main: Fragments, ours: Fragments): Fragments => {
  const [inBase, inMain, inOurs] = [fragmentsByName(base), fragmentsByName(main), fragmentsByName(ours)]
  const survives = (name: string) => (inMain.has(name) && inOurs.has(name)) || !inBase.has(name)
  return mergeOrder([...inBase.keys()], [...inMain.keys()], [...inOurs.keys()], survives).map(
    (name) => inOurs.get(name) ?? inMain.get(name)!
  )
}

export const fragmentsByName = (fragments: Fragments): ReadonlyMap<string, Fragment> => {
  const names = fragmentNames(fragments)
  return new Map(fragments.map((fragment, i) => [names[i]!, fragment]))
}
