/** Finds the route of a request, and the methods that a path allows (for 405 responses). */
import { LecternApi } from "../api/LecternApi.ts"
import { signOnPaths } from "./SignOnHttp.ts"
import { systemPaths } from "./SystemHttp.ts"

const patterns: ReadonlyArray<{ readonly method: string; readonly segments: ReadonlyArray<string> }> = [
  ...Object.values(LecternApi.groups).flatMap((group) => Object.values(group.endpoints)),
  ...signOnPaths,
  ...systemPaths.map((path) => ({ method: "GET", path }))
].map(({ method, path }) => ({ method, segments: path.split("/") }))

export const allowedMethods = (path: string): ReadonlyArray<string> => {
  const segments = path.split("/")
  const methods = patterns
    .filter(
      (pattern) =>
        pattern.segments.length === segments.length &&
        pattern.segments.every((segment, i) => (segment.startsWith(":") ? segments[i] !== "" : segment === segments[i]))
    )
    .map(({ method }) => method)
  return methods.includes("GET") ? [...new Set([...methods, "HEAD"])] : [...new Set(methods)]
}

interface RouteNode {
  path?: string
  readonly literals: Map<string, RouteNode>
  parameter?: RouteNode
}

const emptyNode = (): RouteNode => ({ literals: new Map() })

const roots = new Map<string, RouteNode>()
for (const { method, segments } of patterns) {
  let node = roots.get(method) ?? emptyNode()
  roots.set(method, node)
  for (const segment of segments) {
    const next: RouteNode = (segment.startsWith(":") ? node.parameter : node.literals.get(segment)) ?? emptyNode()
    if (segment.startsWith(":")) node.parameter = next
    else node.literals.set(segment, next)
    node = next
  }
  node.path = segments.join("/")
}

/** Returns the route of a request, such as `/v1/spaces/:spaceId`; "" for other paths. */
export const routeOf = (method: string, path: string): string =>
  match(roots.get(method === "HEAD" ? "GET" : method), path.split("/"), 0) ?? ""

const match = (way: RouteNode | undefined, segments: ReadonlyArray<string>, at: number): string | undefined =>
  way === undefined || at === segments.length
    ? way?.path
    : (match(way.literals.get(segments[at]!), segments, at + 1) ??
      (segments[at] === "" ? undefined : match(way.parameter, segments, at + 1)))
