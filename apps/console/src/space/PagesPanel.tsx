/**
 * The tree of pages. A filter shows matching pages as a list. In a change request, pages are renamed in place (F2 or a
 * double click), moved by a pointer, by Alt and arrows, by the menu, or by the handle with a screen reader, and deleted
 * with a way back.
 *
 * Only rows on the screen are in the document, so a tree of thousands of pages stays fast.
 */
import { useNavigate } from "@tanstack/react-router"
import { Link } from "@tanstack/react-router"
import { type KeyboardEvent, useCallback, useDeferredValue, useEffect, useMemo, useRef, useState } from "react"
import {
  Button,
  Collection,
  DropIndicator,
  Form,
  Input,
  ListLayout,
  Menu,
  MenuItem,
  MenuTrigger,
  Popover,
  SearchField,
  Separator,
  TextField,
  Tree,
  TreeItem,
  TreeItemContent,
  useDragAndDrop,
  Virtualizer
} from "react-aria-components"
import { request } from "../api/Api.ts"
import { changeRequestPath, type ContentPlace } from "../api/Queries.ts"
import type { ChangeRequest, Page } from "../api/Resources.ts"
import { type ContentChange, writeContent } from "../api/Writes.ts"
import { Icon } from "../frame/Icon.tsx"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { Window } from "../frame/Window.tsx"
import { countedText, text } from "../language/Language.ts"
import { useNewPage } from "./NewPage.tsx"
import {
  childrenOf,
  countBelow,
  type Direction,
  findPage,
  matchingPages,
  type Move,
  moveTo,
  placedPages,
  step,
  titleOf
} from "./PageTree.ts"

const rowHeight = 34
/** Number of listed matches. More of them are found by another word. */
const maxMatches = 50
const maxTitle = 200

interface PagesPanelProps {
  readonly place: ContentPlace
  readonly pages: ReadonlyArray<Page>
  readonly selected: string | undefined
  /** True if pages can be renamed, moved and deleted. */
  readonly canChange: boolean
}

/** Returns the path of the screen of a page. */
const pathOf = ({ space, changeRequest }: ContentPlace, page: string): string =>
  `/spaces/${space}${changeRequest === undefined ? "" : `/changes/${changeRequest}`}/pages/${page}`

const directions: { readonly [key: string]: Direction } = {
  ArrowUp: "up",
  ArrowDown: "down",
  ArrowRight: "in",
  ArrowLeft: "out"
}

const expandedKey = (space: string) => `lectern-tree-${space}`

const storedExpanded = (space: string): ReadonlyArray<string> => {
  try {
    const stored: unknown = JSON.parse(sessionStorage.getItem(expandedKey(space)) ?? "[]")
    return Array.isArray(stored) ? stored.map(String) : []
  } catch {
    return []
  }
}

export const PagesPanel = ({ place, pages, selected, canChange }: PagesPanelProps) => {
  const [filter, setFilter] = useState("")
  // The field follows the keys before the list does.
  const listedFilter = useDeferredValue(filter)
  return (
    <div className="pages">
      <SearchField className="search" aria-label={text("tree.filter")} value={filter} onChange={setFilter}>
        <Icon name="search" />
        <Input placeholder={text("tree.filter")} dir="auto" />
        <Button className="plain square">
          <Icon name="close" />
        </Button>
      </SearchField>
      {listedFilter.trim() === "" ? (
        <PagesTree place={place} pages={pages} selected={selected} canChange={canChange} />
      ) : (
        <Matches place={place} pages={pages} filter={listedFilter} />
      )}
    </div>
  )
}

const Matches = ({
  place,
  pages,
  filter
}: Omit<PagesPanelProps, "selected" | "canChange"> & { readonly filter: string }) => {
  const matches = useMemo(() => matchingPages(pages, filter), [pages, filter])
  return (
    <div className="matches">
      <p className="hidden" role="status">
        {countedText("tree.matches", matches.length)}
      </p>
      {matches.length === 0 && <p className="muted">{text("tree.noMatch")}</p>}
      <ul>
        {matches.slice(0, maxMatches).map(({ page, parents }) => (
          <li key={page.id}>
            <Link to={pathOf(place, page.id)}>
              <span dir="auto">{titleOf(page)}</span>
              {parents.length > 0 && (
                <span className="muted" dir="auto">
                  {parents.map(titleOf).join(" / ")}
                </span>
              )}
            </Link>
          </li>
        ))}
      </ul>
    </div>
  )
}

