/**
 * Moves of spaces and collections on the home screen: by a mouse, by a finger after a long press, and by Alt with the
 * arrow keys on a row, as in the tree of pages. Loaded after the rows, which `SpaceTree` renders. The rows are found by
 * their `data-id`, and not rendered again during a drag.
 */
import { type RefObject, useCallback, useEffect, useId, useLayoutEffect, useRef, useState } from "react"
import type { Organization } from "../api/Resources.ts"
import { notifyProblem } from "../frame/Notices.tsx"
import { text } from "../language/Language.ts"
import { describePlace, DropGhost, moveGhost } from "../space/DropGhost.tsx"
import { findPage, placedPages, siblingsIn } from "../space/PageTree.ts"
import { followDrag, isDragRunning } from "../space/PointerDrag.ts"
import { directionOf, isRightToLeft, logicalKey } from "../space/TreeKeys.ts"
import { canMoveTo, type Move, movesTo, step } from "../space/TreeMoves.ts"
import { type Drop, dropAt, neighborsOf, positionOf, type TreePosition, visibleRows } from "../space/TreeRows.ts"
import { canMove, canPut, type SpaceItem } from "./SpaceOrder.ts"
import { cachedItems, moveItem } from "./SpaceWrites.ts"

type Items = ReadonlyArray<SpaceItem>

interface SpaceMovesProps {
  readonly organization: Organization
  readonly items: Items
  /** Element that contains the rows. */
  readonly container: RefObject<HTMLElement | null>
}

interface Dragged {
  readonly id: string
  readonly title: string
  readonly drop: Drop
  /** Undefined if the user may not put the item there. */
  readonly position: TreePosition | undefined
  readonly place: string
  /** Distance of the line from the top of the container, and its indent (CSS pixels). Absent inside of a collection. */
  readonly line: { readonly top: number; readonly indent: number } | undefined
  /** Id of the collection into which the item would move as the last one. */
  readonly target: string | undefined
}

const rowAt = (target: EventTarget | null): HTMLElement | null =>
  target instanceof Element ? target.closest<HTMLElement>("[data-id]") : null

const isMovable = (items: Items, id: string | undefined, canCreateAtTop: boolean): boolean => {
  const placed = findPage(items, id)
  return placed !== undefined && canMove(placed.page, placed.parents.at(-1), canCreateAtTop)
}

const isAllowed = (items: Items, id: string, position: TreePosition, canCreateAtTop: boolean): boolean =>
  canMoveTo(items, new Set([id]), position) &&
  canPut(position, findPage(items, position.into ?? undefined)?.page, { items, canCreateAtTop })

/** Returns the name of the place to which a move leads. */
const describeMove = (items: Items, { at, into, page }: Move): string => {
  const before = siblingsIn(items, into).filter(({ id }) => id !== page)[at - 1]
  return describePlace({ before, parent: findPage(items, into ?? undefined)?.page }, false)
}

/** Returns the rows on the screen with their elements. */
const displayedRows = (items: Items, container: HTMLElement) => {
  const elements = new Map<string, HTMLElement>()
  const expanded = new Set<string>()
  for (const element of container.querySelectorAll<HTMLElement>("[data-id]")) {
    const id = element.dataset["id"]!
    elements.set(id, element)
    if (element.parentElement instanceof HTMLDetailsElement && element.parentElement.open) expanded.add(id)
  }
  const rows = visibleRows(items, expanded)
  return { rows, bounds: (row: number) => elements.get(rows[row]!.page.id)!.getBoundingClientRect() }
}

/** Returns the drop at a point of the viewport, and the line that shows it. */
const dropAtPoint = (items: Items, container: HTMLElement, x: number, y: number) => {
  const { rows, bounds } = displayedRows(items, container)
  const { left, right, top } = container.getBoundingClientRect()
  const inner = container.querySelector(".rows .rows")
  const indent = (inner && Number.parseFloat(getComputedStyle(inner).paddingInlineStart)) || 24
  // The last row that starts above the point.
  let row = 0
  for (let end = rows.length - 1; row < end;) {
    const middle = Math.ceil((row + end) / 2)
    if (bounds(middle).top <= y) row = middle
    else end = middle - 1
  }
  const { bottom, height, top: rowTop } = bounds(row)
  const part = Math.max(0, Math.min(1, (y - rowTop) / height))
  // Below the row of a collection without content is the text that says so.
  const { page } = rows[row]!
  const isOnEmpty = y > bottom && row < rows.length - 1 && page.type === "collection" && page.pages.length === 0
  const drop = dropAt(rows, isRightToLeft() ? right - x : x - left, row + (isOnEmpty ? 0.5 : part), {
    height: 1,
    indent
  })
  const line =
    drop.type === "into"
      ? undefined
      : {
          top: (drop.gap < rows.length ? bounds(drop.gap).top : bounds(rows.length - 1).bottom) - top,
          indent: (drop.level - 1) * indent
        }
  return { rows, drop, line }
}

