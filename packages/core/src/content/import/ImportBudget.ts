/** Number of bytes that an import may still fetch. */
import { Effect } from "effect"
import { FetchFailed, type FetchedFile, type FetchOptions, type GuardedFetch } from "../../fetch/GuardedFetch.ts"

export interface ImportBudget {
  readonly isSpent: () => boolean
  /** Fetches a URL. Fails if it exceeds the remaining bytes. */
  readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<FetchedFile, FetchFailed>
}

export const make = (fetcher: GuardedFetch["Service"], totalBytes: number): ImportBudget => {
  let left = totalBytes
  return {
    isSpent: () => left <= 0,
    fetch: (url, options) =>
      Effect.suspend(() =>
        left <= 0
          ? Effect.fail(
              new FetchFailed({ reason: "too-large", message: `There is more than ${totalBytes / 1024 / 1024} MiB` })
            )
          : Effect.tap(fetcher.fetch(url, { ...options, maxBytes: Math.min(options.maxBytes, left) }), ({ bytes }) =>
              Effect.sync(() => void (left -= bytes.length))
            )
      )
  }
}
