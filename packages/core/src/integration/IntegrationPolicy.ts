/**
 * Permissions on integrations and installations.
 *
 * - Anyone with a token sees public integrations, and unlisted ones by name. Members of the publishing organization and
 *   of organizations that installed it see a private one.
 * - Administrators of the publishing organization manage an integration and see all its installations. An integration
 *   manages its installations by its own token; an installation manages only itself.
 * - Members of an organization see its installations; its administrators install, configure and remove them.
 *   Administrators of a space or a site place them there.
 * - Events hold content of pages, feedback of visitors and logs of programs, from any space or site. Only
 *   administrators of the publisher and of the installing organization, and the program itself, see them.
 */
import { Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { MemberTable } from "../organization/Member.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { IntegrationNotFound, type IntegrationRow, IntegrationTable, isPublished, keyOf } from "./Integration.ts"
import { type InstallationId, InstallationNotFound, type InstallationRow, InstallationTable } from "./Installation.ts"

export const rules = {
  "see this integration": "anyone",
  /** `itself`: the token of the integration is also sufficient, in addition to administrators. */
  "run this integration": "itself",
  "manage this integration": "administrator"
} as const

export type IntegrationAction = keyof typeof rules

export const installationRules = {
  "see this installation": "member",
  /** Programs may configure their own installations, since they store values in the configuration. */
  "configure this installation": "itself",
  "manage this installation": "administrator"
} as const

export type InstallationAction = keyof typeof installationRules

export interface VisibleIntegration {
  readonly integration: IntegrationRow
  /** True if the actor sees all installations: an administrator of the publisher, or the integration itself. */
  readonly seesAll: boolean
}

export interface VisibleInstallation extends VisibleIntegration {
  readonly installation: InstallationRow
  /** Membership of the actor in the organization that installed the integration. */
  readonly installer: Membership | undefined
  /**
   * True if the actor sees the configuration: an administrator of the installing organization, or the program itself.
   */
  readonly configures: boolean
}

/** Narrows a condition to the organizations in which an actor may see data of an integration. */
type Narrowing = <Where extends object>(
  visibleIntegration: VisibleIntegration,
  where: Where
) => Effect.Effect<
  Where & { readonly organization?: { readonly in: ReadonlyArray<string> } },
  StorageError,
  CurrentActor
>

export const makeIntegrationPolicy = Effect.gen(function* () {
  const storage = yield* Storage
  const access = yield* Access
  const integrations = storage.repository(IntegrationTable)
  const installations = storage.repository(InstallationTable)
  const members = storage.repository(MemberTable)

  /** Returns the organizations of a user; an empty list for any other actor. */
  const organizationsOf = Effect.fnUntraced(function* () {
    const actor = yield* CurrentActor
    if (actor.type !== "user") return []
    const rows = yield* members.list({ where: { user: actor.user, disabled: false } })
    return rows.flatMap(({ organization }) =>
      actor.organization === undefined || actor.organization === organization ? [organization] : []
    )
  })

  /**
   * Returns the organizations in which an actor may see data of an integration. If the actor is an installation,
   * only the organization of the installation.
   */
  const organizationsFor = Effect.fnUntraced(function* (integration: IntegrationRow) {
    const actor = yield* CurrentActor
    if (actor.type === "installation") return actsFor(actor, integration) ? [actor.organization] : []
    return yield* organizationsOf()
  })

  /** Returns true if an organization of the actor has installed the integration. */
  const isInstalled = Effect.fnUntraced(function* (integration: IntegrationRow) {
    const visibleOrganizations = yield* organizationsFor(integration)
    return (
      (yield* installations.count({ integration: integration.key, organization: { in: visibleOrganizations } })) > 0
    )
  })

  /**
   * Returns the integration of this name. `IntegrationNotFound` if the actor may not see it, `Forbidden` if the
   * action is not allowed.
   */
  const require = Effect.fnUntraced(function* (name: string, action: IntegrationAction) {
    const integration = yield* integrations.get({ key: keyOf(name) })
    if (!isPublished(integration)) return yield* notFoundError(name)
    const actor = yield* CurrentActor
    const publisher = yield* access.membership(integration.organization)
    const actsAsItself = actsFor(actor, integration)
    const seesAll = publisher?.admin === true || (actsAsItself && actor.type === "integration")
    if (
      !actsAsItself &&
      publisher === undefined &&
      integration.manifest.visibility === "private" &&
      !(yield* isInstalled(integration))
    ) {
      return yield* notFoundError(name)
    }
    const requiredAccess = rules[action]
    if (requiredAccess === "anyone" || publisher?.admin === true || (requiredAccess === "itself" && seesAll)) {
      return { integration, seesAll }
    }
    return yield* new Forbidden({
      message: `To ${action}, you must be an administrator of the organization that publishes it`
    })
  })

  /** Returns an installation with the permissions of the actor on it. */
  const withPermissions = Effect.fnUntraced(function* (
    visibleIntegration: VisibleIntegration,
    installation: InstallationRow
  ) {
    const actor = yield* CurrentActor
    const installer = yield* access.membership(installation.organization)
    const actsAsItself =
      (actor.type === "integration" && actsFor(actor, visibleIntegration.integration)) ||
      (actor.type === "installation" && actor.installation === installation.id)
    return { ...visibleIntegration, installation, installer, configures: installer?.admin === true || actsAsItself }
  })

  /** Narrows a condition on installations or placements to those that the actor sees. */
  const narrowToVisible: Narrowing = Effect.fnUntraced(function* ({ seesAll, integration }, where) {
    return seesAll ? where : { ...where, organization: { in: yield* organizationsFor(integration) } }
  })

  /** Narrows a condition on events to those that the actor sees. */
  const narrowToVisibleEvents: Narrowing = Effect.fnUntraced(function* ({ seesAll, integration }, where) {
    if (seesAll) return where
    const visibleOrganizations = yield* organizationsFor(integration)
    if (actsFor(yield* CurrentActor, integration)) return { ...where, organization: { in: visibleOrganizations } }
    const administeredOrganizations = yield* Effect.filter(visibleOrganizations, (organization) =>
      Effect.map(access.membership(OrganizationId.make(organization)), (member) => member?.admin === true)
    )
    return { ...where, organization: { in: administeredOrganizations } }
  })

  return {
    require,
    narrowToVisible,
    narrowToVisibleEvents,
    organizationsOf,
    /** Returns the error for an integration that does not exist or is not visible. */
    notFound: notFoundError,
    withPermissions,

    /**
     * Returns the error for an integration that is installed but not active. Administrators of the installation learn
     * the reason, because they can fix it; for all others the integration does not exist.
     */
    inactive: Effect.fnUntraced(function* (
      name: string,
      integration: IntegrationRow,
      installation: InstallationRow,
      status: "pending" | "paused"
    ) {
      const { configures } = yield* withPermissions({ integration, seesAll: false }, installation)
      return configures
        ? new IntegrationNotFound({ message: `The integration ${integration.name} ${inactiveReasons[status]}` })
        : notFoundError(name)
    }),

    /** Returns an installation of the integration. Fails if the actor may not see it or the action is not allowed. */
    requireInstallation: Effect.fnUntraced(function* (name: string, id: InstallationId, action: InstallationAction) {
      const visibleIntegration = yield* require(name, "see this integration")
      const installation = yield* installations.get({ id })
      const notFound = () => new InstallationNotFound({ message: `There is no installation ${id.slice(0, 100)}` })
      if (installation?.integration !== visibleIntegration.integration.key) return yield* notFound()
      const permissions = yield* withPermissions(visibleIntegration, installation)
      const { installer, seesAll, configures } = permissions
      if (installer === undefined && !seesAll && !configures) return yield* notFound()
      const requiredAccess = installationRules[action]
      const isAllowed =
        requiredAccess === "member" || (requiredAccess === "itself" ? configures : installer?.admin === true)
      if (!isAllowed) {
        return yield* new Forbidden({
          message: `To ${action}, you must be an administrator of its organization`
        })
      }
      return permissions
    })
  }
})

const inactiveReasons = { pending: "waits for its configuration", paused: "is paused" }

const notFoundError = (name: string) =>
  new IntegrationNotFound({ message: `There is no integration ${name.slice(0, 100)}` })

/** Returns true if an actor is this integration or an installation of it. */
const actsFor = (actor: Actor, { key }: IntegrationRow): boolean =>
  (actor.type === "integration" || actor.type === "installation") && actor.integration === key