export const SpaceMoves = ({ organization, items, container }: SpaceMovesProps) => {
  const { id: organizationId, permissions } = organization
  const canCreateAtTop = permissions.createContent
  const [dragged, setDragged] = useState<Dragged>()
  const [announcement, announce] = useState("")
  const ghost = useRef<HTMLDivElement>(null)
  const hint = useId()
  /** Id of the row that was moved by keys. It gets the focus back when its element has moved. */
  const focusNext = useRef<string>(undefined)
  /** Moves run one after the other, each on the result of the one before. */
  const queue = useRef(Promise.resolve())

  const elementOf = useCallback(
    (id: string | undefined) =>
      container.current?.querySelector<HTMLElement>(`[data-id="${CSS.escape(id ?? "")}"]`) ?? null,
    [container]
  )

  const move = useCallback(
    (plan: (current: Items) => ReadonlyArray<Move>, isByKeyboard: boolean): void => {
      const run = async (): Promise<void> => {
        const current = cachedItems(organizationId)
        const [planned] = plan(current)
        if (planned === undefined || !isAllowed(current, planned.page, planned, canCreateAtTop)) return
        const { into, page } = planned
        if (isByKeyboard) focusNext.current = page
        const parent = into === null ? null : elementOf(into)?.closest("details")
        if (parent) parent.open = true
        await moveItem(organizationId, current, planned)
        if (isByKeyboard) announce(describeMove(current, planned))
      }
      queue.current = queue.current.then(run).catch(notifyProblem)
    },
    [canCreateAtTop, elementOf, organizationId]
  )

  useLayoutEffect(() => {
    const element = focusNext.current === undefined ? null : elementOf(focusNext.current)
    if (document.activeElement === document.body) element?.focus()
    else if (document.activeElement !== element) focusNext.current = undefined
  }, [elementOf, items])

  // A drag outlives the render in which it starts.
  const latest = useRef({ items, move })
  latest.current = { items, move }

  const hasMovable = placedPages(items).some(({ page: item, parents }) => canMove(item, parents.at(-1), canCreateAtTop))

  useEffect(() => {
    const element = container.current
    if (element === null || !hasMovable) return
    element.classList.add("movable")
    element.setAttribute("aria-describedby", hint)
    const listening = new AbortController()
    const { signal } = listening
    /** True after a drag, whose release is not a click. */
    let ignoresClick = false
    let isTouch = false

    const onPointerDown = (event: PointerEvent): void => {
      ignoresClick = false
      isTouch = false
      const row = rowAt(event.target)
      const id = row?.dataset["id"]
      const item = findPage(latest.current.items, id)?.page
      if (row === null || item === undefined || event.button !== 0) return
      if (!isMovable(latest.current.items, id, canCreateAtTop)) return
      isTouch = event.pointerType !== "mouse"
      let last: Dragged | undefined
      followDrag(event, document.documentElement, {
        onStart: () => {
          ignoresClick = true
          row.classList.add("moving")
          document.documentElement.classList.add("dragging")
        },
        onMove: (x, y) => {
          const current = latest.current.items
          const { drop, line, rows } = dropAtPoint(current, element, x, y)
          const position = positionOf(rows, drop)
          const canDrop = isAllowed(current, item.id, position, canCreateAtTop)
          const next: Dragged = {
            id: item.id,
            title: item.title,
            drop,
            position: canDrop ? position : undefined,
            place: canDrop ? describePlace(neighborsOf(rows, drop), drop.type === "into") : text("home.notHere"),
            line: canDrop ? line : undefined,
            target: canDrop && drop.type === "into" ? rows[drop.row]!.page.id : undefined
          }
          if (JSON.stringify(last) !== JSON.stringify(next)) setDragged(next)
          last = next
          if (ghost.current) moveGhost(ghost.current, x, y)
        },
        onEnd: (isDropped, hasMoved) => {
          row.classList.remove("moving")
          document.documentElement.classList.remove("dragging")
          setDragged(undefined)
          const position = last?.position
          if (isDropped && hasMoved && position !== undefined)
            latest.current.move((current) => movesTo(current, new Set([item.id]), position), false)
        }
      })
    }

    const onKeyDown = (event: KeyboardEvent): void => {
      const id = rowAt(event.target)?.dataset["id"]
      const direction = directionOf(logicalKey(event.key))
      if (!event.altKey || id === undefined || direction === undefined) return
      if (!isMovable(latest.current.items, id, canCreateAtTop)) return
      event.preventDefault()
      latest.current.move((current) => step(current, new Set([id]), direction), true)
    }

    element.addEventListener("pointerdown", onPointerDown, { signal })
    element.addEventListener("keydown", onKeyDown, { signal })
    // A click next to the rows takes the focus away.
    addEventListener("pointerdown", () => (focusNext.current = undefined), { signal })
    // A row is a link, which the browser would drag by itself.
    element.addEventListener(
      "dragstart",
      (event) => {
        if (isMovable(latest.current.items, rowAt(event.target)?.dataset["id"], canCreateAtTop)) event.preventDefault()
      },
      { signal }
    )
    element.addEventListener(
      "click",
      (event) => {
        if (!ignoresClick) return
        event.preventDefault()
        event.stopPropagation()
      },
      { signal, capture: true }
    )
    // A finger that drags does not scroll, and opens no menu of the browser.
    element.addEventListener(
      "touchmove",
      (event) => {
        if (isDragRunning()) event.preventDefault()
      },
      { signal, passive: false }
    )
    element.addEventListener(
      "contextmenu",
      (event) => {
        if (isTouch || isDragRunning()) event.preventDefault()
      },
      { signal }
    )
    return () => {
      listening.abort()
      element.classList.remove("movable")
      element.removeAttribute("aria-describedby")
    }
  }, [canCreateAtTop, container, hasMovable, hint])

  useEffect(() => {
    const element = elementOf(dragged?.target)
    element?.classList.add("target")
    return () => element?.classList.remove("target")
  }, [dragged?.target, elementOf])

  return (
    <>
      {dragged?.line && (
        <div
          className="tree-line"
          style={{ insetBlockStart: dragged.line.top, insetInlineStart: dragged.line.indent }}
        />
      )}
      {dragged && <DropGhost ref={ghost} title={dragged.title} place={dragged.place} />}
      <p id={hint} hidden>
        {text("home.moveHint")}
      </p>
      <p className="hidden" role="status">
        {announcement}
      </p>
    </>
  )
}
