/** The page of a list that a caller wants. Default: 50 items; at most 1,000. */
export interface PageParams {
  /** The cursor of an earlier answer. */
  readonly page?: string
  readonly limit?: number
}

export const defaultLimit = 50
export const maxLimit = 1000
