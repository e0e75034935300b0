/** Kinds of settings: how the text of one is read, and what it says where that can't be meant. */
import { AddressRanges, isRange } from "@lectern/core/fetch/Addresses"
import * as Text from "@lectern/core/schema/Text"
import { Redacted, Schema } from "effect"

export interface SettingKind<A> {
  /** Ends the sentence that refuses a text: "it has to be …". */
  readonly expects: string
  /** Undefined where the text can't be meant. */
  readonly read: (text: string) => A | undefined
}

export const text: SettingKind<string> = { expects: "text", read: (text) => text }

/** Name of a file or a folder. */
export const path: SettingKind<string> = { expects: "a name", read: (text) => (text.trim() === "" ? undefined : text) }

export const wholeNumber = ({
  min = 0,
  max
}: {
  readonly min?: number
  readonly max: number
}): SettingKind<number> => ({
  expects: `a whole number from ${min} to ${max}`,
  read: (text) =>
    /^\d{1,12}$/.test(text.trim()) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined
})

export const port = wholeNumber({ max: 65_535 })

/** Without a slash at the end. */
export const url: SettingKind<string> = {
  expects: "a URL that begins with http:// or https://",
  read: (text) => (/^https?:$/.test(URL.parse(text)?.protocol ?? "") ? text.trim().replace(/\/+$/, "") : undefined)
}

/** Begins other URLs: whatever stood behind its path would end up within them. */
export const beginning: SettingKind<string> = {
  expects: "a URL that begins with http:// or https://, without a user name, a password, ? or #",
  read: (text) => {
    const { username, password } = URL.parse(text) ?? {}
    return username || password || /[?#]/.test(text) ? undefined : url.read(text)
  }
}

const switches = new Map([
  ...["on", "true", "yes", "1"].map((word) => [word, true] as const),
  ...["off", "false", "no", "0"].map((word) => [word, false] as const)
])

export const onOrOff: SettingKind<boolean> = {
  expects: "on or off",
  read: (text) => switches.get(text.trim().toLowerCase())
}

export const oneOf = <const A extends string>(words: ReadonlyArray<A>): SettingKind<A> => ({
  expects: `one of ${words.join(", ")}`,
  read: (text) => words.find((one) => one === text.trim().toLowerCase())
})

/** By comma; `expects` says of all of them what each has to be. */
export const listOf = <A>(expects: string, read: (text: string) => A | undefined): SettingKind<ReadonlyArray<A>> => ({
  expects,
  read: (text) => {
    const all = text.split(",").flatMap((one) => one.trim() || [])
    const known = all.flatMap((one) => read(one) ?? [])
    return known.length === all.length ? known : undefined
  }
})

/** Origins as browsers write them, or `*`. */
export const origins = listOf("origins by comma, such as https://app.example.com, or * for all", (text) => {
  const url = URL.parse(text)
  const isOrigin = text === "*" || (url !== null && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/`)
  return isOrigin ? (url?.origin ?? text) : undefined
})

/** Addresses, and ranges of them. */
export const ranges: SettingKind<AddressRanges> = {
  expects: "addresses and ranges of them by comma, such as 127.0.0.1 or 10.0.0.0/8",
  read: (text) => {
    const all = text.split(",").flatMap((one) => one.trim() || [])
    return all.every(isRange) ? new AddressRanges(all) : undefined
  }
}

/** A name may have any characters but those of which other parts of a URL are made, and its last part is no number. */
const hostName = /^(?!(?:.*\.)?\d+\.?$)[^\s/:?#@*[\]\\]+$/

/** Names, addresses, and ranges of addresses. */
export const hosts = listOf(
  "names, addresses and ranges of them by comma, such as specs.internal or 10.0.0.0/8",
  (text) => (isRange(text) || hostName.test(text) ? text : undefined)
)

/** A secret that others gave. */
export const secret: SettingKind<Redacted.Redacted> = { expects: "text", read: (text) => Redacted.make(text) }

const isChosen = Schema.is(Text.chosenSecret)

/** A secret that the operator chose. */
export const chosenSecret: SettingKind<Redacted.Redacted> = {
  expects: "32 to 256 characters of printable ASCII without spaces",
  read: (text) => (isChosen(text) ? Redacted.make(text) : undefined)
}
