/** Menus of the tree of pages: actions of a row, its moves, and kinds of pages for a position. */
import type { RefObject } from "react"
import { Menu, MenuItem, Popover, Separator } from "react-aria-components"
import { text } from "../language/Language.ts"
import type { Direction } from "./TreeMoves.ts"

export const directionNames = ["up", "down", "in", "out"] as const satisfies ReadonlyArray<Direction>

/** Keys of moves by one step, as the menu names them. */
const stepKeys = { up: "Alt ↑", down: "Alt ↓", in: "Alt →", out: "Alt ←" } as const

const controlKey = navigator.platform.startsWith("Mac") ? "⌘" : "Ctrl"

/** An action with its text and its key, or a line between groups of actions. */
export type MenuEntry =
  | { readonly id: string; readonly label: string; readonly keys?: string; readonly isDanger?: boolean }
  | "line"

interface TreeMenuProps {
  readonly label: string
  readonly entries: ReadonlyArray<MenuEntry>
  readonly triggerRef: RefObject<Element | null>
  readonly onAction: (id: string) => void
  readonly onClose: () => void
}

export const TreeMenu = ({ label, entries, triggerRef, onAction, onClose }: TreeMenuProps) => (
  <Popover
    className="popover"
    aria-label={label}
    triggerRef={triggerRef}
    placement="bottom start"
    isOpen
    onOpenChange={(isOpen) => {
      if (!isOpen) onClose()
    }}
  >
    <Menu className="menu" aria-label={label} autoFocus="first" onAction={(key) => onAction(String(key))}>
      {entries.map((entry, i) =>
        entry === "line" ? (
          <Separator key={i} className="menu-line" />
        ) : (
          <MenuItem
            key={entry.id}
            id={entry.id}
            textValue={entry.label}
            className={entry.isDanger ? "menu-item danger" : "menu-item"}
          >
            {entry.label}
            {entry.keys && <kbd>{entry.keys}</kbd>}
          </MenuItem>
        )
      )}
    </Menu>
  </Popover>
)

/** Kinds of pages that people add by hand. */
export const insertions = (): ReadonlyArray<MenuEntry> => [
  { id: "document", label: text("tree.new.document") },
  { id: "group", label: text("tree.new.group") },
  { id: "link", label: text("tree.new.link") }
]

/** Returns the entries of moves by one step, and of the move by arrow keys. `directions`: possible steps. */
export const moveEntries = (directions: ReadonlyArray<Direction>): ReadonlyArray<MenuEntry> => [
  ...directions.map((direction) => ({
    id: direction,
    label: text(`tree.move.${direction}`),
    keys: stepKeys[direction]
  })),
  { id: "keys", label: text("tree.move.keys") }
]

interface RowState {
  readonly canChange: boolean
  /** False while a filter hides rows. */
  readonly canMove: boolean
  readonly canPaste: boolean
  /** False for a group, and for a link without a URL. */
  readonly hasAddress: boolean
  readonly isChosen: boolean
  readonly isHidden: boolean
}

/** Returns the actions of a row. */
export const rowEntries = (row: RowState): ReadonlyArray<MenuEntry> => {
  const openEntry: ReadonlyArray<MenuEntry> = row.hasAddress ? [{ id: "open", label: text("tree.openInTab") }] : []
  const copyEntry = { id: "copy", label: text("tree.copy"), keys: `${controlKey} C` }
  if (!row.canChange) return [...openEntry, copyEntry]
  return [
    ...openEntry,
    { id: "rename", label: text("tree.rename"), keys: "F2" },
    { id: "choose", label: text(row.isChosen ? "tree.unchoose" : "tree.choose") },
    "line",
    { id: "add", label: text("tree.addBelow") },
    ...(row.canMove ? [{ id: "moves", label: text("tree.move") }] : []),
    "line",
    copyEntry,
    { id: "cut", label: text("tree.cut"), keys: `${controlKey} X` },
    ...(row.canPaste ? [{ id: "paste", label: text("tree.paste"), keys: `${controlKey} V` }] : []),
    "line",
    row.isHidden ? { id: "show", label: text("tree.show") } : { id: "hide", label: text("tree.hide") },
    { id: "delete", label: text("tree.delete"), keys: "Del", isDanger: true }
  ]
}
