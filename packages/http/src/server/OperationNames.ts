/** Names of the interface's operations, `spaces.get`, for lists of them that the compiler reads along. */
import { LecternApi } from "../api/LecternApi.ts"

type Groups = typeof LecternApi.groups

export type OperationName = {
  [G in keyof Groups & string]: `${G}.${keyof Groups[G]["endpoints"] & string}`
}[keyof Groups & string]

const endpoints: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, { readonly path: string }>> }>> =
  LecternApi.groups

/** Their routes, `/v1/users/:userId`, as `routeOf` names them. */
export const routesOf = (names: ReadonlyArray<OperationName>): ReadonlySet<string> =>
  new Set(
    names.map((name) => {
      const [group = "", operation = ""] = name.split(".")
      return endpoints[group]!.endpoints[operation]!.path
    })
  )
