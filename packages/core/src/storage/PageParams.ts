/** Paging parameters of a list request. `limit`: 1 to 1,000 items, default 50. Other numbers count as the nearest one. */
export interface PageParams {
  /** Cursor from an earlier response. */
  readonly page?: string
  readonly limit?: number
}

export const defaultLimit = 50
export const maxLimit = 1000
