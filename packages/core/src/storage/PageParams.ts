/** Paging parameters of a list request. */
export interface PageParams {
  /** Cursor from `next.page` of the previous list page. Default: the first page. */
  readonly page?: string
  /** Number of items in the list page, 1 to 1,000. Default: 50. Other numbers count as the nearest one. */
  readonly limit?: number
}

export const defaultLimit = 50
export const maxLimit = 1000
