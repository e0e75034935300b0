/** Maximum bytes of an API's response that are displayed. */
const maxBodyBytes = 1024 * 1024

export interface ApiResponse {
  readonly status: number
  /** Duration of the request (ms). */
  readonly took: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Undefined if the response is not UTF-8 text. */
  readonly text?: string
  /** Number of bytes that were read. */
  readonly size: number
  readonly isCut: boolean
}

/** Reads a response up to the displayed size. `startedAt`: start of the request, from `performance.now()`. */
export const readResponse = async (response: Response, startedAt: number): Promise<ApiResponse> => {
  const chunks: Array<Uint8Array<ArrayBuffer>> = []
  let size = 0
  let isCut = false
  const reader = response.body?.getReader()
  for (let chunk = await reader?.read(); chunk?.value !== undefined; chunk = await reader?.read()) {
    const remaining = maxBodyBytes - size
    chunks.push(chunk.value.subarray(0, remaining))
    size += Math.min(chunk.value.length, remaining)
    isCut = chunk.value.length > remaining
    if (!isCut) continue
    void reader?.cancel()
    break
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  const result = {
    status: response.status,
    took: performance.now() - startedAt,
    headers: [...response.headers],
    size,
    isCut
  }
  try {
    return { ...result, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return result
  }
}
