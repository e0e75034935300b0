/** Reads a `data:` URL: `data:text/markdown;base64,…`, or percent-encoded without `;base64`. */
import { Result } from "effect"
import { Base64 } from "effect/encoding"

export interface DataUrl {
  readonly bytes: Uint8Array
  /** Parameters included. */
  readonly contentType?: string
}

const maxHead = 1024

export const isDataUrl = (url: string): boolean => /^data:/i.test(url)

/** Undefined where it is none that can be read. */
export const read = (url: string): DataUrl | undefined => {
  const comma = url.slice(0, maxHead).indexOf(",")
  if (!isDataUrl(url) || comma === -1) return undefined
  const head = url.slice("data:".length, comma).trim()
  const contentType = head.replace(/;\s*base64$/i, "").trim()
  const written = url.slice(comma + 1)
  const bytes = contentType === head ? unescaped(written) : base64(written)
  return bytes && { bytes, ...(contentType !== "" && { contentType }) }
}

const base64 = (written: string): Uint8Array | undefined => {
  const text = written.includes("%") ? new TextDecoder().decode(unescaped(written)) : written
  const decoded = Base64.decode(text)
  return Result.isSuccess(decoded) ? decoded.success : undefined
}

const percent = 37

/** The bytes that a text stands for; a percent sign without two digits is one. */
const unescaped = (text: string): Uint8Array => {
  const bytes = new TextEncoder().encode(text)
  let length = 0
  for (let i = 0; i < bytes.length; i++) {
    const high = bytes[i] === percent ? digit(bytes[i + 1]) : undefined
    const low = high === undefined ? undefined : digit(bytes[i + 2])
    bytes[length++] = low === undefined ? bytes[i]! : high! * 16 + low
    if (low !== undefined) i += 2
  }
  return bytes.subarray(0, length)
}

const digit = (code: number | undefined): number | undefined => {
  const value = code === undefined ? -1 : "0123456789abcdef".indexOf(String.fromCharCode(code).toLowerCase())
  return value === -1 ? undefined : value
}