const PagesTree = ({ place, pages, selected, canChange }: PagesPanelProps) => {
  const { space, changeRequest } = place
  const navigate = useNavigate()
  const [expanded, setExpanded] = useState<ReadonlySet<string>>(() => new Set(storedExpanded(space)))
  const [renamed, setRenamed] = useState<{ readonly page: Page; readonly row: Element }>()
  const [deleted, setDeleted] = useState<Page>()
  const tree = useRef<HTMLDivElement>(null)
  const create = useNewPage(place)

  // The parents of the page on the screen are open.
  useEffect(() => {
    const parents = findPage(pages, selected)?.parents ?? []
    if (parents.length > 0) setExpanded((before) => new Set([...before, ...parents.map(({ id }) => id)]))
  }, [pages, selected])
  useEffect(() => sessionStorage.setItem(expandedKey(space), JSON.stringify([...expanded])), [expanded, space])

  const write = useCallback(
    (changes: ReadonlyArray<ContentChange>) =>
      changeRequest === undefined ? Promise.resolve(undefined) : writeContent(space, changeRequest, changes),
    [space, changeRequest]
  )

  const move = useCallback(
    async (moved: Move | undefined) => {
      if (moved === undefined) return
      const before = findPage(pages, moved.page)!
      const back: Move = { page: moved.page, into: before.parents.at(-1)?.id ?? null, at: before.index }
      if (moved.into !== null) setExpanded((keys) => new Set([...keys, moved.into!]))
      try {
        await write([{ operation: "update_page", ...moved }])
        notify(text("tree.moved", { title: titleOf(before.page) }), {
          label: text("action.undo"),
          run: () => void write([{ operation: "update_page", ...back }]).catch(notifyProblem)
        })
      } catch (failure) {
        notifyProblem(failure)
      }
    },
    [pages, write]
  )

  const remove = async (page: Page) => {
    if (changeRequest === undefined) return
    const all = [page, ...placedPages(childrenOf(page)).map((below) => below.page)]
    try {
      const { revision } = await request<ChangeRequest>(changeRequestPath(space, changeRequest))
      await write([{ operation: "delete_page", page: page.id }])
      if (all.some(({ id }) => id === selected))
        await navigate({ to: "/spaces/$space/changes/$number", params: { space, number: String(changeRequest) } })
      // A page of the deleted ones is restored after its parent.
      const restore = async () => {
        for (let i = 0; i < all.length; i += 50)
          await write(all.slice(i, i + 50).map(({ id }) => ({ operation: "revert_page", page: id, revision })))
      }
      notify(text("tree.deleted", { title: titleOf(page) }), {
        label: text("action.undo"),
        run: () => void restore().catch(notifyProblem)
      })
    } catch (failure) {
      notifyProblem(failure)
    }
  }

  const rowOf = (id: string): Element | null => tree.current?.querySelector(`[data-key="${CSS.escape(id)}"]`) ?? null

  const startRename = (page: Page) => {
    const row = rowOf(page.id)
    if (canChange && row !== null) setRenamed({ page, row })
  }

  const { dragAndDropHooks } = useDragAndDrop({
    isDisabled: !canChange,
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": titleOf(findPage(pages, String(key))!.page) })),
    getDropOperation: () => "move",
    onMove: ({ keys, target }) => {
      const [key] = keys
      if (key !== undefined) void move(moveTo(pages, String(key), String(target.key), target.dropPosition))
    },
    renderDropIndicator: (target) => <DropIndicator target={target} className="drop" />
  })

  const onKeyDown = (event: KeyboardEvent) => {
    const id = (event.target as Element).closest("[role=row]")?.getAttribute("data-key")
    if (!canChange || id === null || id === undefined) return
    const page = findPage(pages, id)?.page
    if (page === undefined) return
    if (event.key === "F2") startRename(page)
    else if (event.key === "Delete") confirmOrRemove(page)
    else if (event.altKey && directions[event.key] !== undefined) {
      const isRtl = document.documentElement.dir === "rtl"
      const key =
        isRtl && event.key === "ArrowLeft"
          ? "ArrowRight"
          : isRtl && event.key === "ArrowRight"
            ? "ArrowLeft"
            : event.key
      void move(step(pages, id, directions[key]!))
    } else return
    event.preventDefault()
    event.stopPropagation()
  }

  const confirmOrRemove = (page: Page) => {
    if (countBelow(page) > 0) setDeleted(page)
    else void remove(page)
  }

  const open = (id: string) => {
    const page = findPage(pages, id)?.page
    if (page === undefined) return
    if (page.type === "group") {
      setExpanded((keys) => new Set(keys.has(id) ? [...keys].filter((key) => key !== id) : [...keys, id]))
    } else if (page.type === "link") {
      if (page.href !== undefined) window.open(page.href, "_blank", "noreferrer")
    } else void navigate({ href: pathOf(place, id) })
  }

  const act = (page: Page, action: string) => {
    if (action === "rename") startRename(page)
    else if (action === "inside") create.mutate({ into: page.id })
    else if (action === "delete") confirmOrRemove(page)
    else void move(step(pages, page.id, action as Direction))
  }

  const renderPage = (page: Page) => (
    <TreeItem
      key={page.id}
      id={page.id}
      textValue={titleOf(page)}
      hasChildItems={childrenOf(page).length > 0}
      className={page.id === selected ? "tree-row current" : "tree-row"}
      onAction={() => open(page.id)}
    >
      <TreeItemContent>
        {({ hasChildItems, allowsDragging }) => (
          <div className="tree-cell" onDoubleClick={() => startRename(page)}>
            {hasChildItems ? (
              <Button slot="chevron" className="tree-chevron">
                <Icon name="chevron" />
              </Button>
            ) : (
              <span className="tree-chevron" />
            )}
            <span className="tree-title" dir="auto">
              {page.emoji && <span aria-hidden="true">{page.emoji} </span>}
              {titleOf(page)}
            </span>
            {page.hidden && <span className="muted">{text("tree.hidden")}</span>}
            {canChange && allowsDragging && (
              <Button slot="drag" className="tree-drag">
                <Icon name="drag" />
              </Button>
            )}
            {canChange && (
              <MenuTrigger>
                <Button className="tree-more" aria-label={text("tree.menu", { title: titleOf(page) })}>
                  <Icon name="more" />
                </Button>
                <Popover className="popover">
                  <Menu className="menu" onAction={(key) => act(page, String(key))}>
                    <MenuItem id="rename" className="menu-item">
                      {text("tree.rename")} <kbd>F2</kbd>
                    </MenuItem>
                    <MenuItem id="inside" className="menu-item">
                      {text("tree.newInside")}
                    </MenuItem>
                    <Separator className="menu-line" />
                    {(["up", "down", "in", "out"] as const)
                      .filter((direction) => step(pages, page.id, direction) !== undefined)
                      .map((direction) => (
                        <MenuItem key={direction} id={direction} className="menu-item">
                          {text(`tree.move.${direction}`)}
                        </MenuItem>
                      ))}
                    <Separator className="menu-line" />
                    <MenuItem id="delete" className="menu-item danger">
                      {text("tree.delete")}
                    </MenuItem>
                  </Menu>
                </Popover>
              </MenuTrigger>
            )}
          </div>
        )}
      </TreeItemContent>
      {/* Pages that are not shown cost nothing. */}
      {expanded.has(page.id) && <Collection items={childrenOf(page)}>{renderPage}</Collection>}
    </TreeItem>
  )

  return (
    <div className="tree-frame" ref={tree} onKeyDownCapture={onKeyDown}>
      <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight }}>
        <Tree
          className="tree"
          aria-label={text("space.pages")}
          items={pages}
          expandedKeys={expanded as Set<string>}
          onExpandedChange={(keys) => setExpanded(new Set([...keys].map(String)))}
          selectionMode="none"
          dragAndDropHooks={dragAndDropHooks}
          dependencies={[selected, canChange, pages, expanded]}
          renderEmptyState={() => <p className="muted tree-empty">{text("tree.empty")}</p>}
        >
          {renderPage}
        </Tree>
      </Virtualizer>
      {renamed && (
        <Rename
          key={renamed.page.id}
          page={renamed.page}
          row={renamed.row}
          onClose={() => setRenamed(undefined)}
          onRename={(title) =>
            void write([{ operation: "update_page", page: renamed.page.id, title }]).catch(notifyProblem)
          }
        />
      )}
      <Window title={text("tree.deleteTitle")} isOpen={deleted !== undefined} onClose={() => setDeleted(undefined)}>
        {deleted && (
          <>
            <p>{countedText("tree.deleteText", countBelow(deleted), { title: titleOf(deleted) })}</p>
            <div className="buttons end">
              <Button className="control" onPress={() => setDeleted(undefined)} autoFocus>
                {text("action.cancel")}
              </Button>
              <Button
                className="control danger"
                onPress={() => {
                  setDeleted(undefined)
                  void remove(deleted)
                }}
              >
                {text("tree.delete")}
              </Button>
            </div>
          </>
        )}
      </Window>
    </div>
  )
}

