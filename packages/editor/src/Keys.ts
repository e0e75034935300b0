/** Keys of the editor. `Mod` is Command on a Mac and Control elsewhere. */
import { baseKeymap, chainCommands } from "prosemirror-commands"
import { redo, undo } from "prosemirror-history"
import { undoInputRule } from "prosemirror-inputrules"
import { keymap } from "prosemirror-keymap"
import { type Command, type Plugin, Selection } from "prosemirror-state"
import * as BlockCommands from "./BlockCommands.ts"
import * as Commands from "./Commands.ts"
import * as Table from "./table/TableCommands.ts"

export const keys: { readonly [key: string]: Command } = {
  "Mod-b": Commands.toggle("bold"),
  "Mod-i": Commands.toggle("italic"),
  "Mod-u": Commands.toggle("underline"),
  "Mod-e": Commands.toggle("code"),
  "Mod-Shift-s": Commands.toggle("strikethrough"),
  "Mod-z": undo,
  "Mod-Shift-z": redo,
  "Mod-y": redo,
  "Mod-d": BlockCommands.duplicateBlock,
  "Mod-Enter": chainCommands(Commands.toggleTask, Commands.leaveBlock),
  "Mod-Alt-0": chainCommands(BlockCommands.turnSeveralInto("paragraph"), Commands.turnInto("paragraph")),
  "Mod-Alt-1": chainCommands(BlockCommands.turnSeveralInto("heading-1"), Commands.turnInto("heading-1")),
  "Mod-Alt-2": chainCommands(BlockCommands.turnSeveralInto("heading-2"), Commands.turnInto("heading-2")),
  "Mod-Alt-3": chainCommands(BlockCommands.turnSeveralInto("heading-3"), Commands.turnInto("heading-3")),
  "Mod-Alt-7": chainCommands(BlockCommands.turnSeveralInto("list-ordered"), Commands.toggleList("list-ordered")),
  "Mod-Alt-8": chainCommands(BlockCommands.turnSeveralInto("list-unordered"), Commands.toggleList("list-unordered")),
  "Mod-Alt-9": chainCommands(BlockCommands.turnSeveralInto("list-tasks"), Commands.toggleList("list-tasks")),
  "Shift-Enter": Commands.breakLine,
  Enter: chainCommands(
    BlockCommands.enterBlock,
    Commands.splitCodeLine,
    Commands.splitItem,
    Table.goToCellBelow,
    baseKeymap["Enter"]!
  ),
  Tab: chainCommands(Commands.indentItem, Commands.indentCode, Table.goToCell(1)),
  "Shift-Tab": chainCommands(Commands.outdentItem, Table.goToCell(-1)),
  ArrowUp: chainCommands(BlockCommands.selectSibling(-1), Table.goAcrossCells(-1)),
  ArrowDown: chainCommands(BlockCommands.selectSibling(1), Table.goAcrossCells(1)),
  "Shift-ArrowUp": BlockCommands.extendBlocks(-1),
  "Shift-ArrowDown": BlockCommands.extendBlocks(1),
  "Alt-ArrowUp": BlockCommands.moveBlocks(-1),
  "Alt-ArrowDown": BlockCommands.moveBlocks(1),
  "Alt-Enter": Table.addRow("above"),
  "Alt-Shift-Enter": Table.addRow("below"),
  Home: BlockCommands.goTo(({ selection }) => Selection.near(selection.$from)),
  End: BlockCommands.goTo(({ selection }) => Selection.near(selection.$to, -1)),
  "Mod-Home": BlockCommands.goTo(({ doc }) => Selection.atStart(doc)),
  "Mod-End": BlockCommands.goTo(({ doc }) => Selection.atEnd(doc)),
  Delete: chainCommands(BlockCommands.deleteSelectedBlocks, baseKeymap["Delete"]!),
  Backspace: chainCommands(undoInputRule, BlockCommands.deleteSelectedBlocks, baseKeymap["Backspace"]!),
  Escape: BlockCommands.selectBlock
}

export const editorKeys = (): ReadonlyArray<Plugin> => [keymap(keys), keymap(baseKeymap)]
