/**
 * Operations of the interface: endpoints that say what they do, which scopes of a user's token (`TokenScope`) allow
 * them, and on which conditions they may be asked. One that doesn't say the first two does not compile; `oxlint`
 * refuses endpoints that are made otherwise.
 *
 * Any one of the scopes allows an operation, within what the user may do, and a scope to write allows what the one
 * to read does. No scopes: nobody's token is asked for, but a signature or nothing. A token without scopes may be
 * used for every operation. Some parts of a body take another scope beside: who may see a space or a collection
 * `access:write`, the visibility of a site `site:publish`. The services ask for those.
 */
import { TokenScope } from "@lectern/core/token/TokenScope"
import { Context, type Schema } from "effect"
import type { HttpMethod, HttpRouter } from "effect/http"
// oxlint-disable-next-line no-restricted-imports -- Nothing else makes endpoints.
import { HttpApiEndpoint, type HttpApiSchema, OpenApi } from "effect/http-api"

type Fields = Schema.Top | Schema.Struct.Fields

interface OperationOptions {
  /** A sentence for those who read the interface's description. */
  readonly description: string
  readonly scopes: ReadonlyArray<TokenScope>
  /** Default: false. */
  readonly deprecated?: boolean
  /** Default: none. A test holds each operation to what it says. */
  readonly conditions?: Conditions
  /**
   * True if the service itself verifies a token that identifies no actor: a site's own key, or a token signed with this
   * key. Default: false, which rejects such a token.
   */
  readonly siteTokens?: boolean
}

/**
 * Conditions of a request, in the headers that an operation goes by.
 *
 * - `held`: `If-None-Match`, answered 304 where the caller has what is there (see `server/Conditional`)
 * - `ranges`: that, and `Range` and `If-Range`, answered 206 with a part of the bytes (see `server/Ranges`)
 * - `replaced`: those of `ranges`, and led (307) to other bytes where these were replaced
 * - `seen`: `If-Match`, refused (412) where it is no more as the caller has seen it
 */
export type Conditions = "held" | "ranges" | "replaced" | "seen"

/** Constructor of operations: Effect's own for the method, whose types it keeps. */
const operation = <Method extends HttpMethod.HttpMethod>(method: Method) => {
  const make = HttpApiEndpoint.make(method)
  return <
    const Name extends string,
    const Path extends HttpRouter.PathInput,
    Params extends Fields = never,
    Query extends Fields = never,
    Payload extends HttpApiEndpoint.PayloadConstraintCodecs<Method> = never,
    const Success extends HttpApiEndpoint.SuccessConstraint = HttpApiSchema.NoContent,
    const Failure extends HttpApiEndpoint.ErrorConstraint = never
  >(
    name: Name,
    path: Path,
    options: OperationOptions & {
      readonly params?: Params
      readonly query?: Query
      readonly payload?: Payload
      readonly success?: Success
      readonly error?: Failure
    }
  ) =>
    make<Name, Path, Params, Query, Payload, never, Success, Failure>(name, path, options as object).annotateMerge(
      annotations(options)
    )
}

const Scopes = Context.Reference<ReadonlyArray<TokenScope>>("@lectern/http/api/Operation/Scopes", {
  defaultValue: () => []
})

const ConditionsOf = Context.Reference<Conditions | undefined>("@lectern/http/api/Operation/Conditions", {
  defaultValue: () => undefined
})

const SiteTokens = Context.Reference<boolean>("@lectern/http/api/Operation/SiteTokens", { defaultValue: () => false })

const annotations = ({ conditions, deprecated, description, scopes, siteTokens = false }: OperationOptions) =>
  OpenApi.annotations({ description, ...(deprecated && { deprecated }) }).pipe(
    Context.add(Scopes, scopes.flatMap(withWriteScope)),
    Context.add(ConditionsOf, conditions),
    Context.add(SiteTokens, siteTokens)
  )

const withWriteScope = (scope: TokenScope): ReadonlyArray<TokenScope> => {
  const writing = scope.replace(/:read$/, ":write")
  return TokenScope.literals.filter((other) => other === scope || other === writing)
}

/** Scopes of a token, any one of which allows the operation. */
export const scopesOf = (operation: { readonly annotations: Context.Context<never> }): ReadonlyArray<TokenScope> =>
  Context.get(operation.annotations, Scopes)

/** Conditions on which the operation may be asked. */
export const conditionsOf = (operation: { readonly annotations: Context.Context<never> }): Conditions | undefined =>
  Context.get(operation.annotations, ConditionsOf)

/** True if the operation accepts site tokens. */
export const acceptsSiteTokens = (operation: { readonly annotations: Context.Context<never> }): boolean =>
  Context.get(operation.annotations, SiteTokens)

export const get = operation("GET")
export const post = operation("POST")
export const put = operation("PUT")
export const patch = operation("PATCH")
const remove = operation("DELETE")
export { remove as delete }
