/** Menus of the tree of pages: of a row, and of a position between two rows. */
import type { RefObject } from "react"
import { Menu, MenuItem, Popover, Separator } from "react-aria-components"
import { text } from "../language/Language.ts"

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
