/**
 * Permissions on integrations and installations.
 *
 * - Anyone with a token sees the public ones, and the unlisted ones by their names; private ones are
 *   seen by members of the organization that publishes them and of those that have installed them.
 * - Administrators of the organization that publishes one manage it, and see all its installations. By
 *   its own token an integration manages those, and by theirs each manages itself and sees no other.
 * - Members of an organization see what is installed in it; its administrators install, configure and
 *   remove that. Administrators of a space or a site place it there.
 * - Events hold what is drawn of pages, what visitors say and what programs log, of any space and site. So they are
 *   shown to administrators alone, of the publisher and of the organization that has installed it, and to the program
 *   itself.
 */
import { Context, Effect } from "effect"
import { Access, type Membership } from "../access/Access.ts"
import { type Actor, CurrentActor } from "../access/Actor.ts"
import { Forbidden } from "../access/Forbidden.ts"
import { MemberTable } from "../organization/Member.ts"
import { OrganizationId } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import { IntegrationNotFound, type IntegrationRow, IntegrationTable, isPublished, keyOf } from "./Integration.ts"
import { type InstallationId, InstallationNotFound, type InstallationRow, InstallationTable } from "./Installation.ts"
import { wired } from "../wiring/Wired.ts"

export const rules = {
  "see this integration": "anyone",
  /** `itself`: its own token will do, too. */
  "run this integration": "itself",
  "manage this integration": "administrator"
} as const

export type IntegrationAction = keyof typeof rules

export const installationRules = {
  "see this installation": "member",
  /** Its configuration: what the program itself keeps there. */
  "configure this installation": "itself",
  "manage this installation": "administrator"
} as const

export type InstallationAction = keyof typeof installationRules

export interface SeenIntegration {
  readonly integration: IntegrationRow
  /**
   * True for an actor that sees all its installations: an administrator of the publisher, or the integration
   * itself.
   */
  readonly seesAll: boolean
}

export interface SeenInstallation extends SeenIntegration {
  readonly installation: InstallationRow
  /** The actor in the organization that installed it. */
  readonly installer: Membership | undefined
  /** True for an actor that sees the configuration: an administrator there, or the program itself. */
  readonly configures: boolean
}

/** Narrows a condition to the organizations of which an actor sees what there is of an integration. */
type Narrowing = <Where extends object>(
  seen: SeenIntegration,
  where: Where
) => Effect.Effect<
  Where & { readonly organization?: { readonly in: ReadonlyArray<string> } },
  StorageError,
  CurrentActor
>

export class IntegrationPolicy extends Context.Service<
  IntegrationPolicy,
  {
    /** The integration of this name, where the actor may do this with it. */
    readonly require: (
      name: string,
      action: IntegrationAction
    ) => Effect.Effect<SeenIntegration, IntegrationNotFound | Forbidden | StorageError, CurrentActor>
    /** The organizations that a user belongs to; none for any other actor. */
    readonly organizationsOf: () => Effect.Effect<ReadonlyArray<string>, StorageError, CurrentActor>
    /** The failure of who asks for an integration that is not there for it. */
    readonly absent: (name: string) => IntegrationNotFound
    /**
     * The failure of who asks for an integration that is installed but not at work. Administrators of the installation
     * are told why, who can mend it; for all others it is not there.
     */
    readonly idle: (
      name: string,
      integration: IntegrationRow,
      installation: InstallationRow,
      status: "pending" | "paused"
    ) => Effect.Effect<IntegrationNotFound, StorageError, CurrentActor>
    /** An installation of an integration that the actor sees, with what it is there. */
    readonly seen: (
      seen: SeenIntegration,
      installation: InstallationRow
    ) => Effect.Effect<SeenInstallation, StorageError, CurrentActor>
    /** A condition on installations or placements, narrowed to those that an actor sees. */
    readonly seenOf: Narrowing
    /** A condition on events, narrowed to those that an actor sees. */
    readonly toldOf: Narrowing
    /** The installation of the integration, where the actor may do this with it. */
    readonly requireInstallation: (
      name: string,
      id: InstallationId,
      action: InstallationAction
    ) => Effect.Effect<
      SeenInstallation,
      IntegrationNotFound | InstallationNotFound | Forbidden | StorageError,
      CurrentActor
    >
  }
