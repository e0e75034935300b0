/**
 * Collections and spaces as a tree of lists. Rows are plain elements, since an organization may have 1,000 of them, and
 * browsers skip the layout of rows outside the window.
 */
import { emojiCharacters } from "@lectern/document/EmojiCode"
import { useNavigate } from "@tanstack/react-router"
import { memo, type MouseEvent, useMemo } from "react"
import type { Collection, Space } from "../api/Resources.ts"
import { Icon } from "../frame/Icon.tsx"
import { countedText, text, timeAgo } from "../language/Language.ts"

interface SpaceTreeProps {
  readonly spaces: ReadonlyArray<Space>
  readonly collections: ReadonlyArray<Collection>
  /** Opens the settings of a space. */
  readonly onSpace: (space: Space) => void
  /** Opens the settings of a collection. */
  readonly onCollection: (collection: Collection) => void
}

interface BranchProps {
  readonly tree: Tree
  readonly parent: string | undefined
  readonly onSpace: (space: Space) => void
  readonly onCollection: (collection: Collection) => void
}

/** Collections and spaces by their parents. */
interface Tree {
  readonly collections: ReadonlyMap<string | undefined, ReadonlyArray<Collection>>
  readonly spaces: ReadonlyMap<string | undefined, ReadonlyArray<Space>>
}

export const SpaceTree = memo(({ spaces, collections, onSpace, onCollection }: SpaceTreeProps) => {
  const navigate = useNavigate()
  const tree = useMemo((): Tree => {
    const ids = new Set<string>(collections.map(({ id }) => id))
    // The content of a collection that the user may not see is at the top.
    const parentOf = ({ parent }: { readonly parent?: string }) =>
      parent !== undefined && ids.has(parent) ? parent : undefined
    return { collections: Map.groupBy(collections, parentOf), spaces: Map.groupBy(spaces, parentOf) }
  }, [collections, spaces])
  // The links are real links. The handler only avoids to load the console again.
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>("a.row")
    if (link === null || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    void navigate({ href: link.pathname })
  }
  return (
    <div onClick={follow}>
      <Branch tree={tree} parent={undefined} onSpace={onSpace} onCollection={onCollection} />
    </div>
  )
})

const Branch = ({ tree, parent, onSpace, onCollection }: BranchProps) => {
  const collections = tree.collections.get(parent) ?? []
  const spaces = tree.spaces.get(parent) ?? []
  if (collections.length + spaces.length === 0) return <p className="muted branch-empty">{text("collection.empty")}</p>
  return (
    <ul className="rows">
      {collections.map((collection) => (
        <li key={collection.id} className="with-settings">
          <details open>
            <summary>
              <Icon name="chevron" />
              <Icon name="folder" />
              <span dir="auto">{collection.title}</span>
            </summary>
            <Branch tree={tree} parent={collection.id} onSpace={onSpace} onCollection={onCollection} />
          </details>
          {collection.permissions.admin && (
            <SettingsButton title={collection.title} onPress={() => onCollection(collection)} />
          )}
        </li>
      ))}
      {spaces.map((space) => (
        <SpaceRow key={space.id} space={space} onSettings={() => onSpace(space)} />
      ))}
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
      <a href={`/spaces/${id}`} className="row">
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
