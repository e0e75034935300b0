/** Writes of the tree of pages: moves, names and deletions, each with a notice that can take it back. */
import { useNavigate } from "@tanstack/react-router"
import { useMemo } from "react"
import { request } from "../api/Api.ts"
import { changeRequestPath, client, type ContentPlace, queries } from "../api/Queries.ts"
import type { ChangeRequest, Page } from "../api/Resources.ts"
import { type ContentChange, createdPage, writeContent } from "../api/Writes.ts"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { countedText, text } from "../language/Language.ts"
import { openDraft } from "./Draft.ts"
import { type CopiedPages, isSamePlace, maxCopied, pagesToCopy, pastePages } from "./PageCopies.ts"
import { findPage, placedPages, titleOf, topmostPages } from "./PageTree.ts"
import { type Move, movesTo, undoMoves } from "./TreeMoves.ts"
import type { TreePosition } from "./TreeRows.ts"

/** Kind of a new page, with the title and the URL of a link. */
export type NewPage =
  | { readonly type: "document" | "group" }
  | { readonly type: "link"; readonly title: string; readonly url: string }

export interface TreeWrites {
  readonly move: (moves: ReadonlyArray<Move>) => Promise<void>
  readonly rename: (page: string, title: string) => Promise<void>
  readonly hide: (ids: ReadonlySet<string>, hidden: boolean) => Promise<void>
  /** Pastes pages that were copied, here or elsewhere. Returns the ids of the pages at the position. */
  readonly paste: (copied: CopiedPages, position: TreePosition) => Promise<ReadonlyArray<string>>
  readonly remove: (ids: ReadonlySet<string>) => Promise<void>
  /** Returns the id of the new page. Undefined after a failure. */
  readonly insert: (page: NewPage, position: TreePosition) => Promise<string | undefined>
}

const undo = (run: () => Promise<unknown>) => ({
  label: text("action.undo"),
  run: () => void run().catch(notifyProblem)
})

/** Returns a text about one page by its title, or about several by their number. */
const about = (key: "deleted" | "moved", pages: ReadonlyArray<Page>): string =>
  pages.length === 1
    ? text(`tree.${key}`, { title: titleOf(pages[0]!) })
    : countedText(`tree.${key}Pages`, pages.length)

/** @param selected Id of the page on the screen. */
export const useTreeWrites = (
  { changeRequest, space }: ContentPlace,
  pages: ReadonlyArray<Page>,
  selected: string | undefined
): TreeWrites => {
  const navigate = useNavigate()
  return useMemo(() => {
    const write = (changes: ReadonlyArray<ContentChange>): Promise<unknown> =>
      changeRequest === undefined || changes.length === 0
        ? Promise.resolve()
        : writeContent(space, changeRequest, changes)

    const asChanges = (moves: ReadonlyArray<Move>): ReadonlyArray<ContentChange> =>
      moves.map((move) => ({ operation: "update_page", ...move }))

    const openPage = (number: number, page: string) =>
      navigate({
        to: "/spaces/$space/changes/$number/pages/$page",
        params: { space, number: String(number), page }
      })

    const move = async (moves: ReadonlyArray<Move>): Promise<void> => {
      if (moves.length === 0) return
      const back = undoMoves(pages, moves)
      try {
        await write(asChanges(moves))
        const moved = moves.map(({ page }) => findPage(pages, page)!.page)
        notify(
          about("moved", moved),
          undo(() => write(asChanges(back)))
        )
      } catch (failure) {
        notifyProblem(failure)
      }
    }

    return {
      move,

      rename: async (page, title) => {
        await write([{ operation: "update_page", page, title }]).catch(notifyProblem)
      },

      hide: async (ids, hidden) => {
        await write([...ids].map((page) => ({ operation: "update_page", page, hidden }))).catch(notifyProblem)
      },

      remove: async (ids) => {
        if (changeRequest === undefined) return
        const removed = topmostPages(pages, ids).map(({ page }) => page)
        const all: ReadonlyArray<string> = placedPages(removed).map(({ page }) => page.id)
        try {
          const { revision } = await request<ChangeRequest>(changeRequestPath(space, changeRequest))
          await write(removed.map(({ id }) => ({ operation: "delete_page", page: id })))
          if (selected !== undefined && all.includes(selected))
            await navigate({
              to: "/spaces/$space/changes/$number",
              params: { space, number: String(changeRequest) }
            })
          // A page of the deleted ones is restored after its parent.
          notify(
            about("deleted", removed),
            undo(() => write(all.map((page) => ({ operation: "revert_page", page, revision }))))
          )
        } catch (failure) {
          notifyProblem(failure)
        }
      },

      paste: async ({ ids, isCut, source: from }, position) => {
        const place = { space, ...(changeRequest !== undefined && { changeRequest }) }
        if (changeRequest === undefined) return []
        const isHere = isSamePlace(from, place)
        if (isCut && isHere) {
          const moves = movesTo(pages, new Set(ids), position)
          await move(moves)
          return moves.map(({ page }) => page)
        }
        try {
          const source = isHere ? pages : await client.ensureQueryData(queries.pages(from))
          const copies = pagesToCopy(source, new Set(ids))
          if (copies.length > maxCopied) throw new Error(countedText("tree.maxCopied", maxCopied))
          const pasted = await pastePages(copies, from, { space, changeRequest }, position)
          notify(
            countedText("tree.pasted", copies.length),
            undo(() => write(pasted.map((page) => ({ operation: "delete_page", page }))))
          )
          return pasted
        } catch (failure) {
          notifyProblem(failure)
          return []
        }
      },

      insert: async (page, position) => {
        try {
          const title =
            page.type === "link" ? page.title : text(page.type === "group" ? "tree.untitledGroup" : "page.untitled")
          const number = changeRequest ?? (await openDraft(space, text("draft.newPage")))
          const result = await writeContent(space, number, [
            {
              operation: "insert_page",
              type: page.type,
              title,
              ...(page.type === "link" && { target: { kind: "url", url: page.url } as const }),
              ...position
            }
          ])
          const id = createdPage(result)
          if (id !== undefined && page.type === "document") await openPage(number, id)
          return id
        } catch (failure) {
          notifyProblem(failure)
          return undefined
        }
      }
    }
  }, [changeRequest, navigate, pages, selected, space])
}
