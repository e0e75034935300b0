/**
 * Claims of a visitor, as read by conditions: a JSON object. Claims in a token are signed by the site's owner. Claims
 * in the URL or a cookie may come from anyone: they are unsigned, and stored only under `unsigned`, which holds nothing
 * else.
 *
 * Limits: 2.5 KiB of canonical JSON, nesting of 32, names in URLs 100 characters. Claims above the limit are dropped,
 * largest first, and unsigned ones before signed ones, so that no visitor can displace a signed claim. Claims that are
 * not JSON or contain ill-formed text are dropped as well.
 */
import { Schema } from "effect"
import * as Text from "../schema/Text.ts"
import type { Hasher } from "../storage/Hasher.ts"

export const Claims = Schema.Record(Schema.String, Schema.Json)
export type Claims = typeof Claims.Type

/**
 * Maximum size of the claims of a visitor, in bytes of JSON. They are stored in a signed cookie as Base64, and browsers
 * drop cookies of more than 4,096 characters.
 */
export const maxBytes = 2.5 * 1024
export const maxDepth = 32

const prefix = "visitor."
const isUrlName = Schema.is(Text.between(1, 100))

/** Fields of a token that describe the token itself, not the visitor. */
const registered: ReadonlySet<string> = new Set(["iss", "sub", "aud", "exp", "nbf", "iat", "jti"])

/** Returns claims as text with sorted keys, which is equal for equal claims. */
export const canonical = (claims: Claims): string => canonicalJson(claims)

/** Returns an identifier of the visitors with these claims. */
export const kindOf = ({ sha256 }: Pick<Hasher["Service"], "sha256">, claims: Claims): string =>
  sha256(canonical(claims)).slice(0, 22)

/** Returns the claims of a token whose signature is verified. */
export const fromToken = (payload: { readonly [name: string]: unknown }): Claims =>
  limitSize(
    jsonCopy(payload, (name) => !registered.has(name) && name !== "unsigned"),
    maxBytes
  )

/** Returns the unsigned claims in a value that a visitor sent, such as a cookie. */
export const unsignedFrom = (sent: unknown): Claims => (isObject(sent) ? limitSize(jsonCopy(sent), maxBytes) : {})

/**
 * Returns the unsigned claims in a URL: `visitor.plan=pro` is `plan`, `visitor.a.b=true` is `b` in `a`. The last
 * parameter of a name wins. Claims in the URL replace those in `sent`.
 */
export const unsignedFromUrl = (url: URL, sent?: unknown): Claims => {
  const claims: { [name: string]: unknown } = {}
  for (const [parameter, value] of url.searchParams) {
    const name = parameter.slice(prefix.length)
    if (!parameter.startsWith(prefix) || !isUrlName(name)) continue
    const path = name.split(".")
    if (path.length > maxDepth || !path.every(isName)) continue
    const key = path.pop()!
    let target = claims
    for (const segment of path) {
      const inner = Object.hasOwn(target, segment) ? target[segment] : undefined
      target = isObject(inner) ? inner : (target[segment] = {})
    }
    target[key] = value === "true" ? true : value === "false" ? false : value
  }
  return unsignedFrom(isObject(sent) ? { ...sent, ...claims } : claims)
}

/** Returns signed and unsigned claims of a visitor combined. */
export const withUnsigned = (signed: Claims, unsigned: Claims | undefined): Claims => {
  const { unsigned: _, ...claims } = signed
  return unsigned === undefined || Object.keys(unsigned).length === 0 ? claims : { ...claims, unsigned }
}

/** Returns the claims reduced to the size limit. */
export const limitClaims = (claims: Claims): Claims => {
  const { unsigned, ...signed } = claims
  const reduced = limitSize(signed, maxBytes)
  if (!isObject(unsigned)) return reduced
  const capacity = maxBytes - byteLength(canonical({ ...reduced, unsigned: {} })) + byteLength("{}")
  return withUnsigned(reduced, limitSize(unsigned as Claims, capacity))
}

/** Returns the smallest claims that fit in the limit. */
const limitSize = (claims: Claims, maxSize: number): Claims => {
  const sized = Object.entries(claims).map(([name, value]) => ({
    name,
    value,
    // The size includes the comma after the claim, or one of the braces.
    size: byteLength(`${JSON.stringify(name)}:${canonicalJson(value)},`)
  }))
  let size = byteLength("{}") - byteLength(",") + sized.reduce((sum, each) => sum + each.size, 0)
  if (size <= maxSize) return claims
  const remaining = new Set(sized)
  for (const each of sized.toSorted((a, b) => b.size - a.size || (a.name < b.name ? 1 : -1))) {
    if (size <= maxSize) break
    remaining.delete(each)
    size -= each.size
  }
  return Object.fromEntries([...remaining].map(({ name, value }) => [name, value]))
}

const byteLength = (text: string) => new TextEncoder().encode(text).length

const isObject = (value: unknown): value is { [name: string]: unknown } =>
  typeof value === "object" && value !== null && !Array.isArray(value)

/** `__proto__` is not a name, so that no copy of the claims gets another prototype. */
const isName = (name: string) => name !== "" && name !== "__proto__" && name.isWellFormed()

const canonicalJson = (value: Schema.Json): string => {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`
  if (!isObject(value)) return JSON.stringify(value)
  const entries = value as { readonly [name: string]: Schema.Json }
  return `{${Object.keys(entries)
    .sort()
    .map((name) => `${JSON.stringify(name)}:${canonicalJson(entries[name]!)}`)
    .join(",")}}`
}

/** Returns a copy of the JSON values in an object. */
const jsonCopy = (object: { readonly [name: string]: unknown }, isIncluded: (name: string) => boolean = () => true) => {
  const claims: { [name: string]: Schema.Json } = {}
  for (const name of Object.keys(object)) {
    if (!isName(name) || !isIncluded(name)) continue
    const value = new JsonCopy().copy(object[name], 1)
    if (value !== undefined) claims[name] = value
  }
  return claims
}

/** Copies a JSON value. Returns undefined if it is nested too deeply, or larger than the limit for all claims. */
class JsonCopy {
  remaining = maxBytes

  copy(value: unknown, depth: number): Schema.Json | undefined {
    if (depth > maxDepth || --this.remaining < 0) return undefined
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
    this.remaining -= text.length
    return this.remaining >= 0 && text.isWellFormed()
  }

  #list(list: ReadonlyArray<unknown>, depth: number): Schema.Json | undefined {
    const items: Array<Schema.Json> = []
    for (const element of list) {
      const item = this.copy(element, depth + 1)
      if (item === undefined) return undefined
      items.push(item)
    }
    return items
  }

  #object(object: object, depth: number): Schema.Json | undefined {
    const prototype: unknown = Object.getPrototypeOf(object)
    // A date or a map is not JSON.
    if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return undefined
    const entries: { [name: string]: Schema.Json } = {}
    for (const [name, each] of Object.entries(object)) {
      if (each === undefined || name === "__proto__") continue
      const value = this.#isText(name) ? this.copy(each, depth + 1) : undefined
      if (value === undefined) return undefined
      entries[name] = value
    }
    return entries
  }
}
