/** Kinds of settings: how their text is parsed, and the message for invalid text. */
import { AddressRanges, isRange } from "@lectern/core/fetch/Addresses"
import type { Mailbox } from "@lectern/core/mail/MailTransport"
import * as Text from "@lectern/core/schema/Text"
import { parseMailbox } from "@lectern/services-node/mail/Mailboxes"
import { parseSmtpUrl, type SmtpServer } from "@lectern/services-node/mail/SmtpServer"
import { Redacted, Schema } from "effect"

export interface SettingKind<A> {
  /** Completes the message for invalid text: "… has to be ${expects}". */
  readonly expects: string
  /** Parses a text. Returns undefined for invalid text. */
  readonly parse: (text: string) => A | undefined
}

export const text: SettingKind<string> = { expects: "text", parse: (text) => text }

/** Path of a file or a folder. */
export const path: SettingKind<string> = { expects: "a path", parse: (text) => (text.trim() === "" ? undefined : text) }

export const wholeNumber = ({
  min = 0,
  max
}: {
  readonly min?: number
  readonly max: number
}): SettingKind<number> => ({
  expects: `a whole number from ${min} to ${max}`,
  parse: (text) =>
    /^\d{1,12}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined
})

export const port = wholeNumber({ max: 65_535 })

/** An HTTP URL. Slashes at its end are removed. */
export const url: SettingKind<string> = {
  expects: "a URL that starts with http:// or https://",
  parse: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text.trim().replace(/\/+$/, "") : undefined)
}

/** A base URL. Query and hash are rejected, since paths are appended to the URL. */
export const baseUrl: SettingKind<string> = {
  expects: "a URL that starts with http:// or https://, without a user name, a password, ? or #",
  parse: (text) => {
    const { username, password } = URL.parse(text) ?? {}
    return username || password || /[?#]/.test(text) ? undefined : url.parse(text)
  }
}

const switches = new Map([
  ...["on", "true", "yes", "1"].map((word) => [word, true] as const),
  ...["off", "false", "no", "0"].map((word) => [word, false] as const)
])

export const onOrOff: SettingKind<boolean> = {
  expects: "on or off",
  parse: (text) => switches.get(text.trim().toLowerCase())
}

export const oneOf = <const A extends string>(words: ReadonlyArray<A>): SettingKind<A> => ({
  expects: `one of ${words.join(", ")}`,
  parse: (text) => words.find((word) => word === text.trim().toLowerCase())
})

/** A list of values, separated by commas. `expects` describes the list. */
export const listOf = <A>(expects: string, read: (text: string) => A | undefined): SettingKind<ReadonlyArray<A>> => ({
  expects,
  parse: (text) => {
    const items = text.split(",").flatMap((item) => item.trim() || [])
    const parsedItems = items.flatMap((item) => read(item) ?? [])
    return parsedItems.length === items.length ? parsedItems : undefined
  }
})

/** Origins in the format of browsers, or `*`. */
export const origins = listOf("origins separated by commas, such as https://app.example.com, or * for all", (text) => {
  const url = URL.parse(text)
  const isOrigin = text === "*" || (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
  return isOrigin ? (url?.origin ?? text) : undefined
})

/** Addresses and address ranges. */
export const ranges: SettingKind<AddressRanges> = {
  expects: "addresses and address ranges separated by commas, such as 127.0.0.1 or 10.0.0.0/8",
  parse: (text) => {
    const items = text.split(",").flatMap((item) => item.trim() || [])
    return items.every(isRange) ? new AddressRanges(items) : undefined
  }
}

/** A host name: no characters that delimit parts of a URL, and a last label that is not a number. */
const hostName = /^(?!(?:.*\.)?\d+\.?$)[^\s/:?#@*[\]\\]+$/

/** Host names, addresses, and address ranges. */
export const hosts = listOf(
  "host names, addresses and address ranges separated by commas, such as specs.internal or 10.0.0.0/8",
  (text) => (isRange(text) || hostName.test(text) ? text : undefined)
)

/** Mail server. A password in the URL needs TLS. */
export const smtpUrl: SettingKind<SmtpServer> = {
  expects: "a URL such as smtps://user:password@mail.example.com, smtp://… for STARTTLS, or smtp://relay:25?tls=off",
  parse: parseSmtpUrl
}

export const mailbox: SettingKind<Mailbox> = {
  expects: "an e-mail address, such as docs@example.com or Acme Docs <docs@example.com>",
  parse: parseMailbox
}

/** A secret of another service, in any format. */
export const secret: SettingKind<Redacted.Redacted> = { expects: "text", parse: (text) => Redacted.make(text) }

const isChosen = Schema.is(Text.chosenSecret)

/** A secret that the operator chose. */
export const chosenSecret: SettingKind<Redacted.Redacted> = {
  expects: "32 to 256 characters of printable ASCII without spaces",
  parse: (text) => (isChosen(text) ? Redacted.make(text) : undefined)
}
