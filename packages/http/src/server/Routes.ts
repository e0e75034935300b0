/** Finds the route of a request, and which methods a path takes: for the answer to those that it doesn't. */
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

interface Way {
  path?: string
  readonly named: Map<string, Way>
  any?: Way
}

const wayTo = (): Way => ({ named: new Map() })

const ways = new Map<string, Way>()
for (const { method, segments } of patterns) {
  let way = ways.get(method) ?? wayTo()
  ways.set(method, way)
  for (const segment of segments) {
    const next: Way = (segment.startsWith(":") ? way.any : way.named.get(segment)) ?? wayTo()
    if (segment.startsWith(":")) way.any = next
    else way.named.set(segment, next)
    way = next
  }
  way.path = segments.join("/")
}

/** The path of the interface that a request goes to, `/v1/spaces/:spaceId`; "" where there is none. */
export const routeOf = (method: string, path: string): string =>
  follow(ways.get(method === "HEAD" ? "GET" : method), path.split("/"), 0) ?? ""

const follow = (way: Way | undefined, segments: ReadonlyArray<string>, at: number): string | undefined =>
  way === undefined || at === segments.length
    ? way?.path
    : (follow(way.named.get(segments[at]!), segments, at + 1) ??
      (segments[at] === "" ? undefined : follow(way.any, segments, at + 1)))
