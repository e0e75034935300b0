/**
 * Claims of a visitor, as conditions read them: a JSON object. Claims in a token are signed by the site's
 * owner. Claims in the URL or a cookie may come from anyone; they are unsigned, stand under `unsigned` and
 * nowhere else, and nothing else stands there.
 *
 * Limits: 2.5 KiB of canonical JSON, nesting of 32, names in URLs 100 characters. What is too much is
 * left out, the largest claims first, the unsigned ones before any signed one: so no visitor can
 * push a signed claim out. A claim that is no JSON, or holds ill-formed text, is left out as well.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"
import type { Hasher } from "../storage/Hasher.ts"

export const Claims = Schema.Record(Schema.String, Schema.Json)
export type Claims = typeof Claims.Type

/** A visitor's browser keeps them in a cookie, signed and as Base64, and drops one of more than 4,096 characters. */
export const maxBytes = 2.5 * 1024
export const maxDepth = 32

const prefix = "visitor."
const isUrlName = Schema.is(Text.between(1, 100))

/** Fields of a token that describe the token itself, not the visitor. */
const registered: ReadonlySet<string> = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"])

/** Claims as text, the same for the same claims: keys are sorted. */
export const canonical = (claims: Claims): string => textOf(claims)

/** Names the visitors of these claims. */
export const kindOf = ({ sha256 }: Pick<Hasher["Service"], "sha256">, claims: Claims): string =>
  sha256(canonical(claims)).slice(0, 22)

/** The claims of a token that is known to be signed. */
export const fromToken = (payload: { readonly [name: string]: unknown }): Claims =>
  fitting(
    json(payload, (name) => !registered.has(name) && name !== "unsigned"),
    maxBytes
  )

/** The unsigned claims in what a visitor sent, in a cookie for one. */
export const unsignedFrom = (sent: unknown): Claims => (isObject(sent) ? fitting(json(sent), maxBytes) : {})

/**
 * The unsigned claims in a URL: `visitor.plan=pro` is `plan`, `visitor.a.b=true` is `b` in `a`. The
 * last of the same name counts, and any of them before what was sent otherwise.
 */
export const unsignedFromUrl = (url: URL, sent?: unknown): Claims => {
  const claims: { [name: string]: unknown } = {}
  for (const [parameter, value] of url.searchParams) {
    const name = parameter.slice(prefix.length)
    if (!parameter.startsWith(prefix) || !isUrlName(name)) continue
    const path = name.split(".")
    if (path.length > maxDepth || !path.every(isName)) continue
    const key = path.pop()!
    let into = claims
    for (const each of path) {
      const inner = Object.hasOwn(into, each) ? into[each] : undefined
      into = isObject(inner) ? inner : (into[each] = {})
    }
    into[key] = value === "true" ? true : value === "false" ? false : value
  }
  return unsignedFrom(isObject(sent) ? { ...sent, ...claims } : claims)
}

/** All that is known of a visitor. */
export const withUnsigned = (signed: Claims, unsigned: Claims | undefined): Claims => {
  const { unsigned: _, ...claims } = signed
  return unsigned === undefined || Object.keys(unsigned).length === 0 ? claims : { ...claims, unsigned }
}

/** As much of it as may be kept. */
export const bounded = (claims: Claims): Claims => {
  const { unsigned, ...signed } = claims
  const kept = fitting(signed, maxBytes)
  if (!isObject(unsigned)) return kept
  const room = maxBytes - bytes(canonical({ ...kept, unsigned: {} })) + bytes("{}")
  return withUnsigned(kept, fitting(unsigned as Claims, room))
}

/** As many of the claims as there is room for, the smallest first. */
const fitting = (claims: Claims, room: number): Claims => {
  const sized = Object.entries(claims).map(([name, value]) => ({
    name,
    value,
    // With its comma, or with one of the braces.
    size: bytes(`${JSON.stringify(name)}:${textOf(value)},`)
  }))
  let size = bytes("{}") - bytes(",") + sized.reduce((sum, each) => sum + each.size, 0)
  if (size <= room) return claims
  const kept = new Set(sized)
  for (const each of sized.toSorted((a, b) => b.size - a.size || (a.name < b.name ? 1 : -1))) {
    if (size <= room) break
    kept.delete(each)
    size -= each.size
  }
  return Object.fromEntries([...kept].map(({ name, value }) => [name, value]))
}

const bytes = (text: string) => new TextEncoder().encode(text).length

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `__proto__` is no name, so that no copy of the claims can be given another prototype. */
const isName = (name: string) => name !== "" && name !== "__proto__" && name.isWellFormed()

const textOf = (value: Schema.Json): string => {
  if (Array.isArray(value)) return `[${value.map(textOf).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = value as { readonly [name: string]: Schema.Json }
  return `{${Object.keys(entries)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${textOf(entries[name]!)}`)
    .join(",")}}`
}

/** A copy of what is JSON in an object. */
const json = (object: { readonly [name: string]: unknown }, isWanted: (name: string) => boolean = () => true) => {
  const claims: { [name: string]: Schema.Json } = {}
  for (const name of Object.keys(object)) {
    if (!isName(name) || !isWanted(name)) continue
    const value = new Copy().of(object[name], 1)
    if (value !== undefined) claims[name] = value
  }
  return claims
}

/** Copies JSON, unless it is too deep, or larger than all claims together may be. */
class Copy {
  #left = maxBytes

  of(value: unknown, depth: number): Schema.Json | undefined {
    if (depth > maxDepth || --this.#left < 0) return undefined
    switch (typeof value) {
      case "string":
        return this.#isText(value) ? value : undefined
      case "boolean":
        return value
      case "number":
        return Number.isFinite(value) ? value : undefined
      case "object":
        return value === null ? null : Array.isArray(value) ? this.#list(value, depth) : this.#object(value, depth)
      default:
        return undefined
    }
  }

  #isText(text: string): boolean {
    this.#left -= text.length
    return this.#left >= 0 && text.isWellFormed()
  }

  #list(list: ReadonlyArray<unknown>, depth: number): Schema.Json | undefined {
    const items: Array<Schema.Json> = []
    for (const each of list) {
      const item = this.of(each, depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  #object(object: object, depth: number): Schema.Json | undefined {
    const prototype: unknown = Object.getPrototypeOf(object)
    // A date or a map is no JSON.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined
    const entries: { [name: string]: Schema.Json } = {}
    for (const [name, each] of Object.entries(object)) {
      if (each === undefined || name === "__proto__") continue
      const value = this.#isText(name) ? this.of(each, depth + 1) : undefined
      if (value === undefined) return undefined
      entries[name] = value
    }
    return entries
  }
}
