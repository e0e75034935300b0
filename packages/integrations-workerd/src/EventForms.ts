/**
 * Events as programs take them: a form with the event, what is around it, and the body that it is about. Nobody can know
 * its boundary, so nothing in the parts can be one.
 */
import { randomUUID } from "node:crypto"
import type { Delivery } from "@lectern/core/integration/IntegrationRuntime"

/** Request to a program for an event, or for several. */
export interface Asked {
  readonly contentType: string
  readonly body: string | ReadonlyArray<Uint8Array>
  /** Of the body, in bytes. */
  readonly size: number
}

export const newBoundary = () => `----lectern-${randomUUID()}`

export const formOf = ({ event, environment, body }: Delivery): Asked => {
  const boundary = newBoundary()
  const contentType = `multipart/form-data; boundary=${boundary}`
  const part = (name: string) => `--${boundary}\r\ncontent-disposition: form-data; name="${name}"`
  const [first, second] = [`${part("event")}\r\n\r\n`, `\r\n${part("environment")}\r\n\r\n`]
  const end = `\r\n--${boundary}--\r\n`
  const texts = first + event + second + environment
  // The texts are measured one by one: what is put together here is written but once.
  const size = first.length + Buffer.byteLength(event) + second.length + Buffer.byteLength(environment) + end.length
  if (body === undefined) return { contentType, body: texts + end, size }
  const third = `\r\n${part("fetch-body")}; filename="blob"\r\ncontent-type: application/octet-stream\r\n\r\n`
  return {
    contentType,
    body: [Buffer.from(texts + third), body, Buffer.from(end)],
    size: size + third.length + body.byteLength
  }
}
