/**
 * Brings a newer version of the document into the open editor as one transaction: only differences are replaced, block
 * by block, so that the selection stays where it was and undo keeps to one's own edits.
 *
 * Nodes correspond by their identity: the key of a block, the id of a row, the column of a cell. A block that moved is
 * deleted and inserted, and a selection in it follows.
 */
import { longestIncreasingSubsequence, matchEqual } from "@lectern/document/alignment/SequenceMatch"
import { WorkBudget } from "@lectern/document/alignment/WorkBudget"
import { Fragment, type Node, type ResolvedPos, Slice } from "prosemirror-model"
import { type EditorState, TextSelection, type Transaction } from "prosemirror-state"
import { ReplaceStep } from "prosemirror-transform"

/** Mark of the transaction (see `Transaction.getMeta`). */
export const documentUpdate = "documentUpdate"

/** Returns the transaction of an edit after which the state has the content of `target`. */
export const editTo = (state: EditorState, target: Node): Transaction => {
  const { tr } = state
  replaceChildren(tr, tr.doc, target, 0)
  restoreSelection(tr, state)
  return tr
}

/** Returns the transaction of an update after which the state has the content of `target`. */
export const updateTo = (state: EditorState, target: Node): Transaction =>
  editTo(state, target).setMeta(documentUpdate, true).setMeta("addToHistory", false)

/** Returns the identity of a node among its siblings. */
const identityOf = ({ attrs, type }: Node): string =>
  `${attrs["key"] ?? attrs["id"] ?? ""} ${attrs["column"] ?? ""} ${type.name.includes("/") || attrs["column"] != null ? type.name : ""}`

/** Replaces the children of a node. `start`: position of its content. */
const replaceChildren = (tr: Transaction, from: Node, to: Node, start: number): void => {
  if (from.content.eq(to.content)) return
  if (from.inlineContent) return replaceInlines(tr, from, to, start)
  const starts = childStarts(from, start)
  // From the last to the first, so that the positions before stay valid.
  let [oldEnd, newEnd] = [from.childCount, to.childCount]
  for (const [oldIndex, newIndex] of correspondence(from, to).toReversed()) {
    replaceRun(tr, starts[oldIndex + 1]!, starts[oldEnd]!, to.children.slice(newIndex + 1, newEnd))
    replaceNode(tr, from.child(oldIndex), to.child(newIndex), starts[oldIndex]!)
    ;[oldEnd, newEnd] = [oldIndex, newIndex]
  }
  replaceRun(tr, starts[0]!, starts[oldEnd]!, to.children.slice(0, newEnd))
}

const childStarts = (node: Node, start: number): ReadonlyArray<number> => {
  const starts = [start]
  for (const child of node.children) starts.push(starts.at(-1)! + child.nodeSize)
  return starts
}

const replaceRun = (tr: Transaction, from: number, to: number, nodes: ReadonlyArray<Node>): void => {
  if (from === to && nodes.length === 0) return
  // A plain step does not adapt the content, which is already valid in the target.
  tr.step(new ReplaceStep(from, to, new Slice(Fragment.from(nodes), 0, 0)))
}

const replaceNode = (tr: Transaction, from: Node, to: Node, position: number): void => {
  if (from.eq(to)) return
  if (!from.hasMarkup(to.type, to.attrs) && (from.type !== to.type || from.isAtom)) {
    return replaceRun(tr, position, position + from.nodeSize, [to])
  }
  const before = tr.steps.length
  try {
    replaceChildren(tr, from, to, position + 1)
    if (!from.hasMarkup(to.type, to.attrs)) tr.setNodeMarkup(position, null, to.attrs)
  } catch (error) {
    // Between two steps the content may be one that the schema refuses.
    if (!(error instanceof RangeError) && (error as Error).name !== "TransformError") throw error
    const end = tr.mapping.slice(before).map(position + from.nodeSize, -1)
    replaceRun(tr, position, end, [to])
  }
}

