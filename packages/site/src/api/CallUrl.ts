/**
 * The URL of a call: below the server that a specification names, and nowhere else. The same rules hold in the
 * browser, which calls directly, and on the server, which calls for it.
 *
 * Limits: URLs of 8,000 characters. Hosts are names, or addresses of IPv4.
 */

const maxUrl = 8_000

/** A server as a specification writes it, with the values that its variables may have. */
export interface Server {
  /** Absolute, with `{names}` of variables. */
  readonly template: string
  readonly variables: ReadonlyArray<{ readonly name: string; readonly values: ReadonlyArray<string> }>
}

export type Pairs = ReadonlyArray<readonly [name: string, value: string]>

/** URLs let more through, which would mean something else where a policy names it. */
const host = /^[a-z\d_](?:[a-z\d._-]*)$/

const variable = /\{([^{}]{1,100})\}/g

/**
 * The URL that paths of a server stand below; undefined where it is none, or where a variable has a value that it may
 * not have. Without a value a variable has its first.
 */
export const baseOf = (
  { template, variables }: Server,
  chosen: { readonly [name: string]: string } = {}
): URL | undefined => {
  let isAllowed = true
  const filled = template.replace(variable, (_, name: string) => {
    const values = variables.find((one) => one.name === name)?.values ?? []
    const value = Object.hasOwn(chosen, name) ? chosen[name]! : values[0]
    isAllowed &&= value !== undefined && values.includes(value)
    return value ?? ""
  })
  const url = isAllowed && filled.length <= maxUrl ? URL.parse(filled) : null
  const isPlain =
    url !== null &&
    (url.protocol === "https:" || url.protocol === "http:") &&
    url.username === "" &&
    url.password === "" &&
    url.search === "" &&
    url.hash === "" &&
    host.test(url.hostname)
  return isPlain ? url : undefined
}

/** The text of a path as it stands in a URL; escapes that it has are kept. */
const literal = (text: string): string =>
  encodeURI(text.toWellFormed())
    .replace(/%25(?=[\da-f]{2})/gi, "%")
    .replaceAll("?", "%3F")
    .replaceAll("#", "%23")

/** Undefined where it would leave what the server stands for, or a parameter of the path has no value. */
export const callUrl = (
  base: URL,
  path: string,
  parameters: { readonly [name: string]: string },
  query: Pairs
): URL | undefined => {
  if (!path.startsWith("/")) return undefined
  let isFilled = true
  const filled = path
    .split(/(\{[^{}]*\})/)
    .map((part, i) => {
      if (i % 2 === 0) return literal(part)
      const name = part.slice(1, -1)
      const value = Object.hasOwn(parameters, name) ? parameters[name]! : ""
      isFilled &&= value !== ""
      return encodeURIComponent(value.toWellFormed())
    })
    .join("")
  const pathname = base.pathname.replace(/\/$/, "") + filled
  const url = isFilled ? URL.parse(base.origin + pathname) : null
  // A part that means the folder above is taken out of it when it is read.
  if (url === null || url.origin !== base.origin || url.pathname !== pathname) return undefined
  url.search = new URLSearchParams(query.map(([name, value]) => [name, value.toWellFormed()])).toString()
  return url.href.length <= maxUrl ? url : undefined
}
