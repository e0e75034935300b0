/**
 * Patterns of URLs that a block of an integration renders, such as `https://*.example.com/notes/**`. `*` matches any
 * text without a slash, `**` any text. Each extends to the first occurrence of the literal after it. Any text after the
 * whole pattern is accepted.
 *
 * Limits: URLs of 1,024 characters, 6 wildcards in a pattern with at most 64 characters after each. A longer URL or
 * pattern matches nothing. Neither does a pattern whose host contains `**` or does not end in a letter or digit.
 */
const maxUrl = 1024
const maxWildcards = 6
const maxLiteralLength = 64

export interface UrlPattern {
  /** Texts before, between and after the wildcards. */
  readonly literals: ReadonlyArray<string>
  readonly wildcards: ReadonlyArray<"*" | "**">
}

const originPattern = /^https?:\/\/[^/?#]*/i

/** Parses a pattern. Undefined if it matches nothing. */
export const parse = (pattern: string): UrlPattern | undefined => {
  const origin = originPattern.exec(pattern)?.[0].toLowerCase()
  if (origin === undefined || origin.includes("**") || !/[a-z0-9]$/.test(origin)) return undefined
  const [first, ...others] = `${origin}${pattern.slice(origin.length) || "/"}`.split(/(\*{1,2})/)
  if (others.length > maxWildcards * 2 || others.some((part) => part.length > maxLiteralLength)) return undefined
  return {
    literals: [first!, ...others.filter((_, i) => i % 2 === 1)],
    wildcards: others.filter((_, i) => i % 2 === 0) as Array<"*" | "**">
  }
}

/** Returns the normalized form of a URL for `matches`. Undefined if no pattern matches the URL. */
export const normalizeUrl = (url: string): string | undefined => {
  if (url.length > maxUrl || !originPattern.test(url)) return undefined
  const normalizedUrl = URL.parse(url)
  return normalizedUrl === null || normalizedUrl.username !== "" || normalizedUrl.password !== ""
    ? undefined
    : normalizedUrl.href
}

export const matches = ({ literals, wildcards }: UrlPattern, normalizedUrl: string): boolean => {
  if (!normalizedUrl.startsWith(literals[0]!)) return false
  let at = literals[0]!.length
  for (const [i, wildcard] of wildcards.entries()) {
    const literal = literals[i + 1]!
    const index = normalizedUrl.indexOf(literal, at)
    if (index === -1 || (wildcard === "*" && normalizedUrl.slice(at, index).includes("/"))) return false
    at = index + literal.length
  }
  return true
}
