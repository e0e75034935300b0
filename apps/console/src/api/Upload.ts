/**
 * A request with a large body. It reports how much was sent, and can be cancelled. `fetch` reports no progress of a body
 * that it sends. Limit: a request without a response ends after 5 minutes.
 */
import { text } from "../language/Language.ts"
import { ApiProblem, pathWith, problemOf } from "./Api.ts"

const timeout = 5 * 60 * 1_000

interface UploadOptions {
  readonly query?: Parameters<typeof pathWith>[1]
  readonly body: unknown
  /** Cancels the request. It then fails with the reason of the signal. */
  readonly signal?: AbortSignal
  /** Called with the part of the body that was sent, between 0 and 1. */
  readonly onProgress?: (sent: number) => void
}

/** Sends a request to the API. `path`: path below `/v1`. */
export const upload = <A>(path: string, { body, onProgress, query, signal }: UploadOptions): Promise<A> =>
  new Promise((resolve, reject) => {
    signal?.throwIfAborted()
    const request = new XMLHttpRequest()
    request.open("POST", pathWith(path, query))
    request.responseType = "json"
    request.timeout = timeout
    request.setRequestHeader("content-type", "application/json")
    const fail = () => reject(new ApiProblem(0, text("problem.unanswered")))
    request.addEventListener("load", () => {
      if (request.status >= 200 && request.status < 300) resolve(request.response as A)
      else reject(problemOf(request.status, request.response))
    })
    request.addEventListener("error", fail)
    request.addEventListener("timeout", fail)
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress?.(total === 0 ? 0 : loaded / total))
    signal?.addEventListener("abort", () => {
      request.abort()
      reject(signal.reason)
    })
    request.send(JSON.stringify(body))
  })
