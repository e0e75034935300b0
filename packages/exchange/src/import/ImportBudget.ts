/** Number of bytes that an import may still fetch. */
import { Effect } from "effect"
import { FetchFailed, type FetchedFile, type FetchOptions, type GuardedFetch } from "@lectern/core/fetch/GuardedFetch"

export interface ImportBudget {
  readonly isSpent: () => boolean
  /** Fetches a URL. Fails if it exceeds the remaining bytes. */
  readonly fetch: (url: string, options: FetchOptions) => Effect.Effect<FetchedFile, FetchFailed>
}

export const make = (fetcher: GuardedFetch["Service"], totalBytes: number): ImportBudget => {
  let remainingBytes = totalBytes
  return {
    isSpent: () => remainingBytes <= 0,
    fetch: (url, options) =>
      Effect.suspend(() =>
        remainingBytes <= 0
          ? Effect.fail(
              new FetchFailed({ reason: "too-large", message: `There is more than ${totalBytes / 1024 / 1024} MiB` })
            )
          : Effect.tap(
              fetcher.fetch(url, { ...options, maxBytes: Math.min(options.maxBytes, remainingBytes) }),
              ({ bytes }) => Effect.sync(() => void (remainingBytes -= bytes.length))
            )
      )
  }
}
