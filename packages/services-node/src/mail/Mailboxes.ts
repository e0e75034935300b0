/**
 * Addresses of mailboxes. A valid address has a local part without quotes, in any script, and a domain name or an IP
 * address in brackets. Such an address can't contain a second address, a name, or a header field.
 */
import { domainToASCII } from "node:url"
import type { Mailbox } from "@lectern/core/mail/MailTransport"
import { inOneLine } from "@lectern/core/schema/Text"

/** Character of `atext` (RFC 5322), or a visible one outside of ASCII (RFC 6532). */
const character = "(?:[\\w!#$%&'*+/=?^`{|}~-]|[^\\p{ASCII}\\p{C}\\p{Z}\\p{P}])"
const localPart = new RegExp(`^${character}+(?:\\.${character}+)*$`, "u")
const maxLocalBytes = 64

/** Characters that end a domain in a URL, or that a domain can't have. */
const delimiters = /[\s/?#@:\\[\]%<>()",;]/
const domainName = /^(?=.{1,253}$)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?(?:\.[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?)*$/
const literal = /^\[(?:\d{1,3}(?:\.\d{1,3}){3}|IPv6:[\da-fA-F:.]{2,45})\]$/

const maxName = 100

/** Returns an address with its domain in ASCII. Undefined for an invalid address. */
export const parseAddress = (text: string): string | undefined => {
  const at = text.lastIndexOf("@")
  const local = text.slice(0, at)
  const domain = text.slice(at + 1)
  if (at === -1 || !localPart.test(local) || Buffer.byteLength(local) > maxLocalBytes) return undefined
  if (literal.test(domain)) return text
  const asciiDomain = delimiters.test(domain) ? "" : domainToASCII(domain)
  return domainName.test(asciiDomain) ? `${local}@${asciiDomain}` : undefined
}

/** Parses a mailbox such as `docs@example.com` or `Acme Docs <docs@example.com>`. Undefined for any other text. */
export const parseMailbox = (text: string): Mailbox | undefined => {
  const named = /^\s*(?:"([^"]*)"|([^<>"]*?))\s*<([^<>]*)>\s*$/.exec(text)
  const address = parseAddress(named?.[3] ?? text.trim())
  const name = inOneLine(named?.[1] ?? named?.[2] ?? "", maxName)
  return address === undefined ? undefined : { address, ...(name !== "" && { name }) }
}
