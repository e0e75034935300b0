/**
 * Permissions on the OpenAPI specs of an organization. Members may read all specs, and everyone may read public ones.
 * The role `create` may create, update and delete specs.
 */
import { Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { atLeast, type Role } from "../access/Role.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { makeInstallationAccess } from "../integration/InstallationAccess.ts"
import { specScopes } from "../integration/IntegrationScopes.ts"
import { type OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { Storage } from "../storage/Storage.ts"
import { type OpenApiSpec, OpenApiSpecNotFound, type OpenApiSpecRow, OpenApiSpecTable } from "./OpenApiSpec.ts"

export const rules = {
  "see this spec": "member",
  "make specs in this organization": "create",
  "change this spec": "create",
  "delete this spec": "create"
} as const satisfies Record<string, Role | "member">

export type SpecAction = keyof typeof rules

export interface AuthorizedSpec {
  readonly spec: OpenApiSpecRow
  /** Membership of the actor. Undefined if the actor is not a member, and the spec is public. */
  readonly member: Membership | undefined
}

export const makeOpenApiSpecPolicy = Effect.gen(function* () {
  const access = yield* Access
  const installations = yield* makeInstallationAccess
  const specs = (yield* Storage).repository(OpenApiSpecTable)

  /** Returns a spec without checking permissions. Undefined if the spec does not exist. */
  const find = (organization: OrganizationId, slug: string) =>
    Effect.map(specs.list({ where: { organization, slug }, limit: 1 }), ([row]) => row)

  const allow = ({ role }: Membership, action: SpecAction) => {
    const requiredRole = rules[action]
    return requiredRole === "member" || atLeast(role, requiredRole)
      ? Effect.void
      : Effect.fail(
          new Forbidden({
            message: `To ${action}, you need the role ${requiredRole}; ${role === null ? "you are a guest" : `your role here is ${role}`}`
          })
        )
  }

  /** Returns the actor's membership. An installation is a member if its scopes permit the action. */
  const memberOf = (actor: Actor, organization: OrganizationId, action: SpecAction) =>
    actor.type === "installation"
      ? installations.membershipForOrganization(actor, organization, specScopes[action])
      : access.membership(organization)

  const organizationNotFound = (id: string) =>
    new OrganizationNotFound({ message: `There is no organization ${id.slice(0, 100)}` })

  return {
    find,

    /** Returns the actor's membership. Fails if it does not permit the action. */
    requireMember: Effect.fnUntraced(function* (organization: OrganizationId, action: SpecAction) {
      const actor = yield* CurrentActor
      const member = yield* memberOf(actor, organization, action)
      if (member === undefined) return yield* organizationNotFound(organization)
      if (actor.type !== "installation") yield* allow(member, action)
      return member
    }),

    /** Returns a spec and the actor's membership. Fails if the actor may not do this with the spec. */
    require: Effect.fnUntraced(function* (organization: OrganizationId, slug: string, action: SpecAction) {
      const actor = yield* CurrentActor
      const member = yield* memberOf(actor, organization, action)
      const spec = yield* find(organization, slug)
      if (member === undefined) {
        if (spec?.visibility !== "public") return yield* organizationNotFound(organization)
        if (rules[action] === "member") return { spec, member }
        return yield* new Forbidden({ message: `To ${action}, you must be a member of the organization` })
      }
      if (spec === undefined) {
        return yield* new OpenApiSpecNotFound({
          message: `There is no spec ${slug.slice(0, 100)} in this organization`
        })
      }
      if (actor.type !== "installation") yield* allow(member, action)
      return { spec, member }
    })
  }
})

/** Returns the URLs of a spec. `published` exists for a public spec, and everyone may read it. */
export const specUrls = Effect.map(
  PublicUrl,
  (publicUrl) => (spec: Pick<OpenApiSpecRow, "organization" | "slug" | "visibility">) => ({
    location: `${publicUrl}/v1/orgs/${spec.organization}/openapi/${spec.slug}`,
    ...(spec.visibility === "public" && { published: `${publicUrl}/v1/openapi/${spec.organization}/${spec.slug}` })
  })
)

export const presentSpec = Effect.map(specUrls, (urlsOf) => ({ spec, member }: AuthorizedSpec): OpenApiSpec => {
  const { location, published } = { published: undefined, ...urlsOf(spec) }
  return {
    object: "openapi-spec",
    id: spec.id,
    createdAt: spec.createdAt,
    updatedAt: spec.updatedAt,
    slug: spec.slug,
    ...("url" in spec.source && { sourceURL: spec.source.url }),
    processingState: spec.processingState,
    visibility: spec.visibility,
    ...(spec.lastVersion !== undefined && { lastVersion: spec.lastVersion }),
    ...(spec.lastProcessedAt !== undefined && { lastProcessedAt: spec.lastProcessedAt }),
    ...(spec.lastProcessErrorCode !== undefined && { lastProcessErrorCode: spec.lastProcessErrorCode }),
    ...(spec.lastProcessedErrors !== undefined && { lastProcessedErrors: spec.lastProcessedErrors }),
    lastProcessedErrorCount: spec.lastProcessedErrorCount,
    warnings: spec.warnings ?? [],
    warningCount: spec.warningCount ?? 0,
    permissions: { view: true, edit: atLeast(member?.role, rules["change this spec"]) },
    urls: { location, app: location, ...(published !== undefined && { published }) }
  }
})
