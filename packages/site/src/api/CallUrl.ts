/**
 * URL of a call. It is always below a server that the specification names. The browser applies these rules to direct
 * calls, and the site's server to calls that it makes.
 *
 * Limits: URLs of 8,000 characters. Hosts are names or IPv4 addresses.
 */

const maxUrl = 8_000

/** Server of a specification, with the allowed values of its variables. */
export interface Server {
  /** Absolute URL with variables as `{name}`. */
  readonly template: string
  readonly variables: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<string> }>
}

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** Allowed hosts. URLs allow more characters, which could have a different meaning in a Content-Security-Policy. */
const hostPattern = /^[a-z\d_](?:[a-z\d._-]*)$/

const variablePattern = /\{([^{}]{1,100})\}/g

/**
 * Returns the base URL of a server. Undefined if the URL is invalid, or if a variable has a value that is not allowed.
 * The default of a variable is its first value.
 */
export const baseOf = (
  { template, variables }: Server,
  selectedValues: { readonly [name: string]: string } = {}
): URL | undefined => {
  let isAllowed = true
  const expandedUrl = template.replace(variablePattern, (_, name: string) => {
    const values = variables.find((entry) => entry.name === name)?.values ?? []
    const value = Object.hasOwn(selectedValues, name) ? selectedValues[name]! : values[0]
    isAllowed &&= value !== undefined && values.includes(value)
    return value ?? ""
  })
  const url = isAllowed && expandedUrl.length <= maxUrl ? URL.parse(expandedUrl) : null
  const isSupported =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "" &&
    hostPattern.test(url.hostname)
  return isSupported ? url : undefined
}

/** Encodes the literal part of a path; existing escapes are kept. */
const encodeLiteral = (text: string): string =>
  encodeURI(text.toWellFormed())
    .replace(/%25(?=[\da-f]{2})/gi, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23")

/**
 * Returns the URL of a call. Undefined if the URL would leave the server's base, or if a path parameter has no value.
 */
export const callUrl = (
  base: URL,
  path: string,
  parameters: { readonly [name: string]: string },
  query: Pairs
): URL | undefined => {
  if (!path.startsWith("/")) return undefined
  let hasAllValues = true
  const expandedPath = path
    .split(/(\{[^{}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return encodeLiteral(part)
      const name = part.slice(1, -1)
      const value = Object.hasOwn(parameters, name) ? parameters[name]! : ""
      hasAllValues &&= value !== ""
      return encodeURIComponent(value.toWellFormed())
    })
    .join("")
  const pathname = base.pathname.replace(/\/$/, "") + expandedPath
  const url = hasAllValues ? URL.parse(base.origin + pathname) : null
  // The parser removes segments such as `..`, so the parsed path differs.
  if (url === null || url.origin !== base.origin || url.pathname !== pathname) return undefined
  url.search = new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()])).toString()
  return url.href.length <= maxUrl ? url : undefined
}
