/** Names of the interface's operations, `spaces.get`, for lists of them that the compiler reads along. */
import { LecternApi } from "../api/LecternApi.ts"

type Groups = typeof LecternApi.groups

export type OperationName = {
  [G in keyof Groups & string]: `${G}.${keyof Groups[G]["endpoints"] & string}`
}[keyof Groups & string]

const endpoints: Readonly<Record<string, { readonly endpoints: Readonly<Record<string, { readonly path: string }>> }>> =
  LecternApi.groups

/** Finds the paths of these operations, and others: `/v1/user/:userId`. */
export const pathsOf = (names: ReadonlyArray<OperationName>, others: ReadonlyArray<string> = []): RegExp => {
  const paths = names.map((name) => {
    const [group = "", operation = ""] = name.split(".")
    return endpoints[group]!.endpoints[operation]!.path
  })
  return new RegExp(
    `^(?:${[...paths, ...others].map((path) => path.replace(/[.]/g, "\\.").replace(/:[^/]+/g, "[^/]+")).join("|")})$`
  )
}
