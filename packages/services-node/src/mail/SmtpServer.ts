/**
 * Mail server as a URL: `smtps://user:password@mail.example.com` for TLS from the start, by default at port 465, or
 * `smtp://…` for STARTTLS, by default at port 587. TLS is required, except for a server on the same machine.
 * `?tls=off` allows a server without TLS; then the URL may not contain a password, unless the server is on the same
 * machine.
 */
import { Redacted } from "effect"

export interface SmtpServer {
  readonly host: string
  readonly port: number
  /** `start`: TLS from the start. `required`: STARTTLS. `offered`: STARTTLS if the server offers it. */
  readonly tls: "start" | "required" | "offered"
  readonly credentials?: { readonly user: string; readonly password: Redacted.Redacted }
}

const isLoopback = (host: string): boolean => /^(?:localhost|127(?:\.\d+){3}|::1)$/.test(host)

const decode = (text: string): string | undefined => {
  try {
    return decodeURIComponent(text)
  } catch {
    return undefined
  }
}

/** Returns the server of a URL. Undefined for an invalid URL. */
export const parseSmtpUrl = (text: string): SmtpServer | undefined => {
  const match = /^(smtps?):\/\/(?:([^/?#]*)@)?(\[[\da-fA-F:.]+\]|[^\s/?#@:[\]]+)(?::(\d{1,5}))?\/?(\?tls=off)?$/.exec(
    text.trim()
  )
  if (match === null) return undefined
  const [, protocol, login, bracketedHost = "", portText, tlsOff] = match
  const host = bracketedHost.replace(/^\[|\]$/g, "")
  const port = portText === undefined ? (protocol === "smtps" ? 465 : 587) : Number(portText)
  if (port < 1 || port > 65_535 || (protocol === "smtps" && tlsOff !== undefined)) return undefined
  const isLocal = isLoopback(host)
  const tls = protocol === "smtps" ? "start" : isLocal || tlsOff !== undefined ? "offered" : "required"
  if (login === undefined) return { host, port, tls }
  const separator = login.indexOf(":")
  const user = decode(separator === -1 ? login : login.slice(0, separator))
  const password = separator === -1 ? undefined : decode(login.slice(separator + 1))
  const isReadable = tls === "offered" && !isLocal
  if (!user || !password || isReadable) return undefined
  return { host, port, tls, credentials: { user, password: Redacted.make(password) } }
}
