/** The endpoints of the interface, by their name, and which of them a request goes to. */
import { LecternApi } from "@lectern/http/api/LecternApi"

interface Endpoint {
  readonly name: string
  readonly method: string
  readonly segments: ReadonlyArray<string>
}

export const endpoints: ReadonlyArray<Endpoint> = Object.entries(LecternApi.groups).flatMap(([group, { endpoints }]) =>
  Object.entries(endpoints).map(([id, { method, path }]) => ({
    name: `${group}.${id}`,
    method,
    segments: path.split("/")
  }))
)

export const endpointOf = (method: string, path: string): string | undefined => {
  const segments = path.split("/")
  return endpoints.find(
    (endpoint) =>
      endpoint.method === method &&
      endpoint.segments.length === segments.length &&
      endpoint.segments.every((segment, i) => segment.startsWith(":") || segment === segments[i])
  )?.name
}
