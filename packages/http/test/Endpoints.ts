/** The endpoints of the interface, by their name, and which of them a request goes to. */
import { LecternApi } from "@lectern/http/api/LecternApi"
import { conditionsOf, type Conditions, scopesOf } from "@lectern/http/api/Operation"
import { statusesOf } from "@lectern/http/description/OperationErrors"
import { byPath } from "./ByPath.ts"

interface Endpoint {
  readonly name: string
  readonly scopes: ReadonlyArray<string>
  readonly method: string
  readonly segments: ReadonlyArray<string>
  /** Conditions on which it says it may be asked. */
  readonly conditions: Conditions | undefined
  /** The statuses that failures may have, as its description says. */
  readonly failures: ReadonlySet<number>
}

export const endpoints: ReadonlyArray<Endpoint> = Object.entries(LecternApi.groups).flatMap(([group, { endpoints }]) =>
  Object.entries(endpoints).map(([id, endpoint]) => ({
    name: `${group}.${id}`,
    scopes: scopesOf(endpoint),
    conditions: conditionsOf(endpoint),
    method: endpoint.method,
    segments: endpoint.path.split("/"),
    failures: statusesOf(endpoint)
  }))
)

export const endpointOf = (method: string, path: string): string | undefined => find(method, path)?.name

/** The statuses that a failure of a request may have; undefined where it goes to no endpoint. */
export const failuresOf = (method: string, path: string): ReadonlySet<number> | undefined =>
  find(method, path)?.failures

/** Conditions on which a request may ask; undefined for none. */
export const conditionsFor = (method: string, path: string): Conditions | undefined => find(method, path)?.conditions

const find = byPath(endpoints, ":")
