/**
 * The palette (Ctrl+K or ⌘K): finds pages, spaces, change requests, sites, people and actions by their words. The focus stays in
 * the field; the arrow keys choose, Enter opens. If Enter comes before the results of what was typed, the first result
 * opens as soon as they are there.
 *
 * Pages and people come from searches in all organizations of the user, 150 ms after the last key. Each result belongs to its
 * query, so a late response never replaces that of a newer query.
 */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { keepPreviousData, useQueries, useQuery } from "@tanstack/react-query"
import { useNavigate, useParams } from "@tanstack/react-router"
import { type KeyboardEvent, useDeferredValue, useEffect, useMemo, useState } from "react"
import {
  Autocomplete,
  Dialog,
  Header,
  Input,
  Menu,
  MenuItem,
  MenuSection,
  Modal,
  ModalOverlay,
  SearchField
} from "react-aria-components"
import { request } from "../api/Api.ts"
import { queries } from "../api/Queries.ts"
import type { ChangeRequest, List, Member, SearchSpaceResult } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { notifyProblem } from "../frame/Notices.tsx"
import { applyTheme, currentTheme } from "../frame/Theme.ts"
import { newSpaceHash } from "../home/NewSpaceHash.ts"
import { recents } from "../home/Recents.ts"
import { countedText, roleName, text } from "../language/Language.ts"
import { openDraft } from "../space/Draft.ts"
import { createdPage, writeContent } from "../api/Writes.ts"
import { indexItem, matchingItems, maxPages, type PaletteItem } from "./PaletteItems.ts"

const pause = 150

/** Number of change requests of an organization that are matched by their subject. */
const maxChangeRequests = 200

/** Number of people of an organization that are found by their names. */
const maxPeople = 6

/** Largest length of a search for people. */
const maxPeopleQuery = 100

/** Largest length of a query of the search. */
const maxQuery = 512

const changeRequestsOf = (organization: string) => ({
  queryKey: ["change-requests", "organization", organization],
  queryFn: () =>
    request<List<ChangeRequest>>(`/orgs/${organization}/change-requests`, {
      query: { status: ["draft", "open"], limit: maxChangeRequests }
    })
})

const search = (organization: string, query: string) => ({
  queryKey: ["search", organization, query],
  queryFn: () =>
    request<List<SearchSpaceResult>>(`/orgs/${organization}/search`, { query: { query, limit: maxPages } }),
  enabled: query !== "",
  placeholderData: keepPreviousData
})

const people = (organization: string, query: string) => ({
  queryKey: ["members", organization, "palette", query],
  queryFn: () =>
    request<List<Member>>(`/orgs/${organization}/members`, {
      query: { search: query.slice(0, maxPeopleQuery), sort: "name", limit: maxPeople }
    }),
  enabled: query !== "",
  placeholderData: keepPreviousData
})

/** Returns a value after a time without changes. */
const useSettled = (value: string): string => {
  const [settled, setSettled] = useState(value)
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pause)
    return () => clearTimeout(timer)
  }, [value])
  return settled
}

const defined = <A,>(values: ReadonlyArray<A | undefined>): ReadonlyArray<A> =>
  values.filter((value) => value !== undefined)

const dataOf = <A,>(queries: ReadonlyArray<{ readonly data: A | undefined }>): ReadonlyArray<A | undefined> =>
  queries.map(({ data }) => data)

interface PaletteProps {
  readonly onClose: () => void
}

