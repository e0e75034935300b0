/** Maximum bytes of an API's response that are displayed. */
const maxShown = 1024 * 1024

export interface Answer {
  readonly status: number
  /** Duration (ms). */
  readonly took: number
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  /** Undefined if the response is not UTF-8 text. */
  readonly text?: string
  /** Number of bytes that were read. */
  readonly size: number
  readonly isCut: boolean
}

/** Reads a response up to the displayed size. `begun`: start of the request, from `performance.now()`. */
export const answerOf = async (response: Response, begun: number): Promise<Answer> => {
  const chunks: Array<Uint8Array<ArrayBuffer>> = []
  let size = 0
  let isCut = false
  const reader = response.body?.getReader()
  for (let part = await reader?.read(); part?.value !== undefined; part = await reader?.read()) {
    const left = maxShown - size
    chunks.push(part.value.subarray(0, left))
    size += Math.min(part.value.length, left)
    isCut = part.value.length > left
    if (!isCut) continue
    void reader?.cancel()
    break
  }
  const bytes = new Uint8Array(await new Blob(chunks).arrayBuffer())
  const answer = {
    status: response.status,
    took: performance.now() - begun,
    headers: [...response.headers],
    size,
    isCut
  }
  try {
    return { ...answer, text: new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut }) }
  } catch {
    return answer
  }
}
