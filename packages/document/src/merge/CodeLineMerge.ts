/**
 * Three-way merge of a line of code. Indentation and content are each merged as a whole, so an edit of a line survives
 * if the other side indented the line.
 */
import type { Inline, Leaf, Text } from "../Document.ts"
import type { Merged } from "./DataMerge.ts"
import type { Fingerprints } from "../alignment/Fingerprints.ts"

type Nodes = ReadonlyArray<Inline | Text>

interface Line {
  readonly indentation: string
  readonly rest: Nodes
}

export const mergeLine = (base: Nodes, main: Nodes, ours: Nodes, fingerprints: Fingerprints): Merged<Nodes> => {
  const [baseLine, mainLine, ourLine] = [splitIndentation(base), splitIndentation(main), splitIndentation(ours)]
  const lineSide = changedSide(fingerprints.of(base), fingerprints.of(main), fingerprints.of(ours))
  if (lineSide !== undefined) return { value: lineSide === "main" ? main : ours, conflict: false }
  const indentationSide = changedSide(baseLine.indentation, mainLine.indentation, ourLine.indentation)
  const restSide = changedSide(
    fingerprints.of(baseLine.rest),
    fingerprints.of(mainLine.rest),
    fingerprints.of(ourLine.rest)
  )
  if (indentationSide === undefined || restSide === undefined || base.length === 0)
    return { value: ours, conflict: true }
  const lines = { main: mainLine, ours: ourLine }
  return {
    value: joinIndentation({ indentation: lines[indentationSide].indentation, rest: lines[restSide].rest }),
    conflict: false
  }
}

/** Returns the side that changed the value, or `ours` if both made the same change. Undefined if the changes differ. */
const changedSide = <A>(base: A, main: A, ours: A): "main" | "ours" | undefined =>
  base === ours ? "main" : base === main || main === ours ? "ours" : undefined

/** Splits a line into the leading white space of the first leaf and the rest. */
const splitIndentation = (nodes: Nodes): Line => {
  const [first, ...others] = nodes
  if (first?.object !== "text") return { indentation: "", rest: nodes }
  const [leaf, ...leaves] = first.leaves
  const indentation = leaf === undefined ? "" : leaf.text.slice(0, leaf.text.length - leaf.text.trimStart().length)
  return { indentation, rest: [withLeaves(first, leaf, leaves, leaf?.text.slice(indentation.length)), ...others] }
}

const joinIndentation = ({ indentation, rest }: Line): Nodes => {
  const [first, ...others] = rest
  if (indentation === "") return rest
  if (first?.object !== "text") {
    return [{ object: "text", leaves: [{ object: "leaf", text: indentation, marks: [] }] }, ...rest]
  }
  const [leaf, ...leaves] = first.leaves
  return [withLeaves(first, leaf, leaves, indentation + (leaf?.text ?? "")), ...others]
}

const withLeaves = (
  text: Text,
  first: Leaf | undefined,
  others: ReadonlyArray<Leaf>,
  value: string | undefined
): Text => ({
  ...text,
  leaves: value === undefined ? others : [{ ...(first ?? { object: "leaf", marks: [] }), text: value }, ...others]
})
