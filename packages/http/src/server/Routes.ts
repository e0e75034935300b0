/** Which methods a path takes: for the answer to those that it doesn't. */
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
