/**
 * The tree of pages. Pages are opened, and in a change request renamed in place, moved, copied and deleted, one or
 * several at once. All of it works with a pointer, a finger, and with the keyboard alone:
 *
 * - arrows, Home, End, Page Up and Page Down go through the rows, letters to a title; Enter opens, F2 renames
 * - Alt with arrows moves by one step; after "Move" in the menu, arrows select a position, which a screen reader names
 * - Shift with arrows, Space, and Control with A select; Delete deletes; Control with X, C and V cut, copy and paste
 *
 * Only rows near the visible ones are in the document, and a row that did not change is not rendered again. So a tree of
 * 10,000 pages stays fast. Events are handled by the tree, not by each row.
 */
import { useNavigate } from "@tanstack/react-router"
import {
  type FocusEvent,
  type KeyboardEvent,
  lazy,
  type MouseEvent,
  type PointerEvent,
  Suspense,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState
} from "react"
import type { ContentPlace } from "../api/Queries.ts"
import type { Page } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { countedText, text } from "../language/Language.ts"
import { describePlace, DropGhost, moveGhost } from "./DropGhost.tsx"
import { copiedPages, copyPages } from "./PageCopies.ts"
import { childrenOf, findPage, titleOf } from "./PageTree.ts"
import { followDrag, isDragRunning } from "./PointerDrag.ts"
import { directionOf, isRightToLeft, logicalKey } from "./TreeKeys.ts"
import { directionNames, insertions, type MenuEntry, moveEntries, rowEntries, TreeMenu } from "./TreeMenu.tsx"
import { canMoveTo, type Direction, movesTo, step } from "./TreeMoves.ts"
import {
  type Drop,
  dropAt,
  filteredRows,
  neighborsOf,
  nextDrop,
  positionOf,
  type TreePosition,
  type TreeRow,
  typedRow,
  visibleRows
} from "./TreeRows.ts"
import { indent, rowHeight, TreeRowView } from "./TreeRowView.tsx"
import { type NewPage, useTreeWrites } from "./TreeWrites.ts"
import { useVisibleRange } from "./VisibleRange.ts"

const DeletePages = lazy(async () => ({ default: (await import("./DeletePages.tsx")).DeletePages }))
const NewLink = lazy(async () => ({ default: (await import("./NewLink.tsx")).NewLink }))

/** Pause after which letters start a new search for a title (ms). */
const typingPause = 700

/** Distance from the edge between two rows at which a pointer can add a page there (CSS pixels). */
const insertDistance = 6

const none: ReadonlySet<string> = new Set()

export interface PagesTreeProps {
  readonly place: ContentPlace
  readonly pages: ReadonlyArray<Page>
  /** Id of the page on the screen. */
  readonly selected: string | undefined
  /** True if pages can be renamed, moved and deleted. */
  readonly canChange: boolean
  /** Shows matching pages with their parents. Empty: all pages. */
  readonly filter: string
}

/** Returns the path of the screen of a page. */
const pathOf = ({ space, changeRequest }: ContentPlace, page: string): string =>
  `/spaces/${space}${changeRequest === undefined ? "" : `/changes/${changeRequest}`}/pages/${page}`

const hrefOf = (place: ContentPlace, page: Page): string | undefined =>
  page.type === "group" ? undefined : page.type === "link" ? page.href : pathOf(place, page.id)

const expandedKey = (space: string) => `lectern-tree-${space}`

const storedExpanded = (space: string): ReadonlyArray<string> => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(expandedKey(space)) ?? "[]")
    return Array.isArray(stored) ? stored.map(String) : []
  } catch {
    return []
  }
}

const describeDrop = (rows: ReadonlyArray<TreeRow>, drop: Drop): string =>
  describePlace(neighborsOf(rows, drop), drop.type === "into")

/** Pages that are being moved, by a pointer or by the keyboard. */
interface Moving {
  readonly ids: ReadonlySet<string>
  readonly drop: Drop
  readonly isByKeyboard: boolean
}

interface OpenMenu {
  /** `row`: actions of a page. `moves`: steps of a page. `add`: kinds of pages for a position. */
  readonly type: "row" | "moves" | "add"
  /** Id of the page of the menu. Undefined for a position between two rows. */
  readonly page: string | undefined
  readonly position: TreePosition
}

