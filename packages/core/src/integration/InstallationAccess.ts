/**
 * Permissions of an installation by its scopes: the scopes of the manifest that an administrator granted, on the
 * content that the installation covers, unless the installation is paused.
 */
import { Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import type { InstallationActor } from "../access/Actor.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { Storage } from "../storage/Storage.ts"
import {
  InstallationId,
  type InstallationRow,
  InstallationTable,
  type PlacementKind,
  PlacementTable
} from "./Installation.ts"
import { IntegrationTable, isPublished } from "./Integration.ts"
import type { IntegrationScope } from "./IntegrationManifest.ts"
import { covers, scopesOf } from "./InstallationStatus.ts"

/** Content that an installation requests access to. */
export interface RequestedContent {
  readonly kind: PlacementKind
  readonly id: string
  readonly organization: OrganizationId
}

export const makeInstallationAccess = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const placements = storage.repository(PlacementTable)

  /** Returns the installation and its integration if it has one of the scopes in this organization. */
  const findWithScope = Effect.fnUntraced(function* (
    actor: InstallationActor,
    organization: OrganizationId,
    scopes: ReadonlyArray<IntegrationScope>
  ) {
    if (scopes.length === 0 || actor.organization !== organization) return undefined
    const installation = yield* installations.get({ id: InstallationId.make(actor.installation) })
    if (installation === undefined || installation.paused) return undefined
    const integration = yield* integrations.get({ key: installation.integration })
    if (!isPublished(integration)) return undefined
    const grantedScopes = scopesOf(integration, installation)
    return scopes.some((scope) => grantedScopes.includes(scope)) ? { integration, installation } : undefined
  })

  const membershipOf = Effect.fnUntraced(function* ({ organization }: InstallationRow) {
    const organizationFacts = yield* access.facts(organization)
    return (
      organizationFacts &&
      ({ user: undefined, role: null, admin: false, facts: organizationFacts } satisfies Membership)
    )
  })

  /**
   * Checks several contents of an organization. Returns the installation as a member, and the contents that it
   * covers.
   */
  const membershipForContents = Effect.fnUntraced(function* (
    actor: InstallationActor,
    { kind, contents, organization }: Omit<RequestedContent, "id"> & { readonly contents: ReadonlyArray<string> },
    scopes: ReadonlyArray<IntegrationScope>
  ) {
    const scopedInstallation = yield* findWithScope(actor, organization, scopes)
    if (scopedInstallation === undefined) return undefined
    const { integration, installation } = scopedInstallation
    const placementRows = yield* placements.getMany(
      contents.map((content) => ({ installation: installation.id, kind, content }))
    )
    const coveredContents = contents.filter((_, i) => covers(integration, installation, kind, placementRows[i]))
    const member = coveredContents.length === 0 ? undefined : yield* membershipOf(installation)
    return member && { member, contents: new Set(coveredContents) }
  })

  return {
    membershipForContents,

    /**
     * Returns the installation as a member without a role, if one of the scopes grants access to this content;
     * undefined otherwise.
     */
    membershipForContent: (
      actor: InstallationActor,
      { kind, id, organization }: RequestedContent,
      scopes: ReadonlyArray<IntegrationScope>
    ) =>
      Effect.map(
        membershipForContents(actor, { kind, contents: [id], organization }, scopes),
        (access) => access?.member
      ),

    /**
     * Returns the installation as a member without a role, if one of the scopes grants access to resources of the whole
     * organization; undefined otherwise.
     */
    membershipForOrganization: Effect.fnUntraced(function* (
      actor: InstallationActor,
      organization: OrganizationId,
      scopes: ReadonlyArray<IntegrationScope>
    ) {
      const scopedInstallation = yield* findWithScope(actor, organization, scopes)
      return scopedInstallation && (yield* membershipOf(scopedInstallation.installation))
    })
  }
})