export const Palette = ({ onClose }: PaletteProps) => {
  const [query, setQuery] = useState("")
  const settled = useSettled(query.trim().slice(0, maxQuery))
  const { items: local, isLoading } = useLocalItems()
  const pages = useFoundPages(settled)
  const members = useFoundPeople(settled)
  // A key is displayed before its results are.
  const matched = useDeferredValue(query)
  const items = useMemo(
    () => matchingItems(local, matched, [...pages.items, ...members.items]),
    [local, matched, pages.items, members.items]
  )
  const isListed = matched === query
  const isSettled = settled === query.trim() && isListed && !pages.isFetching && !members.isFetching && !isLoading
  const open = (item: PaletteItem): void => {
    onClose()
    item.open()
  }
  const [opensFirst, setOpensFirst] = useState(false)
  useEffect(() => {
    if (!opensFirst || !isSettled) return
    setOpensFirst(false)
    if (items[0] !== undefined) open(items[0])
  })
  const onEnter = (event: KeyboardEvent): void => {
    if (event.key !== "Enter" || event.nativeEvent.isComposing) return
    event.preventDefault()
    event.stopPropagation()
    const key = event.currentTarget.querySelector("[data-focused][data-key]")?.getAttribute("data-key")
    const chosen = items.find(({ id }) => id === key)
    // Results of an earlier query stay in the list until those of this one are there.
    const isResult = chosen?.group === "pages" || chosen?.group === "people"
    if (chosen !== undefined && isListed && (!isResult || isSettled)) open(chosen)
    else setOpensFirst(true)
  }
  return (
    <ModalOverlay
      className="overlay"
      isOpen
      isDismissable
      onOpenChange={(open) => {
        if (!open) onClose()
      }}
    >
      <Modal className="window palette">
        <Dialog aria-label={text("palette.title")}>
          <div className="palette-body" role="presentation" onKeyDownCapture={onEnter}>
            <Autocomplete
              inputValue={query}
              onInputChange={(value) => {
                setQuery(value)
                setOpensFirst(false)
              }}
            >
              <SearchField className="search" aria-label={text("palette.label")} autoFocus maxLength={maxQuery}>
                <Icon name="search" />
                <Input placeholder={text("palette.label")} dir="auto" />
                <kbd className="muted">Esc</kbd>
              </SearchField>
              <p className="hidden" role="status">
                {isSettled && countedText("palette.count", items.length)}
              </p>
              <Menu
                className="menu palette-list"
                aria-label={text("palette.results")}
                onAction={(key) => {
                  const item = items.find(({ id }) => id === key)
                  if (item !== undefined) open(item)
                }}
                renderEmptyState={() => (
                  <p className="palette-empty muted">{text(isSettled ? "palette.none" : "palette.searching")}</p>
                )}
              >
                {[...Map.groupBy(items, ({ group }) => group)].map(([group, itsItems]) => (
                  <MenuSection key={group} id={group}>
                    <Header className="menu-title">{text(`palette.group.${group}`)}</Header>
                    {itsItems.map(({ detail, emoji, icon, id, title }) => (
                      <MenuItem key={id} id={id} className="menu-item palette-item" textValue={title}>
                        {emoji ? (
                          <span className="row-emoji" aria-hidden="true">
                            {emojiCharacters(emoji)}
                          </span>
                        ) : (
                          <Icon name={icon} />
                        )}
                        <span className="palette-title" dir="auto">
                          {title}
                        </span>
                        {detail !== undefined && (
                          <span className="muted palette-detail" dir="auto">
                            {detail}
                          </span>
                        )}
                      </MenuItem>
                    ))}
                  </MenuSection>
                ))}
              </Menu>
            </Autocomplete>
          </div>
        </Dialog>
      </Modal>
    </ModalOverlay>
  )
}

const useFoundPages = (query: string) => {
  const navigate = useNavigate()
  const { data: organizations = [] } = useQuery(queries.organizations())
  const results = useQueries({ queries: organizations.map(({ id }) => search(id, query)) })
  const data = results.map((result) => result.data)
  const items = useMemo(
    () =>
      query === ""
        ? []
        : defined(data)
            .flatMap((list) =>
              list.items.flatMap(({ id: space, pages, title }) => pages.map((page) => ({ page, space, title })))
            )
            .toSorted((a, b) => b.page.score - a.page.score)
            .slice(0, maxPages)
            .map(({ page, space, title }): PaletteItem => ({
              id: `page ${space} ${page.id}`,
              group: "pages",
              title: page.title || text("page.untitled"),
              detail: [title, ...page.ancestors.map((ancestor) => ancestor.title)].join(" › "),
              icon: "document",
              open: () => void navigate({ to: "/spaces/$space/pages/$page", params: { space, page: page.id } })
            })),
    // The arrays are new at each rendering, so the dependencies are their elements.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [query, navigate, ...data]
  )
  return { items, isFetching: results.some(({ isFetching }) => isFetching) }
}

const useFoundPeople = (query: string) => {
  const navigate = useNavigate()
  const { data: organizations = [] } = useQuery(queries.organizations())
  const results = useQueries({ queries: organizations.map(({ id }) => people(id, query)) })
  const data = results.map((result) => result.data)
  const items = useMemo(
    () =>
      query === ""
        ? []
        : organizations.flatMap(({ id: organization, title }, i) =>
            (data[i]?.items ?? []).map(({ id, role, user: { displayName } }): PaletteItem => ({
              id: `person ${organization} ${id}`,
              group: "people",
              title: displayName,
              detail: `${roleName(role ?? "guest")} · ${title}`,
              icon: "user",
              open: () =>
                void navigate({
                  to: "/organizations/$organization/members",
                  params: { organization },
                  search: { search: displayName.slice(0, maxPeopleQuery) }
                })
            }))
          ),
    // The arrays are new at each rendering, so the dependencies are their elements.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
    [query, navigate, organizations, ...data]
  )
  return { items, isFetching: results.some(({ isFetching }) => isFetching) }
}

