/** Names of operations such as `spaces.get`, checked by the compiler. */
import { LecternApi } from "../api/LecternApi.ts"

type Groups = typeof LecternApi.groups

export type OperationName = {
  [G in keyof Groups & string]: `${G}.${keyof Groups[G]["endpoints"] & string}`
}[keyof Groups & string]

const endpoints: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, { readonly path: string }>> }>> =
  LecternApi.groups

/** Returns the routes of operations, such as `/v1/users/:userId`, in the form of `routeOf`. */
export const routesOf = (names: ReadonlyArray<OperationName>): ReadonlySet<string> =>
  new Set(
    names.map((name) => {
      const [group = "", operation = ""] = name.split(".")
      return endpoints[group]!.endpoints[operation]!.path
    })
  )
