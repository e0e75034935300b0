/**
 * Asks before pages are deleted that have pages below them, or that readers of a published site can see. Other pages are
 * deleted at once, since the notice can take it back.
 */
import { useQuery } from "@tanstack/react-query"
import { useEffect, useRef } from "react"
import { Button } from "react-aria-components"
import { type ContentPlace, queries } from "../api/Queries.ts"
import type { Page } from "../api/Resources.ts"
import { Window } from "../frame/Window.tsx"
import { countedText, text } from "../language/Language.ts"
import { findPage, placedPages, titleOf, topmostPages } from "./PageTree.ts"

interface DeletePagesProps {
  readonly place: ContentPlace
  readonly pages: ReadonlyArray<Page>
  readonly ids: ReadonlySet<string>
  readonly onClose: () => void
  readonly onDelete: () => void
}

export const DeletePages = ({ place: { space }, pages, ids, onClose, onDelete }: DeletePagesProps) => {
  const { data: resource } = useQuery(queries.space(space))
  const organization = resource?.organization
  const sites = useQuery({
    ...queries.sitesOfSpace(organization ?? "", space),
    enabled: organization !== undefined
  })
  const main = useQuery(queries.pages({ space }))
  const isKnown = (sites.isSuccess || sites.isError) && (main.isSuccess || main.isError)
  const site = sites.data?.find(({ published }) => published)
  const deleted = topmostPages(pages, ids).map(({ page }) => page)
  const all = placedPages(deleted)
  const visible = site === undefined ? [] : all.filter(({ page }) => isVisible(main.data, page.id))
  const needsAnswer = all.length > deleted.length || deleted.length > 1 || visible.length > 0
  const isDone = useRef(false)
  useEffect(() => {
    if (!isKnown || needsAnswer || isDone.current) return
    isDone.current = true
    onDelete()
  }, [isKnown, needsAnswer, onDelete])
  const [first] = deleted
  if (!isKnown || !needsAnswer || first === undefined) return null
  const below = all.length - deleted.length
  return (
    <Window
      title={
        deleted.length === 1
          ? text("tree.deleteTitle", { title: titleOf(first) })
          : countedText("tree.deletePagesTitle", deleted.length)
      }
      isOpen
      onClose={onClose}
    >
      {below > 0 && <p>{countedText("tree.deleteBelow", below)}</p>}
      {site !== undefined && visible.length > 0 && (
        <p className="warning">{countedText("tree.deletePublished", visible.length, { site: site.title })}</p>
      )}
      <div className="buttons end">
        <Button className="control" onPress={onClose} autoFocus>
          {text("action.cancel")}
        </Button>
        <Button className="control danger" onPress={onDelete}>
          {text("tree.delete")}
        </Button>
      </div>
    </Window>
  )
}

/** Returns true if readers find a page in the main content. */
const isVisible = (pages: ReadonlyArray<Page> | undefined, id: string): boolean => {
  const placed = findPage(pages ?? [], id)
  return placed !== undefined && !placed.page.hidden
}