/** Returns the items that need no search: actions, recent pages, spaces, change requests, and sites. */
const useLocalItems = () => {
  const navigate = useNavigate()
  const { space: currentSpace, number } = useParams({ strict: false }) as {
    readonly space?: string
    readonly number?: string
  }
  const { data: organizations = [], isPending } = useQuery(queries.organizations())
  const spaceQueries = useQueries({ queries: organizations.map(({ id }) => queries.spaces(id)) })
  const siteQueries = useQueries({ queries: organizations.map(({ id }) => queries.sites(id)) })
  const changeQueries = useQueries({ queries: organizations.map(({ id }) => changeRequestsOf(id)) })
  const [spaceLists, siteLists, changeLists] = [dataOf(spaceQueries), dataOf(siteQueries), dataOf(changeQueries)]
  const items = useMemo(() => {
    const spaces = defined(spaceLists).flat()
    const spaceTitles = new Map(spaces.map(({ id, title }) => [id, title]))
    const current = spaces.find(({ id }) => id === currentSpace)
    const newPage = async (space: string) => {
      const isInChangeRequest = number !== undefined && /^\d+$/.test(number)
      const target = isInChangeRequest ? Number(number) : await openDraft(space, text("draft.newPage"))
      const result = await writeContent(space, target, [{ operation: "insert_page", title: text("page.untitled") }])
      const page = createdPage(result)
      if (page !== undefined)
        await navigate({
          to: "/spaces/$space/changes/$number/pages/$page",
          params: { space, number: String(target), page }
        })
    }
    const actions: ReadonlyArray<PaletteItem> = [
      ...(current?.permissions.edit
        ? [
            {
              id: "new-page",
              group: "actions" as const,
              title: text("page.new"),
              detail: current.title,
              icon: "add" as const,
              open: () => void newPage(current.id).catch(notifyProblem)
            }
          ]
        : []),
      ...(current !== undefined
        ? [
            {
              id: "changes",
              group: "actions" as const,
              title: text("changes.title"),
              detail: current.title,
              icon: "edit" as const,
              open: () => void navigate({ to: "/spaces/$space/changes", params: { space: current.id } })
            }
          ]
        : []),
      {
        id: "home",
        group: "actions",
        title: text("home.title"),
        icon: "space",
        open: () => void navigate({ to: "/" })
      },
      {
        id: "new-space",
        group: "actions",
        title: text("home.newSpace"),
        icon: "add",
        open: () => void navigate({ to: "/", hash: newSpaceHash })
      },
      {
        id: "notifications",
        group: "actions",
        title: text("inbox.title"),
        icon: "bell",
        open: () => void navigate({ to: "/notifications" })
      },
      {
        id: "account",
        group: "actions",
        title: text("account.title"),
        icon: "user",
        open: () => void navigate({ to: "/account" })
      },
      {
        id: "theme",
        group: "actions",
        title: text(currentTheme() === "dark" ? "palette.light" : "palette.dark"),
        icon: "settings",
        open: () => applyTheme(currentTheme() === "dark" ? "light" : "dark")
      }
    ]
    return [
      ...recents().map(({ emoji, page, space, spaceTitle, title }): PaletteItem => ({
        id: `recent ${space} ${page}`,
        group: "recent",
        title,
        detail: spaceTitle,
        icon: "document",
        emoji,
        open: () => void navigate({ to: "/spaces/$space/pages/$page", params: { space, page } })
      })),
      ...actions,
      ...spaces.map(({ emoji, id, title }): PaletteItem => ({
        id: `space ${id}`,
        group: "spaces",
        title,
        icon: "space",
        emoji,
        open: () => void navigate({ to: "/spaces/$space", params: { space: id } })
      })),
      ...defined(changeLists)
        .flatMap((list) => list.items)
        .map(({ createdBy, id, number: itsNumber, space, subject }): PaletteItem => ({
          id: `change ${id}`,
          group: "changes",
          title: subject || text("changes.number", { number: itsNumber }),
          detail: `${spaceTitles.get(space) ?? ""} #${itsNumber} · ${createdBy.displayName}`,
          icon: "edit",
          open: () =>
            void navigate({ to: "/spaces/$space/changes/$number", params: { space, number: String(itsNumber) } })
        })),
      ...defined(siteLists)
        .flat()
        .flatMap(({ id, published: isPublished, title, urls: { published } }): ReadonlyArray<PaletteItem> =>
          !isPublished || published === undefined
            ? []
            : [
                {
                  id: `site ${id}`,
                  group: "sites",
                  title,
                  detail: published.replace(/^https?:\/\/|\/$/g, ""),
                  icon: "globe",
                  open: () => void window.open(published, "_blank", "noreferrer")
                }
              ]
        )
    ].map(indexItem)
    // The arrays are new at each rendering, so the dependencies are their elements.
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [navigate, currentSpace, number, ...spaceLists, ...siteLists, ...changeLists])
  const isLoading = isPending || [...spaceQueries, ...siteQueries, ...changeQueries].some((query) => query.isPending)
  return { items, isLoading }
}
