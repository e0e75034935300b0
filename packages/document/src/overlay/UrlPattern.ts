/**
 * The patterns by which a block of an integration takes URLs: `https://*.example.com/notes/**`. A `*`
 * stands for anything without a slash, a `**` for anything, each up to the first place where what
 * follows it stands; and whatever comes behind the whole pattern is taken too.
 *
 * Limits: URLs of 1,024 characters, 6 wildcards in a pattern with at most 64 characters behind each.
 * What is beyond matches nothing, and so does a host that could be any.
 */
const maxUrl = 1024
const maxWildcards = 6
const maxLiteral = 64

export interface UrlPattern {
  /** Texts before, between and behind the wildcards. */
  readonly literals: ReadonlyArray<string>
  readonly wildcards: ReadonlyArray<"*" | "**">
}

const originAt = /^https?:\/\/[^/?#]*/i

/** Undefined where it matches nothing. */
export const parse = (pattern: string): UrlPattern | undefined => {
  const origin = originAt.exec(pattern)?.[0].toLowerCase()
  if (origin === undefined || origin.includes("**") || !/[a-z0-9]$/.test(origin)) return undefined
  const [first, ...others] = `${origin}${pattern.slice(origin.length) || "/"}`.split(/(\*{1,2})/)
  if (others.length > maxWildcards * 2 || others.some((part) => part.length > maxLiteral)) return undefined
  return {
    literals: [first!, ...others.filter((_, i) => i % 2 === 1)],
    wildcards: others.filter((_, i) => i % 2 === 0) as Array<"*" | "**">
  }
}

/** An address as patterns are compared with it; undefined where none takes it. */
export const addressOf = (url: string): string | undefined => {
  if (url.length > maxUrl || !originAt.test(url)) return undefined
  const address = URL.parse(url)
  return address === null || address.username !== "" || address.password !== "" ? undefined : address.href
}

export const matches = ({ literals, wildcards }: UrlPattern, address: string): boolean => {
  if (!address.startsWith(literals[0]!)) return false
  let at = literals[0]!.length
  for (const [i, wildcard] of wildcards.entries()) {
    const literal = literals[i + 1]!
    const found = address.indexOf(literal, at)
    if (found === -1 || (wildcard === "*" && address.slice(at, found).includes("/"))) return false
    at = found + literal.length
  }
  return true
}
