/**
 * Requests to the API with the session of the browser.
 *
 * Every failure is an `ApiProblem` whose message is one sentence for the reader. A 401 is also reported to `onSignedOut`
 * (see `frame/Session.ts`). Limit: a request without an answer ends after 30 seconds.
 */
import { text } from "../language/Language.ts"

const api = "/v1"
const defaultTimeout = 30_000

/** An invalid field of a request. */
export interface ApiIssue {
  /** Path in the request, such as `body.changes[0].slug`. */
  readonly path: string
  readonly message: string
}

export class ApiProblem extends Error {
  /** HTTP status. 0 if the server did not answer. */
  readonly status: number
  /** Invalid fields of the request. */
  readonly issues: ReadonlyArray<ApiIssue>

  constructor(status: number, message: string, issues: ReadonlyArray<ApiIssue> = []) {
    super(message)
    this.status = status
    this.issues = issues
  }
}

let reportSignedOut: () => void = () => undefined

/** Sets the listener for responses to requests without a valid session. */
export const onSignedOut = (listener: () => void): void => {
  reportSignedOut = listener
}

type Query = { readonly [name: string]: string | number | boolean | ReadonlyArray<string> | undefined }

interface RequestOptions {
  readonly query?: Query
  readonly body?: unknown
  readonly method?: "GET" | "POST" | "PATCH" | "PUT" | "DELETE"
  /** Time after which the request counts as not answered (ms). Default: 30,000. */
  readonly timeout?: number
  /** True to complete the request after the page was closed. */
  readonly keepalive?: boolean
}

/** Returns the URL of a path below `/v1`. */
export const pathWith = (path: string, query: Query = {}): string => {
  const search = new URLSearchParams()
  for (const [name, value] of Object.entries(query))
    if (value !== undefined) for (const one of Array.isArray(value) ? value : [value]) search.append(name, String(one))
  return `${api}${path}${search.size === 0 ? "" : `?${search}`}`
}

/** Sends a request to the API. `path`: path below `/v1`. */
export const request = async <A = void>(
  path: string,
  {
    query,
    body,
    method = body === undefined ? "GET" : "POST",
    keepalive = false,
    timeout = defaultTimeout
  }: RequestOptions = {}
): Promise<A> => {
  const response = await fetch(pathWith(path, query), {
    method,
    credentials: "same-origin",
    keepalive,
    signal: AbortSignal.timeout(timeout),
    ...(body !== undefined && { body: JSON.stringify(body), headers: { "content-type": "application/json" } })
  }).catch(() => {
    throw new ApiProblem(0, text("problem.unanswered"))
  })
  if (response.status === 204) return undefined as A
  const result: unknown = await response.json().catch(() => undefined)
  if (response.ok) return result as A
  throw problemOf(response.status, result)
}

/** Returns the failure of a response. */
export const problemOf = (status: number, body: unknown): ApiProblem => {
  if (status === 401) reportSignedOut()
  return new ApiProblem(status, messageOf(body) ?? text("problem.status", { status }), errorOf(body)?.issues)
}

interface ApiError {
  readonly message?: string
  readonly issues?: ReadonlyArray<ApiIssue>
}

const errorOf = (body: unknown): ApiError | undefined => ((body ?? {}) as { readonly error?: ApiError }).error

/** Returns the sentences of an error response: the message, and those of invalid fields. */
const messageOf = (body: unknown): string | undefined => {
  const error = errorOf(body)
  return error?.message === undefined
    ? undefined
    : [error.message, ...(error.issues ?? []).map(({ message }) => message)]
        .filter((line, i, all) => i === 0 || !all[0]!.includes(line))
        .join(". ")
}
