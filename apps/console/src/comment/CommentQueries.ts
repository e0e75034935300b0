/** Reads and writes of comments on a space or on a change request. */
import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query"
import { request } from "../api/Api.ts"
import { changeRequestPath, client, type ContentPlace } from "../api/Queries.ts"
import type { Comment, CommentReply, List } from "../api/Resources.ts"

export type CommentStatus = Comment["status"]

/** Subject of a comment: the whole content, a page of it, or a block of that page. */
interface CommentTarget {
  readonly page?: string
  readonly node?: string
}

/** Number of comments in a step of their list. */
const listStep = 30

/** Largest number of comments that are displayed at blocks. */
const maxBlockComments = 200

const maxReplies = 1_000

const pathOf = ({ changeRequest, space }: ContentPlace): string =>
  `${changeRequest === undefined ? `/spaces/${space}` : changeRequestPath(space, changeRequest)}/comments`

const keyOf = ({ changeRequest, space }: ContentPlace) => ["comments", space, changeRequest ?? "main"] as const

/** Bodies are documents, which the renderer of pages renders. */
const format = "document"

export const commentQueries = {
  list: (place: ContentPlace, status: CommentStatus, page?: string) =>
    infiniteQueryOptions({
      queryKey: [...keyOf(place), status, page ?? "all"],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        request<List<Comment>>(pathOf(place), {
          query: { order: "asc", status, format, targetPage: page, limit: listStep, page: pageParam }
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next?.page
    }),

  /** Open comments, for their display at the blocks that they are about. */
  open: (place: ContentPlace) =>
    queryOptions({
      queryKey: [...keyOf(place), "blocks"],
      queryFn: () =>
        request<List<Comment>>(pathOf(place), {
          query: { order: "asc", status: "open", format, limit: maxBlockComments }
        })
    }),

  /** A comment that a link leads to. */
  one: (place: ContentPlace, id: string) =>
    queryOptions({
      queryKey: [...keyOf(place), "one", id],
      queryFn: () => request<Comment>(`${pathOf(place)}/${id}`, { query: { format } })
    }),

  replies: (place: ContentPlace, comment: string) =>
    queryOptions({
      queryKey: [...keyOf(place), "replies", comment],
      queryFn: () =>
        request<List<CommentReply>>(`${pathOf(place)}/${comment}/replies`, { query: { format, limit: maxReplies } })
    })
}

/** Reads the comments again, and the resources with their number. */
const refresh = async (place: ContentPlace): Promise<void> => {
  const { changeRequest, space } = place
  await Promise.all([
    client.invalidateQueries({ queryKey: keyOf(place) }),
    ...(changeRequest === undefined
      ? []
      : [client.invalidateQueries({ queryKey: ["change-request", space, changeRequest], exact: true })])
  ])
}

const itemPath = (place: ContentPlace, comment: string, reply: string | undefined): string =>
  `${pathOf(place)}/${comment}${reply === undefined ? "" : `/replies/${reply}`}`

export const postComment = async (place: ContentPlace, markdown: string, target: CommentTarget): Promise<void> => {
  await request(pathOf(place), { body: { body: { markdown }, ...target } })
  await refresh(place)
}

export const postReply = async (place: ContentPlace, comment: string, markdown: string): Promise<void> => {
  await request(`${pathOf(place)}/${comment}/replies`, { body: { body: { markdown } } })
  await refresh(place)
}

interface CommentPatch {
  readonly resolved?: boolean
  readonly body?: { readonly markdown: string }
  readonly addedReactions?: ReadonlyArray<string>
  readonly removedReactions?: ReadonlyArray<string>
}

/** Changes a comment, or a reply to it. */
export const updateComment = async (
  place: ContentPlace,
  comment: string,
  reply: string | undefined,
  patch: CommentPatch
): Promise<void> => {
  await request(itemPath(place, comment, reply), { method: "PUT", body: patch })
  await refresh(place)
}

export const deleteComment = async (place: ContentPlace, comment: string, reply: string | undefined): Promise<void> => {
  await request(itemPath(place, comment, reply), { method: "DELETE" })
  await refresh(place)
}

/** Returns the Markdown of a comment or a reply, for its author to change it. */
export const commentMarkdown = async (
  place: ContentPlace,
  comment: string,
  reply: string | undefined
): Promise<string> => {
  const { body } = await request<Comment | CommentReply>(itemPath(place, comment, reply), {
    query: { format: "markdown" }
  })
  return "markdown" in body ? body.markdown : ""
}
