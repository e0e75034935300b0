/**
 * A page of a change request on a Lectern server, for `startSaving`.
 *
 * ```ts
 * const page = changeRequestPage({ api: "/v1", space, changeRequest, page: id, nextKey })
 * const { revision, document } = await page.fetchNewest()
 * const editor = openEditor(element, { document, nextKey, onEdit: () => saving.edited() })
 * const saving = await startSaving({ editor, ...page, revision, base: document, page: id, tab, journal })
 * ```
 *
 * A text is written only if the change request is at the revision that the text is based on (`If-Match`).
 */
import type { Document } from "@lectern/document/Document"
import { normalizeDocument } from "@lectern/document/DocumentInput"
import type { SavingOptions } from "./Saving.ts"

export interface ChangeRequestPageOptions {
  /** URL of the API, such as `https://docs.example.com/v1`. */
  readonly api: string
  /** Id of the space. */
  readonly space: string
  /** Id or number of the change request. */
  readonly changeRequest: string
  /** Id of the page. */
  readonly page: string
  /** Returns a new key of a block. */
  readonly nextKey: () => string
  /** Headers of each request, such as `authorization`. Default: none; the browser sends its cookies. */
  readonly headers?: { readonly [name: string]: string }
  /** Time after which a request counts as not answered, in ms. Default: 30,000. */
  readonly timeout?: number
}

const defaultTimeout = 30_000

export const changeRequestPage = (options: ChangeRequestPageOptions): Pick<SavingOptions, "fetchNewest" | "send"> => {
  const { api, space, changeRequest, page, nextKey, timeout = defaultTimeout } = options
  const content = `${api}/spaces/${encodeURIComponent(space)}/change-requests/${encodeURIComponent(changeRequest)}/content`

  const request = (
    path: string,
    init: RequestInit,
    headers: Readonly<Record<string, string>> = {}
  ): Promise<Response> =>
    fetch(content + path, {
      ...init,
      headers: { ...options.headers, ...headers },
      credentials: "same-origin",
      signal: AbortSignal.timeout(timeout)
    })

  return {
    fetchNewest: async () => {
      const response = await request(`/page/${encodeURIComponent(page)}?format=document`, { cache: "no-cache" })
      if (!response.ok) throw new Error(await messageOf(response))
      const revision = /^(?:W\/)?"([^".]+)/.exec(response.headers.get("etag") ?? "")?.[1]
      const { document } = (await response.json()) as { readonly document?: unknown }
      if (revision === undefined || document === undefined) throw new Error("The response has no document")
      return { revision, document: readDocument(document, nextKey) }
    },

    send: async (revision, document) => {
      const response = await request(
        "?compat=false",
        {
          method: "POST",
          body: JSON.stringify({ changes: [{ operation: "update_page", page, document: { document } }] })
        },
        { "content-type": "application/json", "if-match": `"${revision}"` }
      )
      if (response.status === 412 || response.status === 409) return { type: "outdated" }
      if (response.status === 401) return { type: "sessionEnded" }
      if (response.status === 429 || response.status >= 500) throw new Error(await messageOf(response))
      if (!response.ok) return { type: "refused", reason: await messageOf(response) }
      const { changeRequest } = (await response.json()) as { readonly changeRequest: { readonly revision: string } }
      return { type: "accepted", revision: changeRequest.revision }
    }
  }
}

/** Reads a document of a response, which has more fields than the stored one. */
const readDocument = (value: unknown, nextKey: () => string): Document => {
  const result = normalizeDocument(value, nextKey)
  if (result._tag === "Failure") throw new Error(`The response has an invalid document: ${result.failure.message}`)
  return result.success
}

const messageOf = async (response: Response): Promise<string> => {
  const body = (await response.json().catch(() => undefined)) as
    | { readonly error?: { readonly message?: string } }
    | undefined
  return body?.error?.message ?? `The server answered ${response.status}`
}