export const PagesTree = ({ place, pages, selected, canChange, filter }: PagesTreeProps) => {
  const { space } = place
  const navigate = useNavigate()
  const writes = useTreeWrites(place, pages, selected)
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(storedExpanded(space)))
  const [active, setActive] = useState<string>()
  const [chosen, setChosen] = useState<ReadonlySet<string>>(none)
  const [renamed, setRenamed] = useState<string>()
  const [deleted, setDeleted] = useState<ReadonlySet<string>>()
  /** Pages that move when they are pasted. */
  const [cut, setCut] = useState(none)
  const [newLink, setNewLink] = useState<TreePosition>()
  const [moving, setMoving] = useState<Moving>()
  const [menu, setMenu] = useState<OpenMenu>()
  const [gap, setGap] = useState<number>()
  const [announcement, announce] = useState("")
  const scroller = useRef<HTMLDivElement>(null)
  const ghost = useRef<HTMLDivElement>(null)
  const menuTrigger = useRef<Element>(null)
  /** First row of a selection by Shift. */
  const anchor = useRef<string>(undefined)
  const typed = useRef({ text: "", at: 0 })
  /** True after a drag, whose release is not a click. */
  const ignoresClick = useRef(false)
  const hasFocus = useRef(false)
  /** Id of a row that gets the focus when it is rendered. */
  const focusNext = useRef<string>(undefined)

  const isFiltered = filter.trim() !== ""
  const { matches, rows } = useMemo(
    () => (isFiltered ? filteredRows(pages, filter) : { rows: visibleRows(pages, expanded), matches: undefined }),
    [pages, expanded, filter, isFiltered]
  )
  const rowOfPage = useMemo(() => new Map<string, number>(rows.map(({ page }, row) => [page.id, row])), [rows])
  const { range, reveal } = useVisibleRange(scroller, rows.length, rowHeight)
  const isEditable = canChange && !isFiltered

  const activeRow = rowOfPage.get(active ?? selected ?? "") ?? 0
  const lastActiveRow = useRef(activeRow)

  // The parents of the page on the screen are open.
  useEffect(() => {
    const parents = findPage(pages, selected)?.parents ?? []
    if (parents.length > 0)
      setExpanded((before) =>
        parents.every(({ id }) => before.has(id))
          ? before
          : new Set<string>([...before, ...parents.map(({ id }) => id)])
      )
  }, [pages, selected])
  useEffect(() => sessionStorage.setItem(expandedKey(space), JSON.stringify([...expanded])), [expanded, space])

  // The page on the screen is visible when it changes.
  const revealed = useRef<string>(undefined)
  useLayoutEffect(() => {
    const row = rowOfPage.get(selected ?? "")
    if (selected === revealed.current || row === undefined) return
    revealed.current = selected
    reveal(row, "center")
  }, [reveal, rowOfPage, selected])

  // A row that is deleted leaves the focus to the row in its place.
  useLayoutEffect(() => {
    if (active !== undefined && !rowOfPage.has(active)) {
      const next = rows[Math.min(lastActiveRow.current, rows.length - 1)]?.page.id
      if (hasFocus.current && document.activeElement === document.body) focusNext.current = next
      setActive(next)
    }
    lastActiveRow.current = activeRow
  }, [active, activeRow, rowOfPage, rows])

  const focusWaiting = (): void => {
    const id = focusNext.current
    if (id === undefined) return
    const element = scroller.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`)
    if (!element) return
    // A field for the title takes the focus by itself.
    if (renamed !== id) element.focus({ preventScroll: true })
    if (element.contains(document.activeElement)) focusNext.current = undefined
  }
  useLayoutEffect(focusWaiting)
  // The tree is inert until the effects of a closed menu have ended.
  useEffect(focusWaiting)

  // Pages that were deleted are not selected.
  useEffect(() => {
    setChosen((before) => {
      const present = [...before].filter((id) => findPage(pages, id) !== undefined)
      return present.length === before.size ? before : new Set(present)
    })
  }, [pages])

  // A finger that drags does not scroll.
  useEffect(() => {
    const element = scroller.current!
    const stop = (event: TouchEvent) => {
      if (isDragRunning()) event.preventDefault()
    }
    element.addEventListener("touchmove", stop, { passive: false })
    return () => element.removeEventListener("touchmove", stop)
  }, [])

  const focusRow = (row: number): void => {
    const id = rows[row]?.page.id
    if (id === undefined) return
    reveal(row)
    focusNext.current = id
    setActive(id)
  }

  const toggle = (id: string, open?: boolean): void =>
    setExpanded((before) => {
      const next = new Set(before)
      if (open ?? !before.has(id)) next.add(id)
      else next.delete(id)
      return next
    })

  const open = (page: Page): void => {
    if (page.type === "group") toggle(page.id)
    else if (page.type === "link") {
      if (page.href !== undefined) window.open(page.href, "_blank", "noreferrer")
    } else void navigate({ href: pathOf(place, page.id) })
  }

  const choose = (ids: ReadonlySet<string>): void => {
    setChosen(ids)
    announce(ids.size === 0 ? text("tree.noneChosen") : countedText("tree.chosen", ids.size))
  }

  const chooseTo = (row: number): void => {
    anchor.current ??= rows[activeRow]?.page.id
    const from = rowOfPage.get(anchor.current ?? "") ?? row
    choose(new Set<string>(rows.slice(Math.min(from, row), Math.max(from, row) + 1).map(({ page }) => page.id)))
  }

  const toggleChosen = (id: string): void => {
    anchor.current = id
    const next = new Set(chosen)
    if (!next.delete(id)) next.add(id)
    choose(next)
  }

  const clearChosen = (): void => {
    anchor.current = undefined
    if (chosen.size > 0) choose(none)
  }

  /** Returns the selected pages, if a page is one of them, or the page alone. */
  const withChosen = (id: string): ReadonlySet<string> => (chosen.has(id) ? chosen : new Set([id]))

  const startRename = (id: string): void => {
    if (!canChange) return
    focusRow(rowOfPage.get(id)!)
    setRenamed(id)
  }

  const renaming = useRef(renamed)
  renaming.current = renamed
  const finishRename = useCallback(
    (title: string | undefined) => {
      const id = renaming.current
      if (id === undefined) return
      renaming.current = undefined
      setRenamed(undefined)
      if (document.activeElement?.classList.contains("tree-rename")) focusNext.current = id
      const next = title?.trim()
      if (next && next !== findPage(pages, id)?.page.title) void writes.rename(id, next)
    },
    [pages, writes]
  )

  const moveSteps = (id: string, direction: Direction): void => {
    const moves = step(pages, withChosen(id), direction)
    if (moves.length === 0) return
    const { into } = moves[0]!
    if (into !== null) toggle(into, true)
    void writes.move(moves)
  }

  const startMoving = (id: string): void => {
    const row = rowOfPage.get(id)!
    const drop: Drop = { type: "gap", gap: row, level: rows[row]!.level }
    setMoving({ ids: withChosen(id), drop, isByKeyboard: true })
    focusRow(row)
    announce(text("tree.moving"))
  }

  const finishMoving = ({ drop, ids }: Moving): void => {
    setMoving(undefined)
    const position = positionOf(rows, drop)
    const moves = movesTo(pages, ids, position)
    announce(moves.length === 0 ? text("tree.notMoved") : "")
    if (position.into !== null && moves.length > 0) toggle(position.into, true)
    void writes.move(moves)
  }

  const moveByKey = (current: Moving, key: string): boolean => {
    const { drop, ids } = current
    if (key === "Escape") {
      setMoving(undefined)
      announce(text("tree.notMoved"))
      return true
    }
    if (key === "Enter" || key === " ") {
      finishMoving(current)
      return true
    }
    const direction = key === "ArrowDown" ? "down" : key === "ArrowUp" ? "up" : undefined
    const isLevel = key === "ArrowLeft" || key === "ArrowRight"
    let next: Drop | undefined
    if (direction !== undefined) {
      do next = nextDrop(rows, next ?? drop, direction)
      while (next !== undefined && !canMoveTo(pages, ids, positionOf(rows, next)))
    } else if (isLevel && drop.type === "gap") {
      const levelled = nextDrop(rows, drop, key === "ArrowLeft" ? "down" : "up")
      if (levelled?.type === "gap" && levelled.gap === drop.gap) next = levelled
    }
    if (next !== undefined) {
      setMoving({ ...current, drop: next })
      reveal(next.type === "into" ? next.row : Math.min(next.gap, rows.length - 1))
      announce(describeDrop(rows, next))
    }
    return direction !== undefined || isLevel
  }

  const insert = async (page: NewPage, position: TreePosition): Promise<void> => {
    if (position.into !== null) toggle(position.into, true)
    const id = await writes.insert(page, position)
    if (id === undefined || page.type === "document") return
    setActive(id)
    focusNext.current = id
    if (page.type === "group") setRenamed(id)
  }

  const copy = (ids: ReadonlySet<string>, isCut: boolean): void => {
    copyPages({ source: place, ids: [...ids], isCut })
    setCut(isCut ? ids : none)
    announce(countedText(isCut ? "tree.cutPages" : "tree.copied", ids.size))
  }

  const paste = async (position: TreePosition): Promise<void> => {
    const copied = copiedPages()
    if (copied === undefined) return announce(text("tree.nothingCopied"))
    setCut(none)
    if (position.into !== null) toggle(position.into, true)
    const [first] = await writes.paste(copied, position)
    if (copied.isCut) copyPages({ ...copied, isCut: false })
    if (first === undefined) return
    setActive(first)
    focusNext.current = first
  }

  const positionAfter = (id: string): TreePosition => {
    const { index, parents } = findPage(pages, id)!
    return { into: parents.at(-1)?.id ?? null, at: index + 1 }
  }

  const positionInside = (page: Page): TreePosition => ({ into: page.id, at: childrenOf(page).length })

  const showMenu = (trigger: Element, next: OpenMenu): void => {
    menuTrigger.current = trigger
    setMenu(next)
  }

  const showRowMenu = (id: string, trigger: Element): void =>
    showMenu(trigger, { type: "row", page: id, position: positionAfter(id) })

  const rowElementOf = (target: EventTarget): HTMLElement | null =>
    target instanceof Element ? target.closest<HTMLElement>("[role=treeitem]") : null

  const pageOf = (element: Element | null): Page | undefined => {
    const id = element instanceof HTMLElement ? element.dataset["id"] : undefined
    return findPage(pages, id)?.page
  }

  const typeAhead = (letter: string, at: number): void => {
    const isNew = at - typed.current.at > typingPause
    const search = isNew ? letter : typed.current.text + letter
    typed.current = { text: search, at }
    // One letter again and again goes through all titles with it.
    const isRepeated = [...search].every((other) => other === letter)
    const found = typedRow(rows, activeRow + (isNew || isRepeated ? 1 : 0), isRepeated ? letter : search)
    if (found >= 0) focusRow(found)
  }

  const onKeyDown = (event: KeyboardEvent): void => {
    const row = rows[activeRow]
    if (row === undefined || rowElementOf(event.target) === null) return
    const { page } = row
    const { altKey, shiftKey } = event
    const isCommand = event.ctrlKey || event.metaKey
    const key = logicalKey(event.key)
    const handled = (): boolean => {
      if (moving?.isByKeyboard) return moveByKey(moving, key)
      if (altKey) {
        const direction = directionOf(key)
        if (!isEditable || direction === undefined) return false
        moveSteps(page.id, direction)
        return true
      }
      if (isCommand) {
        const letter = key.toLowerCase()
        if (letter === "c" || (letter === "x" && canChange)) copy(withChosen(page.id), letter === "x")
        else if (letter === "v" && isEditable) void paste(positionAfter(page.id))
        else if (letter === "a" && canChange) choose(new Set<string>(rows.map((other) => other.page.id)))
        else return false
        return true
      }
      const go = (next: number): boolean => {
        const target = Math.max(0, Math.min(rows.length - 1, next))
        if (shiftKey && canChange) chooseTo(target)
        focusRow(target)
        return true
      }
      const pageSize = Math.max(1, Math.floor((scroller.current?.clientHeight ?? 0) / rowHeight) - 1)
      switch (key) {
        case "ArrowDown":
          return go(activeRow + 1)
        case "ArrowUp":
          return go(activeRow - 1)
        case "PageDown":
          return go(activeRow + pageSize)
        case "PageUp":
          return go(activeRow - pageSize)
        case "Home":
          return go(0)
        case "End":
          return go(rows.length - 1)
        case "ArrowRight":
          if (row.isOpen) return go(activeRow + 1)
          if (childrenOf(page).length > 0) toggle(page.id, true)
          return true
        case "ArrowLeft":
          if (row.isOpen && !isFiltered) toggle(page.id, false)
          else if (row.parentRow >= 0) focusRow(row.parentRow)
          return true
        case "Enter":
          open(page)
          return true
        case " ":
          // A space within a title that is being typed.
          if (typed.current.text !== "" && event.timeStamp - typed.current.at < typingPause)
            typeAhead(key, event.timeStamp)
          else if (canChange) toggleChosen(page.id)
          else open(page)
          return true
        case "Escape":
          if (chosen.size === 0 && cut.size === 0) return false
          setCut(none)
          clearChosen()
          return true
        case "F2":
          startRename(page.id)
          return canChange
        case "Delete":
          if (canChange) setDeleted(withChosen(page.id))
          return canChange
        case "F10":
        case "ContextMenu": {
          if (key === "F10" && !shiftKey) return false
          showRowMenu(page.id, rowElementOf(event.target)!)
          return true
        }
        default:
          if (Array.from(key).length !== 1 || event.nativeEvent.isComposing) return false
          typeAhead(key, event.timeStamp)
          return true
      }
    }
    if (!handled()) return
    event.preventDefault()
    event.stopPropagation()
  }

  const onClick = (event: MouseEvent): void => {
    const element = rowElementOf(event.target)
    const page = pageOf(element)
    if (page === undefined || element === null || (event.target as Element).closest("input")) return
    if (ignoresClick.current) return event.preventDefault()
    const action = (event.target as Element).closest<HTMLElement>("[data-action]")
    if (action?.dataset["action"] === "toggle") {
      if (!isFiltered) toggle(page.id)
    } else if (action?.dataset["action"] === "add")
      showMenu(action, { type: "add", page: page.id, position: positionInside(page) })
    else if (action?.dataset["action"] === "menu") showRowMenu(page.id, action)
    else if (canChange && event.shiftKey) {
      event.preventDefault()
      chooseTo(rowOfPage.get(page.id)!)
    } else if (canChange && (event.ctrlKey || event.metaKey || (chosen.size > 0 && isTouch.current))) {
      event.preventDefault()
      toggleChosen(page.id)
    } else if (!event.ctrlKey && !event.metaKey && !event.shiftKey) {
      event.preventDefault()
      clearChosen()
      open(page)
    }
  }

  const isTouch = useRef(false)

  /** Returns the drop at a point of the viewport. */
  const dropAtPoint = (x: number, y: number): Drop => {
    const element = scroller.current!
    const { left, right, top } = element.getBoundingClientRect()
    const distance = isRightToLeft() ? right - x : x - left
    return dropAt(rows, distance, y - top + element.scrollTop, { height: rowHeight, indent })
  }

  // A drag outlives the render in which it starts.
  const latest = { dropAtPoint, finishMoving, rows, showRowMenu }
  const latestRef = useRef(latest)
  latestRef.current = latest

  const onPointerDown = (event: PointerEvent): void => {
    ignoresClick.current = false
    isTouch.current = event.pointerType !== "mouse"
    const page = pageOf(rowElementOf(event.target))
    const target = event.target as Element
    if (page === undefined || !isEditable || event.button !== 0 || target.closest("input, [data-action]")) return
    const ids = withChosen(page.id)
    let last: Moving | undefined
    const element = rowElementOf(target)!
    followDrag(event.nativeEvent, scroller.current!, {
      onStart: () => {
        ignoresClick.current = true
        setGap(undefined)
        document.documentElement.classList.add("dragging")
      },
      onMove: (x, y) => {
        const drop = latestRef.current.dropAtPoint(x, y)
        if (last === undefined || JSON.stringify(last.drop) !== JSON.stringify(drop)) {
          last = { ids, drop, isByKeyboard: false }
          setMoving(last)
        }
        if (ghost.current) moveGhost(ghost.current, x, y)
      },
      onEnd: (isDropped, hasMoved) => {
        document.documentElement.classList.remove("dragging")
        if (isDropped && hasMoved && last !== undefined) return latestRef.current.finishMoving(last)
        setMoving(undefined)
        if (isDropped && !hasMoved) latestRef.current.showRowMenu(page.id, element)
      }
    })
  }

  /** Shows the button that adds a page between two rows, near their edge. */
  const onPointerMove = (event: PointerEvent): void => {
    if (!isEditable || event.pointerType !== "mouse" || event.buttons !== 0 || moving !== undefined) return
    const { top } = scroller.current!.getBoundingClientRect()
    const y = event.clientY - top + scroller.current!.scrollTop
    const edge = Math.round(y / rowHeight)
    const isNear = Math.abs(y - edge * rowHeight) <= insertDistance && edge <= rows.length
    setGap(isNear ? edge : undefined)
  }

  const onFocus = (event: FocusEvent): void => {
    hasFocus.current = true
    const element = rowElementOf(event.target)
    const id = element?.dataset["id"]
    if (id !== undefined && id !== active) setActive(id)
  }

  const addPage = (type: NewPage["type"], position: TreePosition): void => {
    if (type === "link") setNewLink(position)
    else void insert({ type }, position)
  }

  const entriesOf = ({ page: id, type }: OpenMenu): ReadonlyArray<MenuEntry> => {
    if (type === "add") return insertions()
    const page = findPage(pages, id)?.page
    if (page === undefined) return []
    if (type === "moves")
      return moveEntries(directionNames.filter((direction) => step(pages, withChosen(page.id), direction).length > 0))
    return rowEntries({
      canChange,
      canMove: isEditable,
      canPaste: isEditable && copiedPages() !== undefined,
      hasAddress: hrefOf(place, page) !== undefined,
      isChosen: chosen.has(page.id),
      isHidden: page.hidden === true
    })
  }

  const actOnRow = (page: Page, action: string): void => {
    if (action === "open") window.open(hrefOf(place, page), "_blank", "noreferrer")
    else if (action === "rename") startRename(page.id)
    else if (action === "choose") toggleChosen(page.id)
    else if (action === "hide" || action === "show") void writes.hide(withChosen(page.id), action === "hide")
    else if (action === "delete") setDeleted(withChosen(page.id))
    else if (action === "copy" || action === "cut") copy(withChosen(page.id), action === "cut")
    else if (action === "paste") void paste(positionAfter(page.id))
    else if (action === "keys") startMoving(page.id)
    else moveSteps(page.id, action as Direction)
  }

  /** The menu leaves the focus to its row. */
  const closeMenu = (): void => {
    focusNext.current = menu?.page ?? rows[activeRow]?.page.id
    setMenu(undefined)
  }

  const onMenuAction = (action: string): void => {
    if (menu === undefined) return
    if (action === "add" || action === "moves") return setMenu({ ...menu, type: action })
    closeMenu()
    const page = findPage(pages, menu.page)?.page
    if (menu.type === "add") addPage(action as NewPage["type"], menu.position)
    else if (page !== undefined) actOnRow(page, action)
  }

  const shown: Array<number> = []
  for (let row = range.first; row < Math.min(range.last, rows.length); row++) shown.push(row)
  // The row with the focus stays in the document.
  if (rows.length > 0 && (activeRow < range.first || activeRow >= range.last)) shown.push(activeRow)

  const line = moving?.drop.type === "gap" ? moving.drop : undefined
  const gapLevel = gap === undefined ? 1 : (rows[gap]?.level ?? rows[gap - 1]?.level ?? 1)

  return (
    <div className="tree-frame">
      <div
        className="tree"
        ref={scroller}
        onKeyDown={onKeyDown}
        onClick={onClick}
        onDoubleClick={(event) => {
          const page = pageOf(rowElementOf(event.target))
          if (page !== undefined && !(event.target as Element).closest("input, [data-action]")) startRename(page.id)
        }}
        onContextMenu={(event) => {
          const element = rowElementOf(event.target)
          const page = pageOf(element)
          if (isDragRunning() || isTouch.current) return event.preventDefault()
          if (page === undefined || element === null || (event.target as Element).closest("input")) return
          event.preventDefault()
          showRowMenu(page.id, element)
        }}
        onMouseDown={(event) => {
          // The row gets the focus, and not the link or the button in it.
          const element = rowElementOf(event.target)
          if (element === null || (event.target as Element).closest("input")) return
          event.preventDefault()
          element.focus({ preventScroll: true })
        }}
        onPointerDown={onPointerDown}
        onPointerMove={onPointerMove}
        onPointerLeave={() => setGap(undefined)}
        onFocus={onFocus}
        onBlur={() => (hasFocus.current = false)}
      >
        {rows.length === 0 ? (
          <p className="muted tree-empty">{text(isFiltered ? "tree.noMatch" : "tree.empty")}</p>
        ) : (
          <div
            role="tree"
            aria-label={text("space.pages")}
            aria-multiselectable={canChange || undefined}
            className="tree-rows"
            style={{ blockSize: rows.length * rowHeight }}
          >
            {shown.map((row) => {
              const { index, isOpen, level, page, siblings } = rows[row]!
              const { id } = page
              return (
                <TreeRowView
                  key={id}
                  page={page}
                  href={hrefOf(place, page)}
                  row={row}
                  level={level}
                  index={index}
                  siblings={siblings}
                  hasChildren={childrenOf(page).length > 0}
                  isOpen={isOpen}
                  isActive={row === activeRow}
                  isCurrent={id === selected}
                  isSelected={chosen.has(id)}
                  isTarget={moving?.drop.type === "into" && moving.drop.row === row}
                  isMoving={(moving?.ids.has(id) ?? false) || cut.has(id)}
                  isDimmed={matches !== undefined && !matches.has(id)}
                  canChange={canChange}
                  onRename={renamed === id ? finishRename : undefined}
                />
              )
            })}
          </div>
        )}
        {line && (
          <div
            className="tree-line"
            style={{ insetBlockStart: line.gap * rowHeight, insetInlineStart: (line.level - 1) * indent }}
          />
        )}
        {gap !== undefined && rows.length > 0 && (
          <button
            type="button"
            tabIndex={-1}
            className="tree-insert"
            aria-label={text("tree.addHere")}
            aria-haspopup="menu"
            style={{ insetBlockStart: gap * rowHeight, insetInlineStart: (gapLevel - 1) * indent }}
            onClick={(event) => {
              const position = positionOf(rows, { type: "gap", gap, level: gapLevel })
              showMenu(event.currentTarget, { type: "add", page: undefined, position })
            }}
          >
            <Icon name="add" />
          </button>
        )}
      </div>
      {moving && !moving.isByKeyboard && (
        <DropGhost
          ref={ghost}
          title={
            moving.ids.size === 1
              ? titleOf(findPage(pages, [...moving.ids][0])!.page)
              : countedText("tree.chosen", moving.ids.size)
          }
          place={describeDrop(rows, moving.drop)}
        />
      )}
      {chosen.size > 0 && (
        <div className="tree-chosen" role="group" aria-label={text("tree.chosenActions")}>
          <span>{countedText("tree.chosen", chosen.size)}</span>
          <button type="button" className="plain" onClick={() => copy(chosen, false)}>
            {text("tree.copy")}
          </button>
          <button type="button" className="plain danger" onClick={() => setDeleted(chosen)}>
            {text("tree.delete")}
          </button>
          <button type="button" className="plain square" aria-label={text("tree.unchooseAll")} onClick={clearChosen}>
            <Icon name="close" />
          </button>
        </div>
      )}
      <p className="hidden" role="status">
        {matches === undefined ? announcement : countedText("tree.matches", matches.size)}
      </p>
      {menu && (
        <TreeMenu
          key={menu.type}
          label={
            menu.page === undefined ? text("tree.addHere") : text("tree.menu", { title: menuTitle(pages, menu.page) })
          }
          entries={entriesOf(menu)}
          triggerRef={menuTrigger}
          onAction={onMenuAction}
          onClose={closeMenu}
        />
      )}
      <Suspense>
        {deleted && (
          <DeletePages
            place={place}
            pages={pages}
            ids={deleted}
            onClose={() => setDeleted(undefined)}
            onDelete={() => {
              setDeleted(undefined)
              clearChosen()
              void writes.remove(deleted)
            }}
          />
        )}
        {newLink && (
          <NewLink
            onClose={() => setNewLink(undefined)}
            onCreate={(link) => {
              setNewLink(undefined)
              void insert({ type: "link", ...link }, newLink)
            }}
          />
        )}
      </Suspense>
    </div>
  )
}

const menuTitle = (pages: ReadonlyArray<Page>, id: string): string => {
  const page = findPage(pages, id)?.page
  return page === undefined ? "" : titleOf(page)
}
