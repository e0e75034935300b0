/**
 * Reads the stream of events of an organization (server-sent events), over `fetch`: unlike `EventSource`, it
 * distinguishes a refusal from a failure, and notices a stream whose messages a proxy holds back.
 */
import type { FeedEvent } from "./EventQueries.ts"

/** Time to the first message, and between messages (ms). The server sends one every 15 seconds. */
const firstMessageTimeout = 10_000
const messageTimeout = 40_000

export interface StreamMessages {
  readonly events: ReadonlyArray<FeedEvent>
  /** Position after the messages. Undefined if they have none. */
  readonly position: string | undefined
  /** Start of a message whose end has not arrived. */
  readonly rest: string
}

/** Parses the messages of a stream. */
export const parseMessages = (text: string): StreamMessages => {
  const parts = text.split("\n\n")
  const rest = parts.pop()!
  const events: Array<FeedEvent> = []
  let position: string | undefined
  for (const part of parts) {
    const data: Array<string> = []
    for (const line of part.split("\n")) {
      if (line.startsWith("id: ")) position = line.slice(4)
      else if (line.startsWith("data: ")) data.push(line.slice(6))
    }
    if (data.length > 0) events.push(JSON.parse(data.join("\n")) as FeedEvent)
  }
  return { events, position, rest }
}

interface StreamOptions {
  readonly organization: string
  /** Position after which the stream starts. Undefined: at new events. */
  readonly after: string | undefined
  readonly signal: AbortSignal
  readonly onMessages: (messages: StreamMessages) => void
}

/** Reason why a stream ended. `expired`: events after the position were removed. `refused`: a right is missing. */
export type StreamEnd = "closed" | "expired" | "refused"

/** Reads a stream until it ends. Rejects if it fails, is silent for too long, or is not a stream. */
export const readStream = async ({ after, onMessages, organization, signal }: StreamOptions): Promise<StreamEnd> => {
  const silence = new AbortController()
  let timer = setTimeout(() => silence.abort(), firstMessageTimeout)
  try {
    const response = await fetch(`/v1/orgs/${organization}/events`, {
      headers: { accept: "text/event-stream", ...(after !== undefined && { "last-event-id": after }) },
      credentials: "same-origin",
      cache: "no-store",
      signal: AbortSignal.any([signal, silence.signal])
    })
    if (response.status === 410) return "expired"
    if (response.status >= 400 && response.status < 500) return "refused"
    if (!response.ok || !response.headers.get("content-type")?.startsWith("text/event-stream"))
      throw new Error(`Expected a stream, got status ${response.status}`)
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader()
    let text = ""
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return "closed"
      clearTimeout(timer)
      timer = setTimeout(() => silence.abort(), messageTimeout)
      const messages = parseMessages(text + value)
      text = messages.rest
      onMessages(messages)
    }
  } finally {
    clearTimeout(timer)
  }
}
