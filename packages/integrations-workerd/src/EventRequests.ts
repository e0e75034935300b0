/**
 * Encodes events as programs receive them: a multipart form with the event, its environment, and the request body. The
 * boundary is random, so no part can contain it.
 */
import { randomUUID } from "node:crypto"
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"

/** Request to a program with one or several events. */
export interface EventRequest {
  readonly contentType: string
  readonly body: string | ReadonlyArray<Uint8Array>
  /** Size of the body in bytes. */
  readonly size: number
}

export const newBoundary = () => `----lectern-${randomUUID()}`

export const formOf = ({ event, environment, body }: Delivery): EventRequest => {
  const boundary = newBoundary()
  const contentType = `multipart/form-data; boundary=${boundary}`
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const [eventHeader, environmentHeader] = [`${part("event")}\r\n\r\n`, `\r\n${part("environment")}\r\n\r\n`]
  const formEnd = `\r\n--${boundary}--\r\n`
  const texts = eventHeader + event + environmentHeader + environment
  // Each text is measured separately, since a concatenated string is flattened only when it is written.
  const size =
    eventHeader.length +
    Buffer.byteLength(event) +
    environmentHeader.length +
    Buffer.byteLength(environment) +
    formEnd.length
  if (body === undefined) return { contentType, body: texts + formEnd, size }
  const bodyHeader = `\r\n${part("fetch-body")}; filename="blob"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    contentType,
    body: [Buffer.from(texts + bodyHeader), body, Buffer.from(formEnd)],
    size: size + bodyHeader.length + body.byteLength
  }
}