/** Replaces differences of a text word by word: edits of two people in one block stay apart, and each can be undone. */
const replaceInlines = (tr: Transaction, from: Node, to: Node, start: number): void => {
  const ids = new Map<string, number>()
  const idOf = ({ key }: Piece): number => ids.get(key) ?? ids.set(key, ids.size).size - 1
  const [oldPieces, newPieces] = [piecesOf(from), piecesOf(to)]
  const pairs = matchEqual(oldPieces.map(idOf), newPieces.map(idOf), new WorkBudget())
  // From the last to the first, so that the positions before stay valid.
  let [oldEnd, newEnd] = [from.content.size, to.content.size]
  for (const [oldIndex, newIndex] of pairs.toReversed()) {
    const [oldPiece, newPiece] = [oldPieces[oldIndex]!, newPieces[newIndex]!]
    replaceInline(tr, from, to, start, [oldPiece.end, oldEnd], [newPiece.end, newEnd])
    ;[oldEnd, newEnd] = [oldPiece.start, newPiece.start]
  }
  replaceInline(tr, from, to, start, [0, oldEnd], [0, newEnd])
}

type Range = readonly [start: number, end: number]

const replaceInline = (tr: Transaction, from: Node, to: Node, start: number, old: Range, next: Range): void => {
  if (old[0] === old[1] && next[0] === next[1]) return
  const [before, after] = [from.cut(...old).content, to.cut(...next).content]
  // The cursor may be in a part of a word that both have.
  const first = before.findDiffStart(after)
  if (first === null) return
  let { a: oldEnd, b: newEnd } = before.findDiffEnd(after)!
  // The ends may overlap the start where a text repeats itself.
  const overlap = first - Math.min(oldEnd, newEnd)
  if (overlap > 0) [oldEnd, newEnd] = [oldEnd + overlap, newEnd + overlap]
  const position = start + old[0]
  tr.step(new ReplaceStep(position + first, position + oldEnd, to.slice(next[0] + first, next[0] + newEnd)))
}

/** A word, the space between words, or another inline node. Pieces with equal keys have equal content. */
interface Piece {
  readonly key: string
  readonly start: number
  readonly end: number
}

const piecesOf = (node: Node): ReadonlyArray<Piece> => {
  const pieces: Array<Piece> = []
  node.forEach((child, offset) => {
    const marks = JSON.stringify(child.marks)
    const parts = child.isText ? child.text!.match(/\s+|\S+/g)! : [JSON.stringify(child)]
    let start = offset
    for (const part of parts) {
      const end = start + (child.isText ? part.length : child.nodeSize)
      pieces.push({ key: `${marks}${part}`, start, end })
      start = end
    }
  })
  return pieces
}

/** Returns the pairs of children that correspond, in order on both sides: the longest such sequence. */
const correspondence = (from: Node, to: Node): ReadonlyArray<readonly [number, number]> => {
  const newIndexes = new Map(to.children.map((child, index) => [identityOf(child), index]))
  const pairs = from.children.flatMap((child, index): ReadonlyArray<readonly [number, number]> => {
    const newIndex = newIndexes.get(identityOf(child))
    if (newIndex === undefined) return []
    newIndexes.delete(identityOf(child))
    return [[index, newIndex]]
  })
  return longestIncreasingSubsequence(pairs.map(([, newIndex]) => newIndex)).map((i) => pairs[i]!)
}

/** Puts the ends of the selection back into their blocks, if these were moved or replaced. */
const restoreSelection = (tr: Transaction, { doc, selection }: EditorState): void => {
  if (!(selection instanceof TextSelection)) return
  const restored = [selection.$anchor, selection.$head].map((end) => restoredPosition(tr, doc, end))
  if (restored.every((position) => position === undefined)) return
  const [anchor, head] = restored.map(
    (position, i) => position ?? tr.mapping.map(i === 0 ? selection.anchor : selection.head)
  )
  tr.setSelection(TextSelection.between(tr.doc.resolve(anchor!), tr.doc.resolve(head!)))
}

/** Returns the new position of an end of the selection. Undefined if the mapping of the steps has it right. */
const restoredPosition = (tr: Transaction, before: Node, end: ResolvedPos): number | undefined => {
  const key: unknown = end.parent.attrs["key"]
  if (typeof key !== "string" || !tr.mapping.mapResult(end.before()).deletedAfter) return undefined
  const found = positionOf(tr.doc, key)
  if (found === undefined || positionOf(before, key) === undefined) return undefined
  return found.position + 1 + Math.min(end.parentOffset, found.node.content.size)
}

/** Returns the block with a key, and its position. */
export const positionOf = (root: Node, key: string): { readonly node: Node; readonly position: number } | undefined => {
  let found: { readonly node: Node; readonly position: number } | undefined
  root.descendants((node, position) => {
    if (found === undefined && node.attrs["key"] === key) found = { node, position }
    return found === undefined && !node.isTextblock
  })
  return found
}
