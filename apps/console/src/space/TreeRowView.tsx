/** A row of the tree of pages. It is rendered again only if something on it changes. */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { memo } from "react"
import type { Page } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { text } from "../language/Language.ts"
import { canHaveChildren, titleOf } from "./PageTree.ts"

/** Height of a row, and space before a level (CSS pixels), as in `tree.css`. A finger needs higher rows. */
export const rowHeight = matchMedia("(pointer: coarse)").matches ? 42 : 34
export const indent = 16

export interface TreeRowProps {
  readonly page: Page
  /** URL of the page. Undefined for a group, and for a broken link. */
  readonly href: string | undefined
  readonly row: number
  readonly level: number
  readonly index: number
  readonly siblings: number
  readonly hasChildren: boolean
  readonly isOpen: boolean
  /** True for the row that the Tab key reaches. */
  readonly isActive: boolean
  /** True for the page on the screen. */
  readonly isCurrent: boolean
  readonly isSelected: boolean
  /** True if pages can be dropped into the page now. */
  readonly isTarget: boolean
  /** True while the page is dragged or cut. */
  readonly isMoving: boolean
  /** True for a parent of matches that does not match itself. */
  readonly isDimmed: boolean
  readonly canChange: boolean
  /** Called with a new title, or without one if the title stays. Undefined while the page is not renamed. */
  readonly onRename: ((title: string | undefined) => void) | undefined
}

const labelOf = (page: Page): string => {
  const marks = [
    page.type === "group" && text("tree.group"),
    page.type === "link" && text("tree.link"),
    page.hidden && text("tree.hidden")
  ].filter(Boolean)
  return [titleOf(page), ...marks].join(", ")
}

const classes = (names: { readonly [name: string]: boolean }): string =>
  Object.keys(names)
    .filter((name) => names[name])
    .join(" ")

export const TreeRowView = memo((props: TreeRowProps) => {
  const { canChange, hasChildren, href, isOpen, isSelected, level, onRename, page } = props
  const title = titleOf(page)
  const name = (
    <>
      {page.emoji && (
        <span className="tree-emoji" aria-hidden="true">
          {emojiCharacters(page.emoji)}
        </span>
      )}
      <span dir="auto">{title}</span>
    </>
  )
  return (
    <div
      role="treeitem"
      className={classes({
        "tree-row": true,
        current: props.isCurrent,
        selected: isSelected,
        target: props.isTarget,
        moving: props.isMoving,
        dimmed: props.isDimmed,
        group: page.type === "group"
      })}
      data-id={page.id}
      aria-label={labelOf(page)}
      aria-level={level}
      aria-posinset={props.index + 1}
      aria-setsize={props.siblings}
      aria-expanded={hasChildren ? isOpen : undefined}
      aria-selected={canChange ? isSelected : undefined}
      aria-current={props.isCurrent ? "page" : undefined}
      tabIndex={props.isActive ? 0 : -1}
      style={{ insetBlockStart: props.row * rowHeight }}
    >
      <div className="tree-cell" style={{ paddingInlineStart: (level - 1) * indent }}>
        {hasChildren ? (
          <button
            type="button"
            tabIndex={-1}
            className="tree-chevron"
            data-action="toggle"
            aria-label={text(isOpen ? "tree.collapse" : "tree.expand", { title })}
          >
            <Icon name="chevron" />
          </button>
        ) : (
          <span className="tree-chevron" />
        )}
        {onRename !== undefined ? (
          <RenameField title={page.title} onRename={onRename} />
        ) : href === undefined ? (
          <span className="tree-title">{name}</span>
        ) : (
          <a
            className="tree-title"
            href={href}
            tabIndex={-1}
            draggable={false}
            {...(page.type === "link" && { target: "_blank", rel: "noreferrer" })}
          >
            {name}
          </a>
        )}
        {page.type === "link" && (
          <span className="tree-mark">
            <Icon name="link" />
          </span>
        )}
        {page.hidden && (
          <span className="tree-mark" title={text("tree.hidden")}>
            <Icon name="hidden" />
          </span>
        )}
        {onRename === undefined && canChange && canHaveChildren(page) && (
          <button
            type="button"
            tabIndex={-1}
            className="tree-action"
            data-action="add"
            aria-label={text("tree.addInside", { title })}
            aria-haspopup="menu"
          >
            <Icon name="add" />
          </button>
        )}
        {onRename === undefined && (
          <button
            type="button"
            tabIndex={-1}
            className="tree-action"
            data-action="menu"
            aria-label={text("tree.menu", { title })}
            aria-haspopup="menu"
          >
            <Icon name="more" />
          </button>
        )}
      </div>
    </div>
  )
})

const maxTitle = 256

const focusAll = (field: HTMLInputElement | null): void => {
  field?.focus()
  field?.select()
}

interface RenameFieldProps {
  readonly title: string
  readonly onRename: (title: string | undefined) => void
}

/** A field in place of the title. Enter and leaving the field rename, Escape does not. */
const RenameField = ({ onRename, title }: RenameFieldProps) => (
  <input
    className="tree-rename"
    aria-label={text("tree.title")}
    defaultValue={title}
    maxLength={maxTitle}
    dir="auto"
    ref={focusAll}
    onKeyDown={(event) => {
      event.stopPropagation()
      if (event.nativeEvent.isComposing) return
      if (event.key === "Enter") onRename(event.currentTarget.value)
      else if (event.key === "Escape") onRename(undefined)
    }}
    onBlur={(event) => onRename(event.currentTarget.value)}
  />
)
