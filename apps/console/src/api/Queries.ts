/** Reads of the API, with the keys under which their results are cached. A write invalidates the keys that it changes. */
import type { Document } from "@lectern/document/Document"
import { infiniteQueryOptions, QueryClient, queryOptions } from "@tanstack/react-query"
import { ApiProblem, request } from "./Api.ts"
import type {
  ChangeRequest,
  Changes,
  Collection,
  DeletedSpace,
  File,
  List,
  Member,
  Organization,
  Page,
  PageChanges,
  RequestedReviewer,
  Review,
  Site,
  Space,
  SpaceTag,
  User
} from "./Resources.ts"

/** Largest number of items that one request of the API returns. */
const limit = 1_000

/** Number of change requests in a step of their list. */
const changeRequestStep = 50

/** Number of deleted spaces in a step of their list. */
const trashStep = 50

export const client = new QueryClient({
  defaultOptions: {
    queries: {
      staleTime: 10_000,
      // A request that the server refused would be refused again.
      retry: (count, failure) =>
        !(failure instanceof ApiProblem && failure.status > 0 && failure.status < 500) && count < 2
    }
  }
})

/** Reads all items of a list, in as few requests as possible. */
const all = async <A>(path: string, query: { readonly [name: string]: string | ReadonlyArray<string> } = {}) => {
  const items: Array<A> = []
  let page: string | undefined
  do {
    const list: List<A> = await request(path, { query: { ...query, limit, page } })
    items.push(...list.items)
    page = list.next?.page
  } while (page !== undefined)
  return items as ReadonlyArray<A>
}

/** Place of content: the main content of a space, or a change request. */
export interface ContentPlace {
  readonly space: string
  /** Number of the change request. Absent for the main content. */
  readonly changeRequest?: number
}

export const changeRequestPath = (space: string, number: number): string => `/spaces/${space}/change-requests/${number}`

export const contentPath = ({ space, changeRequest }: ContentPlace): string =>
  `${changeRequest === undefined ? `/spaces/${space}` : changeRequestPath(space, changeRequest)}/content`

export const contentKey = ({ space, changeRequest }: ContentPlace) =>
  ["content", space, changeRequest ?? "main"] as const

export const queries = {
  me: () => queryOptions({ queryKey: ["me"], queryFn: () => request<User>("/user"), staleTime: Infinity }),

  organizations: () => queryOptions({ queryKey: ["organizations"], queryFn: () => all<Organization>("/orgs") }),

  spaces: (organization: string) =>
    queryOptions({
      queryKey: ["spaces", organization],
      queryFn: () => all<Space>(`/orgs/${organization}/spaces`)
    }),

  /** The spaces in the trash that the user may restore. */
  deletedSpaces: (organization: string) =>
    infiniteQueryOptions({
      queryKey: ["deleted-spaces", organization],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        request<List<DeletedSpace>>(`/orgs/${organization}/deleted-spaces`, {
          query: { limit: trashStep, page: pageParam }
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next?.page
    }),

  collections: (organization: string) =>
    queryOptions({
      queryKey: ["collections", organization],
      queryFn: () => all<Collection>(`/orgs/${organization}/collections`)
    }),

  sites: (organization: string) =>
    queryOptions({ queryKey: ["sites", organization], queryFn: () => all<Site>(`/orgs/${organization}/sites`) }),

  sitesOfSpace: (organization: string, space: string) =>
    queryOptions({
      queryKey: ["sites", organization, space],
      queryFn: () => all<Site>(`/orgs/${organization}/sites`, { space })
    }),

  members: (organization: string) =>
    queryOptions({
      queryKey: ["members", organization],
      queryFn: () => all<Member>(`/orgs/${organization}/members`)
    }),

  space: (space: string) =>
    queryOptions({ queryKey: ["space", space], queryFn: () => request<Space>(`/spaces/${space}`) }),

  pages: (place: ContentPlace) =>
    queryOptions({
      queryKey: [...contentKey(place), "pages"],
      // A comparison with the pages before would take longer than all that follows from new ones.
      structuralSharing: false,
      queryFn: async () =>
        (
          await request<{ readonly pages: ReadonlyArray<Page> }>(`${contentPath(place)}/pages`, {
            query: { metadata: false }
          })
        ).pages
    }),

  /** The document of a page as in a site: with expressions evaluated and reusable contents included. */
  document: (place: ContentPlace, page: string) =>
    queryOptions({
      queryKey: [...contentKey(place), "document", page],
      queryFn: () =>
        request<Document>(`${contentPath(place)}/page/${page}/document`, {
          query: { evaluated: "deterministic-only", dereferenced: "reusable-contents", metadata: false }
        })
    }),

  files: (place: ContentPlace) =>
    queryOptions({
      queryKey: [...contentKey(place), "files"],
      queryFn: () => all<File>(`${contentPath(place)}/files`),
      // The URLs are signed for at least 10 minutes.
      staleTime: 5 * 60_000
    }),

  /** The tags that pages can have. */
  tags: (place: ContentPlace) =>
    queryOptions({
      queryKey: [...contentKey(place), "tags"],
      queryFn: async () => (await request<{ readonly tags: ReadonlyArray<SpaceTag> }>(contentPath(place))).tags
    }),

  changeRequests: (space: string, status: ReadonlyArray<string>) =>
    infiniteQueryOptions({
      queryKey: ["change-requests", space, ...status],
      queryFn: ({ pageParam }: { pageParam: string | undefined }) =>
        request<List<ChangeRequest>>(`/spaces/${space}/change-requests`, {
          query: { status, limit: changeRequestStep, page: pageParam }
        }),
      initialPageParam: undefined as string | undefined,
      getNextPageParam: ({ next }) => next?.page
    }),

  changeRequest: (space: string, number: number) =>
    queryOptions({
      queryKey: ["change-request", space, number],
      queryFn: () => request<ChangeRequest>(changeRequestPath(space, number))
    }),

  changes: (space: string, number: number) =>
    queryOptions({
      queryKey: ["change-request", space, number, "changes"],
      queryFn: () => request<Changes>(`${changeRequestPath(space, number)}/changes`)
    }),

  pageChanges: (space: string, number: number, page: string) =>
    queryOptions({
      queryKey: ["change-request", space, number, "changes", page],
      queryFn: () => request<PageChanges>(`${changeRequestPath(space, number)}/changes/page/${page}`)
    }),

  reviews: (space: string, number: number) =>
    queryOptions({
      queryKey: ["change-request", space, number, "reviews"],
      queryFn: () => all<Review>(`${changeRequestPath(space, number)}/reviews`)
    }),

  requestedReviewers: (space: string, number: number) =>
    queryOptions({
      queryKey: ["change-request", space, number, "requested-reviewers"],
      queryFn: () => all<RequestedReviewer>(`${changeRequestPath(space, number)}/requested-reviewers`)
    })
}
