/**
 * `node:http` without what an import of it brings along. Whoever imports a module of Node has all that it exports read,
 * and `node:http` exports `WebSocket` and its events, for which Node loads its whole client of `fetch`: that takes a
 * sixth of a command. Asked for by `process.getBuiltinModule` it is left alone.
 */
import http from "node:http"
import type { Plugin } from "rolldown"

const id = "node:http"
const own = `\0${id}`

/** Those that are read without loading anything. */
const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
  get === undefined ? [name] : []
)

export const plainHttp: Plugin = {
  name: "plain http",
  resolveId: (source) => (source === id ? own : null),
  load: (asked) => (asked === own ? `export const { ${names.join(", ")} } = process.getBuiltinModule("${id}")\n` : null)
}
