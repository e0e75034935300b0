/**
 * Servers of an operation: the servers that the operation lists, else the servers of its path, else the servers of the
 * spec.
 */
import * as SpecServers from "@lectern/core/computed/SpecServers"
import { fieldsOf, lineOf, listOf, type Spec, type SpecOperation, scalarOf } from "@lectern/core/computed/SpecParser"
import { baseOf, type Server } from "./CallUrl.ts"

const maxValues = 30

export interface NamedVariable {
  readonly name: string
  readonly values: ReadonlyArray<string>
  readonly description: unknown
}

export interface NamedServer extends Server {
  readonly description: unknown
  readonly variables: ReadonlyArray<NamedVariable>
}

/**
 * Returns the servers of an operation. `source`: URL that the specification was loaded from, the base of relative
 * server URLs.
 */
export const serversOf = (
  spec: Spec,
  { operation, path }: SpecOperation,
  source?: string
): ReadonlyArray<NamedServer> =>
  SpecServers.serversOf(spec, operation, path).flatMap((server): ReadonlyArray<NamedServer> => {
    const { url, variables, description } = fieldsOf(server)
    const template = absoluteUrl(lineOf(url, 500), source)
    const all = fieldsOf(variables)
    const names = Array.from(template.matchAll(/\{([^{}]{1,100})\}/g), ([, name]) => name!)
    return template === ""
      ? []
      : [
          {
            template,
            description,
            variables: [...new Set(names)].map((name) => ({
              name,
              values: valuesOf(Object.hasOwn(all, name) ? all[name] : undefined),
              description: fieldsOf(Object.hasOwn(all, name) ? all[name] : undefined).description
            }))
          }
        ]
  })

/** Returns the values of a variable, starting with its default. */
const valuesOf = (variable: unknown): ReadonlyArray<string> => {
  const { default: defaultValue, enum: enumValues } = fieldsOf(variable)
  const values = [defaultValue, ...listOf(enumValues)]
    .map((value) => scalarOf(value).slice(0, 200))
    .filter((value) => value !== "")
  return [...new Set(values)].slice(0, maxValues)
}

const absoluteUrl = (template: string, source: string | undefined): string => {
  if (source === undefined || template === "" || /^(?:\{|[a-z][a-z\d+.-]*:)/i.test(template)) return template
  const base = URL.parse(source)
  if (base === null) return template
  // A URL with braces stays unparsed, since URL parsing would escape the braces of variables.
  if (template.startsWith("/") && !template.startsWith("//")) return base.origin + template
  return template.includes("{") ? template : (URL.parse(template, base)?.href ?? template)
}

/** Returns a server's URL with the default values of its variables. */
export const displayUrl = ({ template, variables }: Server): string =>
  template.replace(
    /\{([^{}]{1,100})\}/g,
    (placeholder, name: string) => variables.find((variable) => variable.name === name)?.values[0] ?? placeholder
  )

/** Returns the possible origins of a server by the values of its variables, from at most `max` combinations. */
export const originsOf = (server: Server, maxCount: number): ReadonlyArray<string> => {
  const host = /^[^/]*:?\/\/[^/]*|^\{[^{}]*\}/.exec(server.template)?.[0] ?? ""
  const hostVariables = server.variables.filter(({ name }) => host.includes(`{${name}}`))
  let all: ReadonlyArray<Readonly<Record<string, string>>> = [{}]
  for (const { name, values } of hostVariables) {
    all = all.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))).slice(0, maxCount)
  }
  return [...new Set(all.flatMap((combination) => baseOf(server, combination)?.origin ?? []))]
}
