/**
 * Imports `node:http` without its `WebSocket`. An import of a Node.js module reads all of its exports. For `WebSocket`
 * and its events, Node.js loads its whole client of `fetch`, which takes a sixth of the time of a command. This plugin
 * loads the module with `process.getBuiltinModule` and reads only the exports without a getter.
 */
import http from "node:http"
import type { Plugin } from "rolldown"

const id = "node:http"
const moduleId = `\0${id}`

/** Exports that Node.js does not load on access. */
const names = Object.entries(Object.getOwnPropertyDescriptors(http)).flatMap(([name, { get }]) =>
  get === undefined ? [name] : []
)

export const plainHttp: Plugin = {
  name: "plain http",
  resolveId: (source) => (source === id ? moduleId : null),
  load: (requestedId) =>
    requestedId === moduleId
      ? `const module = process.getBuiltinModule("${id}")\nexport default module\nexport const { ${names.join(", ")} } = module\n`
      : null
}
