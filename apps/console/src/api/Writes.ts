/** Writes of content to a change request. */
import type { ContentRef } from "@lectern/document/ContentRef"
import { request } from "./Api.ts"
import { addOwnRevision } from "./OwnRevisions.ts"
import { changeRequestPath, client, contentKey } from "./Queries.ts"
import type { ChangeRequest, DocumentPage, Page } from "./Resources.ts"
import { changedTree } from "./TreeChanges.ts"

/** Fields of a page. Null or an empty text removes a value. */
export interface PageFields {
  readonly title?: string
  readonly linkTitle?: string | null
  readonly slug?: string
  readonly emoji?: string | null
  readonly icon?: string | null
  readonly description?: string | null
  readonly hidden?: boolean
  readonly noIndex?: boolean
  readonly noRobotsIndex?: boolean
  readonly condition?: string | null
  readonly layout?: DocumentPage["layout"]
  readonly cover?: NonNullable<DocumentPage["cover"]> | null
  readonly variables?: { readonly [name: string]: string | number | boolean } | null
  readonly tags?: ReadonlyArray<{ readonly tag: string; readonly primary?: boolean }> | null
}

export type ContentChange =
  | ({
      readonly operation: "insert_page"
      readonly type?: "document" | "group" | "link"
      readonly title: string
      /** Target of a link. */
      readonly target?: ContentRef
      readonly document?: { readonly document: unknown }
      readonly into?: string | null
      readonly at?: number
      /** Name of the page in its request, for pages inside of it. */
      readonly ref?: string
    } & PageFields)
  | ({
      readonly operation: "update_page"
      readonly page: string
      readonly into?: string | null
      readonly at?: number
    } & PageFields)
  | { readonly operation: "delete_page"; readonly page: string }
  | { readonly operation: "revert_page"; readonly page: string; readonly revision: string }

interface ContentUpdate {
  readonly changeRequest: ChangeRequest
  readonly changes: ReadonlyArray<{ readonly object: string; readonly page: string | { readonly id: string } }>
}

/** Returns the ids of the pages that a batch created, in the order of its changes. */
export const createdPages = ({ changes }: ContentUpdate): ReadonlyArray<string> =>
  changes.flatMap(({ object, page }) => (object === "created_page" ? [typeof page === "object" ? page.id : page] : []))

/** Returns the id of the page that a batch created. */
export const createdPage = (update: ContentUpdate): string | undefined => createdPages(update)[0]

/** Maximum number of changes in a request. */
export const maxChanges = 50

/**
 * Applies changes to a change request, and updates its tree and its list of changes. More than 50 changes take
 * several requests, and a failure keeps the changes of the earlier ones.
 */
export const writeContent = async (
  space: string,
  number: number,
  changes: ReadonlyArray<ContentChange>,
  { keepalive = false }: { readonly keepalive?: boolean } = {}
): Promise<ContentUpdate> => {
  const send = (start: number) =>
    request<ContentUpdate>(`${changeRequestPath(space, number)}/content`, {
      query: { compat: false },
      body: { changes: changes.slice(start, start + maxChanges) },
      keepalive
    })
  try {
    let result = await send(0)
    addOwnRevision(result.changeRequest.revision)
    for (let start = maxChanges; start < changes.length; start += maxChanges) {
      const next = await send(start)
      addOwnRevision(next.changeRequest.revision)
      result = { ...next, changes: [...result.changes, ...next.changes] }
    }
    await updateTree(space, number, changes)
    return result
  } catch (failure) {
    await client.invalidateQueries({ queryKey: treeKey(space, number) })
    throw failure
  } finally {
    void client.invalidateQueries({ queryKey: ["change-request", space, number] })
  }
}

const treeKey = (space: string, number: number) => [...contentKey({ space, changeRequest: number }), "pages"] as const

/**
 * Applies changes to the tree that is cached. It is read again only if its result is not known here, or paths of pages
 * have changed: a tree of 10,000 pages has 6 MB.
 */
const updateTree = async (space: string, number: number, changes: ReadonlyArray<ContentChange>): Promise<void> => {
  const queryKey = treeKey(space, number)
  const pages = client.getQueryData<ReadonlyArray<Page>>(queryKey)
  const changed = pages === undefined ? undefined : changedTree(pages, changes)
  if (changed === undefined) return client.invalidateQueries({ queryKey })
  // A response on its way may be older than the changes.
  const isOnItsWay = client.isFetching({ queryKey }) > 0
  await client.cancelQueries({ queryKey })
  client.setQueryData(queryKey, changed)
  const needsRead = isOnItsWay || changes.some((change) => "into" in change)
  void client.invalidateQueries({ queryKey, refetchType: needsRead ? "active" : "none" })
}

/** Reads everything of a space again, after a merge. */
export const contentMerged = async (space: string): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: contentKey({ space }) }),
    client.invalidateQueries({ queryKey: ["change-request", space] }),
    client.invalidateQueries({ queryKey: ["change-requests", space] }),
    client.invalidateQueries({ queryKey: ["space", space] })
  ])
}
