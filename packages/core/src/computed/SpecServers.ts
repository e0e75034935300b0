/**
 * Servers of an operation: the servers that the operation lists, else the servers of its path, else the servers of the
 * spec.
 */
import { type Fields, fieldsOf, listOf, type Spec } from "./SpecParser.ts"

const maxServers = 20

/** Returns the servers of the operation or its path. Empty if neither has servers, so that those of the spec apply. */
export const ownServers = (spec: Spec, operation: Fields, path: string): ReadonlyArray<unknown> => {
  const paths = fieldsOf(spec.document.paths)
  const item = Object.hasOwn(paths, path) ? spec.resolve(paths[path]) : undefined
  const list = [operation.servers, item?.servers].find((servers) => listOf(servers).length > 0)
  return listOf(list).slice(0, maxServers)
}

export const serversOf = (spec: Spec, operation: Fields, path: string): ReadonlyArray<unknown> => {
  const servers = ownServers(spec, operation, path)
  return servers.length > 0 ? servers : listOf(spec.document.servers).slice(0, maxServers)
}
