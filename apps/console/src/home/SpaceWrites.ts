/** Writes to the list of spaces of an organization. */
import { request } from "../api/Api.ts"
import { client, queries } from "../api/Queries.ts"
import type { Collection, Space } from "../api/Resources.ts"
import { notify, notifyProblem } from "../frame/Notices.tsx"
import { text } from "../language/Language.ts"
import { findPage, siblingsIn } from "../space/PageTree.ts"
import type { Move } from "../space/TreeMoves.ts"
import { moveBody, type SpaceItem, spaceItems } from "./SpaceOrder.ts"

/** Reads the spaces and collections of an organization again. */
export const refreshSpaces = async (organization: string): Promise<void> => {
  await Promise.all(
    [["spaces", organization], ["collections", organization], ["deleted-spaces", organization], ["space"]].map(
      (queryKey) => client.invalidateQueries({ queryKey })
    )
  )
}

export const restoreSpace = async (organization: string, space: string): Promise<void> => {
  await request(`/spaces/${space}/restore`, { body: {} })
  await refreshSpaces(organization)
}

/** Returns the cached spaces and collections of an organization as a tree. */
export const cachedItems = (organization: string): ReadonlyArray<SpaceItem> =>
  spaceItems(
    client.getQueryData(queries.spaces(organization).queryKey) ?? [],
    client.getQueryData(queries.collections(organization).queryKey) ?? []
  )

const sendMove = async (
  organization: string,
  { id, type }: SpaceItem,
  body: ReturnType<typeof moveBody>
): Promise<void> => {
  try {
    const moved = await request<Collection | Space>(`/${type}s/${id}/move`, { body })
    const { queryKey } = type === "space" ? queries.spaces(organization) : queries.collections(organization)
    // A response on its way may be older than the move.
    await client.cancelQueries({ queryKey })
    client.setQueryData<ReadonlyArray<Collection | Space>>(queryKey, (list) =>
      list?.map((other) => (other.id === id ? moved : other))
    )
  } finally {
    void refreshSpaces(organization)
  }
}

/** Moves a space or a collection, with a notice that can take the move back. `items`: the tree before the move. */
export const moveItem = async (organization: string, items: ReadonlyArray<SpaceItem>, move: Move): Promise<void> => {
  const { index, page: item, parents } = findPage(items, move.page)!
  await sendMove(organization, item, moveBody(move, siblingsIn(items, move.into)))
  const into = parents.at(-1)?.id ?? null
  const back = moveBody({ page: item.id, into, at: index }, siblingsIn(items, into))
  const takeBack = async (): Promise<void> => {
    await sendMove(organization, item, back)
    // At the top, the server made the space private.
    if (item.type !== "space" || item.space.visibility !== "in-collection" || move.into !== null) return
    await request(`/spaces/${item.id}`, { method: "PATCH", body: { visibility: "in-collection" } })
    await refreshSpaces(organization)
  }
  notify(
    text("tree.moved", { title: item.title }),
    // The collection of a detached item is not visible, so it can't be the target of a move.
    item.isDetached
      ? undefined
      : {
          label: text("action.undo"),
          run: () => void takeBack().catch(notifyProblem)
        }
  )
}