interface RenameProps {
  readonly page: Page
  readonly row: Element
  readonly onClose: () => void
  readonly onRename: (title: string) => void
}

/** A field over the row of a page. Enter and a press elsewhere rename, Escape does not. */
const Rename = ({ page, row, onClose, onRename }: RenameProps) => {
  const [title, setTitle] = useState(page.title)
  const triggerRef = useRef(row)
  const isCancelled = useRef(false)
  const close = () => {
    const trimmed = title.trim()
    if (!isCancelled.current && trimmed !== "" && trimmed !== page.title) onRename(trimmed)
    onClose()
  }
  return (
    <Popover
      className="rename"
      triggerRef={triggerRef}
      placement="bottom start"
      offset={-rowHeight}
      isOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) close()
      }}
      aria-label={text("tree.rename")}
    >
      <Form
        onSubmit={(event) => {
          event.preventDefault()
          close()
        }}
      >
        <TextField
          aria-label={text("tree.title")}
          value={title}
          onChange={setTitle}
          maxLength={maxTitle}
          autoFocus
          onKeyDown={(event) => {
            if (event.key !== "Escape") return
            isCancelled.current = true
            onClose()
          }}
        >
          <Input dir="auto" onFocus={(event) => event.target.select()} />
        </TextField>
      </Form>
    </Popover>
  )
}
