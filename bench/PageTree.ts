/**
 * Creates a space of 10,000 pages for the HTTP benchmark, and measures the first read of its page tree without caches:
 * after a start, and after an edit that creates a revision.
 */
export const treeSize = 10_000

/** Maximum number of changes in one request: a page with its children. */
const sectionSize = 50

/** Sends a request to the server and returns its JSON. A request with a body is a POST. */
export type SendRequest = (path: string, body?: object) => Promise<any>

const change = async (request: SendRequest, space: string, batches: ReadonlyArray<ReadonlyArray<object>>) => {
  const changeRequests = `/v1/spaces/${space}/change-requests`
  const { id } = await request(changeRequests, {})
  for (const changes of batches) await request(`${changeRequests}/${id}/content`, { changes })
  await request(`${changeRequests}/${id}/merge`, {})
}

/** Creates the space and returns its id. */
export const makeTree = async (request: SendRequest, organization: string): Promise<string> => {
  const { id } = await request(`/v1/orgs/${organization}/spaces`, { title: "Large" })
  const section = (first: number) =>
    Array.from({ length: sectionSize }, (_, n) => ({
      operation: "insert_page",
      title: `Page number ${first + n}`,
      description: "What this page is about, in a sentence",
      ...(n === 0 ? { ref: "section" } : { into: "section" })
    }))
  await change(
    request,
    id,
    Array.from({ length: treeSize / sectionSize }, (_, n) => section(n * sectionSize))
  )
  return id
}

/** Returns the time until the response of the page tree starts (ms). */
export const firstRead = async (url: string, space: string, token: string): Promise<number> => {
  const startedAt = performance.now()
  const response = await fetch(`${url}/v1/spaces/${space}/content/pages`, {
    headers: { authorization: `Bearer ${token}` }
  })
  const duration = performance.now() - startedAt
  if (!response.ok) throw new Error(`The page tree: ${response.status}`)
  await response.arrayBuffer()
  return duration
}

/** Creates a revision that was not read yet, by editing a page. */
export const editTree = async (request: SendRequest, space: string, page: string, run: number): Promise<void> =>
  change(request, space, [[{ operation: "update_page", page, title: `Edited ${run}` }]])
