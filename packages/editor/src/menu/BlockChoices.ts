/** The blocks that the menu of `/` offers, and the effect of a choice. */
import { type BlockType, blockSpec } from "@lectern/document/vocabulary/BlockTypes"
import type { Command } from "prosemirror-state"
import type { EditorView } from "prosemirror-view"
import { turnBlockInto, turnIntoTypes } from "../BlockCommands.ts"
import * as Commands from "../Commands.ts"
import { englishWordsOf, signOf } from "../EditorTexts.ts"
import { openBlockForm } from "../form/BlockForm.ts"
import type { MenuContext } from "./MenuOptions.ts"
import { rectAt } from "./Popup.ts"

export interface BlockChoice {
  readonly type: BlockType
  readonly name: string
  readonly sign: string
  readonly words: string
}

/** Types that a person hardly inserts by hand: their data comes from programs of the host. */
const unusual: ReadonlySet<BlockType> = new Set([
  "integration",
  "swagger",
  "openapi-operation",
  "openapi-schemas",
  "openapi-webhook",
  "drawing",
  "footnote-definition"
])

export const blockChoices = ({ nameOf, types }: MenuContext): ReadonlyArray<BlockChoice> =>
  (types ?? sorted(Commands.insertableTypes.filter((type) => !unusual.has(type)))).map((type) => ({
    type,
    name: nameOf(type),
    sign: signOf(type),
    words: `${nameOf(type).toLocaleLowerCase()} ${englishWordsOf(type)}`
  }))

/** The commonest types come first: bullets before tasks. */
const sorted = (types: ReadonlyArray<BlockType>): ReadonlyArray<BlockType> => {
  const first: ReadonlyArray<BlockType> = [
    ...turnIntoTypes,
    "table",
    "images",
    "file",
    "divider",
    "expandable",
    "tabs",
    "stepper",
    "columns",
    "embed",
    "content-ref"
  ]
  return [...first.filter((type) => types.includes(type)), ...types.filter((type) => !first.includes(type))]
}

/** Returns the choices that have each word of the query. Those whose name has it come before those with a synonym. */
export const matchingChoices = (choices: ReadonlyArray<BlockChoice>, query: string): ReadonlyArray<BlockChoice> => {
  const words = query
    .toLocaleLowerCase()
    .split(/\s+/)
    .filter((word) => word !== "")
  if (words.length === 0) return choices
  const matches = choices.filter((choice) => words.every((word) => ` ${choice.words}`.includes(` ${word}`)))
  const found =
    matches.length > 0 ? matches : choices.filter((choice) => words.every((word) => choice.words.includes(word)))
  const isNamed = ({ name }: BlockChoice) => ` ${name.toLocaleLowerCase()}`.includes(` ${words[0]!}`)
  return [...found.filter(isNamed), ...found.filter((choice) => !isNamed(choice))]
}

const isTurnedInto = (type: BlockType): type is (typeof turnIntoTypes)[number] =>
  (turnIntoTypes as ReadonlyArray<BlockType>).includes(type)

/** Types whose block is useless until it has a value, so a form requests the value first. */
const valueFirst: { readonly [_ in BlockType]?: BlockType } = {
  images: "image",
  file: "file",
  "content-ref": "content-ref",
  "reusable-content": "reusable-content",
  embed: "embed",
  math: "math",
  if: "if"
}

/**
 * Inserts a block of a type at the cursor, or opens the form for its values first. Text at the cursor becomes text of the
 * type.
 */
export const insertChoice = (view: EditorView, context: MenuContext, type: BlockType): void => {
  const run = (command: Command) => command(view.state, view.dispatch, view)
  const { $from } = view.state.selection
  if (isTurnedInto(type) && $from.parent.isTextblock && run(turnBlockInto(type))) return view.focus()
  const form = valueFirst[type]
  const needsForm =
    form !== undefined ||
    Object.values(blockSpec(type).fields).some(({ isRequired, kind }) => isRequired === true && kind !== "properties")
  if (!needsForm) {
    run(Commands.insert(type, type === "hint" ? { style: "info" } : undefined))
    return view.focus()
  }
  const { from } = view.state.selection
  openBlockForm(view, context, {
    type: form ?? type,
    data: {},
    anchor: () => rectAt(view, Math.min(from, view.state.doc.content.size)),
    onData: (data) => {
      run(type === "images" ? Commands.insertPicture(data) : Commands.insert(type, data))
    }
  })
}
