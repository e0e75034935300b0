/** Cached responses that an event of the feed makes out of date. An event of content names no page, only its space. */
import type { QueryKey } from "@tanstack/react-query"
import { contentKey } from "../api/Queries.ts"

/** An event of `GET /v1/orgs/{organization}/events`, as far as the console reads it. */
export interface FeedEvent {
  readonly id: string
  readonly type: string
  readonly organization: string
  readonly space?: string
  /** Id of a change request. */
  readonly changeRequest?: string
  readonly revision?: string
}

export interface OutdatedQuery {
  readonly queryKey: QueryKey
  /** True if responses whose keys only start with the key stay. Default: false. */
  readonly exact?: boolean
}

const keys = (...queryKeys: ReadonlyArray<QueryKey>): ReadonlyArray<OutdatedQuery> =>
  queryKeys.map((queryKey) => ({ queryKey }))

/**
 * Returns the responses that an event makes out of date.
 *
 * @param numberOf Returns the number of a change request by its id. Undefined if the console has not read it.
 */
export const outdatedQueries = (
  event: FeedEvent,
  numberOf: (space: string, changeRequest: string) => number | undefined
): ReadonlyArray<OutdatedQuery> => {
  const { changeRequest: id, organization, space, type } = event
  const number = space === undefined || id === undefined ? undefined : numberOf(space, id)
  if (space === undefined) {
    if (type.startsWith("site_")) return keys(["sites", organization])
    if (type.startsWith("collection_")) return keys(["collections", organization], ["spaces", organization])
    if (type.startsWith("member_")) return keys(["members", organization])
    if (type.startsWith("organization_")) return keys(["organizations"])
    if (type.startsWith("grant_")) return keys(["space"], ["spaces", organization])
    return []
  }
  if (type.startsWith("comment_"))
    return [
      ...keys(["comments", space]),
      ...(number === undefined ? [] : [{ queryKey: ["change-request", space, number], exact: true }])
    ]
  if (type === "space_content_updated") return keys(contentKey({ space }), ["change-request", space])
  if (type === "change_request_merged")
    return keys(contentKey({ space }), ["change-request", space], ["change-requests", space], ["space", space])
  if (type === "change_request_content_updated")
    return number === undefined
      ? []
      : [
          { queryKey: ["change-request", space, number], exact: true },
          ...keys(["change-request", space, number, "changes"], contentKey({ space, changeRequest: number }))
        ]
  if (type === "change_request_created" || type === "change_request_status_updated")
    return keys(
      ["change-requests", space],
      ["space", space],
      ...(number === undefined ? [] : [["change-request", space, number]])
    )
  if (type === "change_request_updated")
    return keys(["change-requests", space], ...(number === undefined ? [] : [["change-request", space, number]]))
  if (id !== undefined) return number === undefined ? [] : keys(["change-request", space, number])
  if (type.startsWith("space_gitsync_")) return []
  if (type === "space_deleted" || type === "space_restored" || type === "space_removed")
    return keys(["space", space], ["spaces", organization], ["deleted-spaces", organization])
  if (type.startsWith("space_")) return keys(["space", space], ["spaces", organization])
  return []
}
