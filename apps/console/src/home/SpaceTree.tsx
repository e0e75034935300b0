/**
 * Collections and spaces as a tree of lists, in the order of the API. Rows are plain elements, since an organization may
 * have 1,000 of them, and browsers skip the layout of rows outside the window. Moves of rows are loaded after them.
 */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useNavigate } from "@tanstack/react-router"
import { lazy, memo, type MouseEvent, Suspense, useMemo, useRef } from "react"
import type { Collection, Organization, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"
import { type SpaceItem, spaceItems } from "./SpaceOrder.ts"

const SpaceMoves = lazy(async () => ({ default: (await import("./SpaceMoves.tsx")).SpaceMoves }))

interface SpaceTreeProps {
  readonly organization: Organization
  readonly spaces: ReadonlyArray<Space>
  readonly collections: ReadonlyArray<Collection>
  /** Opens the settings of a space. */
  readonly onSpace: (space: Space) => void
  /** Opens the settings of a collection. */
  readonly onCollection: (collection: Collection) => void
}

interface BranchProps {
  readonly items: ReadonlyArray<SpaceItem>
  readonly onSpace: (space: Space) => void
  readonly onCollection: (collection: Collection) => void
}

export const SpaceTree = memo(({ organization, spaces, collections, onSpace, onCollection }: SpaceTreeProps) => {
  const navigate = useNavigate()
  const items = useMemo(() => spaceItems(spaces, collections), [collections, spaces])
  const container = useRef<HTMLDivElement>(null)
  // The links are real links. The handler only avoids to load the console again.
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a.row")
    if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ href: link.pathname })
  }
  return (
    <div className="space-tree" role="group" aria-label={text("home.spaces")} ref={container} onClick={follow}>
      <Branch items={items} onSpace={onSpace} onCollection={onCollection} />
      <Suspense>
        <SpaceMoves organization={organization} items={items} container={container} />
      </Suspense>
    </div>
  )
})

const Branch = ({ items, onSpace, onCollection }: BranchProps) => {
  if (items.length === 0) return <p className="muted branch-empty">{text("collection.empty")}</p>
  return (
    <ul className="rows">
      {items.map((item) => {
        if (item.type === "space")
          return <SpaceRow key={item.id} space={item.space} onSettings={() => onSpace(item.space)} />
        const { collection, id, pages, title } = item
        return (
          <li key={id} className="with-settings">
            <details open>
              <summary data-id={id}>
                <Icon name="chevron" />
                <Icon name="folder" />
                <span dir="auto">{title}</span>
              </summary>
              <Branch items={pages} onSpace={onSpace} onCollection={onCollection} />
            </details>
            {collection.permissions.admin && <SettingsButton title={title} onPress={() => onCollection(collection)} />}
          </li>
        )
      })}
    </ul>
  )
}

interface SpaceRowProps {
  readonly space: Space
  readonly onSettings: () => void
}

const SpaceRow = ({ space, onSettings }: SpaceRowProps) => {
  const { changeRequestsDraft, changeRequestsOpen, emoji, id, permissions, title, updatedAt } = space
  return (
    <li className="with-settings space-row">
      <a href={`/spaces/${id}`} className="row" data-id={id}>
        <span className="row-emoji" aria-hidden="true">
          {emojiCharacters(emoji)}
        </span>
        <span className="row-title" dir="auto">
          {title}
        </span>
        {changeRequestsOpen + changeRequestsDraft > 0 && (
          <span className="badge">{countedText("home.changeRequests", changeRequestsOpen + changeRequestsDraft)}</span>
        )}
        <span className="muted row-time">{timeAgo(updatedAt)}</span>
      </a>
      {permissions.admin && <SettingsButton title={title} onPress={onSettings} />}
    </li>
  )
}

interface SettingsButtonProps {
  readonly title: string
  readonly onPress: () => void
}

const SettingsButton = ({ title, onPress }: SettingsButtonProps) => (
  <button
    type="button"
    className="plain square row-settings"
    aria-label={text("home.settingsOf", { title })}
    onClick={onPress}
  >
    <Icon name="more" />
  </button>
)
