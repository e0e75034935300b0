/**
 * Operations of the API: endpoints with a description, the scopes (`TokenScope`) that allow them, and the conditional
 * or range headers that they support. Description and scopes are required by the compiler; `oxlint` rejects endpoints
 * that are created otherwise.
 *
 * Any one of the scopes allows the operation, within the rights of the user. A write scope includes the read scope. An
 * empty list means that the operation takes no token: it is public or needs a signed URL. A token without scopes may
 * use every operation. Some fields need an additional scope, which the service checks: `access:write` for access to a
 * space or a collection, `site:publish` for the visibility of a site.
 */
import { TokenScope } from "@lectern/core/token/TokenScope"
import { Context, type Schema } from "effect"
import type { HttpMethod, HttpRouter } from "effect/http"
// oxlint-disable-next-line no-restricted-imports -- Nothing else makes endpoints.
import { HttpApiEndpoint, type HttpApiSchema, OpenApi } from "effect/http-api"

type Fields = Schema.Top | Schema.Struct.Fields

interface OperationOptions {
  /** Description in `/openapi.json`. */
  readonly description: string
  readonly scopes: ReadonlyArray<TokenScope>
  /** Default: false. */
  readonly deprecated?: boolean
  /** Conditional request headers that the operation supports. Default: none. A test sends these headers to each operation. */
  readonly conditions?: Conditions
  /**
   * True if the service itself verifies a token that identifies no actor: a site's own key, or a token signed with this
   * key. Default: false, which rejects such a token.
   */
  readonly siteTokens?: boolean
  /**
   * True for an operation that a page calls for each of its blocks. The service validates the payload itself, so the
   * schema decodes only payloads that the service rejects, and the actors of tokens are cached. Default: false.
   */
  readonly lowLatency?: boolean
}

/**
 * Conditional and range headers that an operation supports.
 *
 * - `held`: `If-None-Match`; 304 if the client's representation is current (see `server/Conditional`)
 * - `ranges`: also `Range` and `If-Range`; 206 with a range of the bytes (see `server/Ranges`)
 * - `replaced`: as `ranges`, and 307 to the new file if it was replaced
 * - `seen`: `If-Match`; 412 if the content changed
 */
export type Conditions = "held" | "ranges" | "replaced" | "seen"

/** Creates the constructor of operations for a method, with the types of Effect's own. */
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

const LowLatency = Context.Reference<boolean>("@lectern/http/api/Operation/LowLatency", { defaultValue: () => false })

const annotations = (options: OperationOptions) => {
  const { conditions, deprecated, description, scopes, siteTokens = false, lowLatency = false } = options
  return OpenApi.annotations({ description, ...(deprecated && { deprecated }) }).pipe(
    Context.add(Scopes, scopes.flatMap(withWriteScope)),
    Context.add(ConditionsOf, conditions),
    Context.add(SiteTokens, siteTokens),
    Context.add(LowLatency, lowLatency)
  )
}

const withWriteScope = (scope: TokenScope): ReadonlyArray<TokenScope> => {
  const writing = scope.replace(/:read$/, ":write")
  return TokenScope.literals.filter((other) => other === scope || other === writing)
}

/** Returns the scopes of a token, any one of which allows the operation. */
export const scopesOf = (operation: { readonly annotations: Context.Context<never> }): ReadonlyArray<TokenScope> =>
  Context.get(operation.annotations, Scopes)

/** Returns the headers for conditional requests that the operation supports. */
export const conditionsOf = (operation: { readonly annotations: Context.Context<never> }): Conditions | undefined =>
  Context.get(operation.annotations, ConditionsOf)

/** Returns true if the operation accepts site tokens. */
export const acceptsSiteTokens = (operation: { readonly annotations: Context.Context<never> }): boolean =>
  Context.get(operation.annotations, SiteTokens)

/** Returns true if the operation needs low latency (see `OperationOptions.lowLatency`). */
export const hasLowLatency = (operation: { readonly annotations: Context.Context<never> }): boolean =>
  Context.get(operation.annotations, LowLatency)

export const get = operation("GET")
export const post = operation("POST")
export const put = operation("PUT")
export const patch = operation("PATCH")
const remove = operation("DELETE")
export { remove as delete }