>()("@lectern/core/integration/IntegrationPolicy") {
  static readonly layer = wired(
    IntegrationPolicy,
    Effect.gen(function* () {
      const storage = yield* Storage
      const access = yield* Access
      const integrations = storage.repository(IntegrationTable)
      const installations = storage.repository(InstallationTable)
      const members = storage.repository(MemberTable)

      const organizationsOf = Effect.fnUntraced(function* () {
        const actor = yield* CurrentActor
        if (actor.type !== "user") return []
        const rows = yield* members.list({ where: { user: actor.user, disabled: false } })
        return rows.flatMap(({ organization }) =>
          actor.organization === undefined || actor.organization === organization ? [organization] : []
        )
      })

      /** The organizations in which an actor sees what there is of an integration: an installation that of its own alone. */
      const organizationsFor = Effect.fnUntraced(function* (integration: IntegrationRow) {
        const actor = yield* CurrentActor
        if (actor.type === "installation") return isOf(actor, integration) ? [actor.organization] : []
        return yield* organizationsOf()
      })

      /** Tells whether an organization of the actor has installed it. */
      const isInstalled = Effect.fnUntraced(function* (integration: IntegrationRow) {
        const mine = yield* organizationsFor(integration)
        return (yield* installations.count({ integration: integration.key, organization: { in: mine } })) > 0
      })

      const require = Effect.fnUntraced(function* (name: string, action: IntegrationAction) {
        const integration = yield* integrations.get({ key: keyOf(name) })
        if (!isPublished(integration)) return yield* absent(name)
        const actor = yield* CurrentActor
        const publisher = yield* access.membership(integration.organization)
        const isItself = isOf(actor, integration)
        const seesAll = publisher?.admin === true || (isItself && actor.type === "integration")
        if (
          !isItself &&
          publisher === undefined &&
          integration.manifest.visibility === "private" &&
          !(yield* isInstalled(integration))
        ) {
          return yield* absent(name)
        }
        const least = rules[action]
        if (least === "anyone" || publisher?.admin === true || (least === "itself" && seesAll)) {
          return { integration, seesAll }
        }
        return yield* new Forbidden({
          message: `To ${action} takes an administrator of the organization that publishes it`
        })
      })

      const seen = Effect.fnUntraced(function* (of: SeenIntegration, installation: InstallationRow) {
        const actor = yield* CurrentActor
        const installer = yield* access.membership(installation.organization)
        const isItself =
          (actor.type === "integration" && isOf(actor, of.integration)) ||
          (actor.type === "installation" && actor.installation === installation.id)
        return { ...of, installation, installer, configures: installer?.admin === true || isItself }
      })

      return IntegrationPolicy.of({
        require,
        organizationsOf,
        absent,
        seen,

        idle: Effect.fnUntraced(function* (name, integration, installation, status) {
          const { configures } = yield* seen({ integration, seesAll: false }, installation)
          return configures
            ? new IntegrationNotFound({ message: `The integration ${integration.name} ${idleness[status]}` })
            : absent(name)
        }),

        seenOf: Effect.fnUntraced(function* ({ seesAll, integration }, where) {
          return seesAll ? where : { ...where, organization: { in: yield* organizationsFor(integration) } }
        }),

        toldOf: Effect.fnUntraced(function* ({ seesAll, integration }, where) {
          if (seesAll) return where
          const mine = yield* organizationsFor(integration)
          if (isOf(yield* CurrentActor, integration)) return { ...where, organization: { in: mine } }
          const administered = yield* Effect.filter(mine, (organization) =>
            Effect.map(access.membership(OrganizationId.make(organization)), (member) => member?.admin === true)
          )
          return { ...where, organization: { in: administered } }
        }),

        requireInstallation: Effect.fnUntraced(function* (name, id, action) {
          const of = yield* require(name, "see this integration")
          const installation = yield* installations.get({ id })
          const gone = () => new InstallationNotFound({ message: `There is no installation ${id.slice(0, 100)}` })
          if (installation?.integration !== of.integration.key) return yield* gone()
          const found = yield* seen(of, installation)
          const { installer, seesAll, configures } = found
          if (installer === undefined && !seesAll && !configures) return yield* gone()
          const least = installationRules[action]
          const may = least === "member" || (least === "itself" ? configures : installer?.admin === true)
          if (!may) {
            return yield* new Forbidden({
              message: `To ${action} takes an administrator of the organization that it belongs to`
            })
          }
          return found
        })
      })
    }),
    [Access.layer]
  )
}

const idleness = { pending: "waits for its configuration", paused: "is paused" }

const absent = (name: string) => new IntegrationNotFound({ message: `There is no integration ${name.slice(0, 100)}` })

/** Tells whether an actor is this integration, or an installation of it. */
const isOf = (actor: Actor, { key }: IntegrationRow): boolean =>
  (actor.type === "integration" || actor.type === "installation") && actor.integration === key
