/** Paging parameters of a list request. Default: 50 items. Maximum: 1,000. */
export interface PageParams {
  /** Cursor from an earlier response. */
  readonly page?: string
  readonly limit?: number
}

export const defaultLimit = 50
export const maxLimit = 1000
