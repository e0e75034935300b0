/** Installs integrations in organizations, and reads, changes and removes their installations. */
import { Context, Effect, Layer } from "effect"
import { CurrentActor } from "../access/Actor.ts"
import { changesOf } from "../audit/Changes.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { OrganizationId, type OrganizationNotFound } from "../organization/Organization.ts"
import { Organizations } from "../organization/Organizations.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import { foldText } from "../search/Words.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { applyPatch } from "../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../storage/Storage.ts"
import {
  type Installation,
  InstallationCreate,
  InstallationId,
  type InstallationNotFound,
  InstallationPatch,
  type InstallationRow,
  type InstallationStatus,
  InstallationTable,
  maxInstallations,
  TooManyInstallations
} from "./Installation.ts"
import { makeConfigurations } from "./Configurations.ts"
import * as InstallationConfiguration from "./InstallationConfiguration.ts"
import {
  type Integration,
  type IntegrationNotFound,
  type IntegrationRow,
  IntegrationTable,
  isPublished,
  keyOf
} from "./Integration.ts"
import type { IntegrationTarget } from "./IntegrationManifest.ts"
import { IntegrationQueue } from "./IntegrationQueue.ts"
import { makeIntegrationPolicy } from "./IntegrationPolicy.ts"
import { makeInstallationRemoval } from "./InstallationRemoval.ts"
import { makeIntegrationPresenter } from "./IntegrationPresenter.ts"
import { requireDelegable } from "./DelegatedScopes.ts"

const acceptCreate = accepting(InstallationCreate)
const acceptPatch = accepting(InstallationPatch)

type Failure = IntegrationNotFound | Forbidden | StorageError
type OneFailure = Failure | InstallationNotFound
type OrganizationFailure = OrganizationNotFound | Forbidden | StorageError

export interface InstalledIntegration {
  readonly integration: Integration
  readonly installation: Installation
}

/** Entry of a list of installations for a target. */
export interface IntegrationStatus {
  readonly integration: Integration
  readonly status: InstallationStatus
  /**
   * The organization that the integration is installed in. Placements on spaces and sites belong to this installation.
   */
  readonly target: { readonly type: "organization"; readonly organizationId: OrganizationId }
}

export class Installations extends Context.Service<
  Installations,
  {
    /**
     * Lists the installations that the actor may see, oldest first: all for the publisher, for others those of their
     * organizations.
     *
     * @param integration Name of the integration, without regard to case.
     * @param params.externalId Lists only installations with this external id.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidCursor}
     */
    readonly list: (
      integration: string,
      params: PageParams & { readonly externalId?: string }
    ) => Effect.Effect<ListPage<Installation>, Failure | InvalidCursor, CurrentActor>
    /**
     * Lists the installations in an organization, oldest first.
     *
     * @param params.search Part of the name or the title of the integration. Default: all.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly listIn: (
      organization: OrganizationId,
      params: PageParams & { readonly search?: string }
    ) => Effect.Effect<ListPage<InstalledIntegration>, OrganizationFailure | InvalidCursor, CurrentActor>
    /**
     * Lists the status of each installation in an organization.
     *
     * @param params.target Target of the integrations: `organization` (default), `space` or `site`.
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly statuses: (
      organization: OrganizationId,
      params: PageParams & { readonly target?: Exclude<IntegrationTarget, "all"> }
    ) => Effect.Effect<ListPage<IntegrationStatus>, OrganizationFailure | InvalidCursor, CurrentActor>
    /**
     * Returns the status of an integration's installation in an organization.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound} If no installation exists or is visible.
     * @throws {OrganizationNotFound}
     */
    readonly status: (
      organization: OrganizationId,
      integration: string
    ) => Effect.Effect<{ readonly status: InstallationStatus }, OrganizationFailure | IntegrationNotFound, CurrentActor>
    /**
     * Returns one installation to managers of the integration, administrators of the organization, and the installation
     * itself.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {InstallationNotFound} For all other actors.
     * @throws {IntegrationNotFound}
     */
    readonly get: (integration: string, id: InstallationId) => Effect.Effect<Installation, OneFailure, CurrentActor>
    /**
     * Installs an integration and grants the scopes of its manifest. An existing installation is returned unchanged.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TooManyInstallations}
     */
    readonly install: (
      integration: string,
      input: InstallationCreate
    ) => Effect.Effect<Installation, Failure | OrganizationNotFound | InvalidInput | TooManyInstallations, CurrentActor>
    /**
     * Changes an installation: its configuration, its external ids, its selection of spaces and sites, its scopes, or
     * whether it is paused.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput} If the configuration does not match the declaration of the integration.
     */
    readonly update: (
      integration: string,
      id: InstallationId,
      patch: InstallationPatch
    ) => Effect.Effect<Installation, OneFailure | InvalidInput, CurrentActor>
    /**
     * Removes an installation with its placements. Succeeds if the installation does not exist or is not visible.
     *
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     */
    readonly uninstall: (
      integration: string,
      id: InstallationId
    ) => Effect.Effect<void, IntegrationNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/integration/Installations") {
  static readonly layer = Layer.effect(
    Installations,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const paging = yield* Paging
      const events = yield* Events
      const organizations = yield* Organizations
      const policy = yield* makeIntegrationPolicy
      const presenter = yield* makeIntegrationPresenter
      const integrations = storage.repository(IntegrationTable)
      const installations = storage.repository(InstallationTable)
      const queue = yield* IntegrationQueue
      const removal = yield* makeInstallationRemoval
      const configurations = yield* makeConfigurations

      /** Returns the installations in an organization with their published integrations. */
      const listInstalled = Effect.fnUntraced(function* (organization: OrganizationId) {
        const rows = yield* installations.list({ where: { organization }, order: ["createdAt"] })
        const publishedIntegrations = yield* integrations.getMany(rows.map(({ integration }) => ({ key: integration })))
        return rows.flatMap((installation, i) => {
          const integration = publishedIntegrations[i]
          return isPublished(integration) ? [{ integration, installation }] : []
        })
      })

      /**
       * Notifies a program that it is installed or that its configuration changed. Changes made by the program itself
       * are not reported, since handlers of this event often configure the installation.
       */
      const notifySetup = Effect.fnUntraced(function* (
        integration: IntegrationRow,
        row: InstallationRow,
        previousRow?: InstallationRow
      ) {
        const { type } = yield* CurrentActor
        if (type === "integration" || type === "installation") return
        const status = yield* configurations.statusOf(integration, row)
        const previousSetup = previousRow && {
          status: yield* configurations.statusOf(integration, previousRow),
          configuration: yield* configurations.configurationOf(previousRow)
        }
        yield* queue.add(
          { integration, installation: row },
          {
            type: "installation_setup",
            installationId: row.id,
            status,
            ...(previousSetup && { previous: previousSetup })
          }
        )
      })

      const emit = (
        type: "installation_created" | "installation_updated",
        row: InstallationRow,
        previousFields: Partial<InstallationRow> = {}
      ) =>
        events.emit(
          { type, organization: row.organization, integration: row.integration, installation: row.id },
          {
            label: row.integration,
            changes: changesOf<Partial<InstallationRow>>(previousFields, row, [
              "scopes",
              "paused",
              "spaceSelection",
              "siteSelection"
            ])
          }
        )

      return Installations.of({
        list: Effect.fn("Installations.list")(function* (name, { externalId, ...params }) {
          const visibleIntegration = yield* policy.require(name, "see this integration")
          const { integration } = visibleIntegration
          const where = {
            integration: integration.key,
            ...(externalId !== undefined && { externalIds: { any: [externalId] } })
          }
          const query = {
            where: yield* policy.narrowToVisible(visibleIntegration, where),
            order: ["createdAt"] as const
          }
          const list = `installations of ${integration.key} ${JSON.stringify(query.where)}`
          const page = yield* paging.rows(InstallationTable, list, query, params)
          const items = yield* Effect.forEach(page.items, (row) =>
            Effect.flatMap(policy.withPermissions(visibleIntegration, row), ({ configures, installer }) =>
              presenter.installation(integration, row, configures, configures ? undefined : installer)
            )
          )
          return { ...page, items }
        }),

        listIn: Effect.fn("Installations.listIn")(function* (organization, { search, ...params }) {
          const { member } = yield* organizations.require(organization, "see this organization")
          const foldedSearch = foldText(search ?? "")
          const matches = (yield* listInstalled(organization)).filter(
            ({ integration: { name, manifest } }) =>
              foldText(name).includes(foldedSearch) || foldText(manifest.title).includes(foldedSearch)
          )
          const list = `installations in ${organization} ${foldedSearch}`
          const page = yield* paging.inOrder(matches, list, ({ installation }) => installation.id, params)
          const presentedIntegrations = yield* presenter.integrations(page.items.map(({ integration }) => integration))
          const items = yield* Effect.forEach(page.items, ({ integration, installation }, i) =>
            Effect.map(
              presenter.installation(integration, installation, member.admin, member.admin ? undefined : member),
              (installation) => ({ integration: presentedIntegrations[i]!, installation })
            )
          )
          return { ...page, items }
        }),

        statuses: Effect.fn("Installations.statuses")(function* (organization, { target = "organization", ...params }) {
          yield* organizations.require(organization, "see this organization")
          const matches = (yield* listInstalled(organization)).filter(
            ({ integration: { manifest } }) => manifest.target === "all" || manifest.target === target
          )
          const list = `statuses in ${organization} ${target}`
          const page = yield* paging.inOrder(matches, list, ({ installation }) => installation.id, params)
          const presentedIntegrations = yield* presenter.integrations(page.items.map(({ integration }) => integration))
          const items = yield* Effect.forEach(page.items, ({ integration, installation }, i) =>
            Effect.map(configurations.statusOf(integration, installation), (status) => ({
              integration: presentedIntegrations[i]!,
              status,
              target: { type: "organization" as const, organizationId: organization }
            }))
          )
          return { ...page, items }
        }),

        status: Effect.fn("Installations.status")(function* (organization, name) {
          yield* organizations.require(organization, "see this organization")
          const [installation] = yield* installations.list({
            where: { integration: keyOf(name), organization },
            limit: 1
          })
          const integration = installation && (yield* integrations.get({ key: installation.integration }))
          if (!isPublished(integration)) return yield* policy.notFound(name)
          return { status: yield* configurations.statusOf(integration, installation!) }
        }),

        get: Effect.fn("Installations.get")(function* (name, id) {
          const visibleInstallation = yield* policy.requireInstallation(name, id, "see this installation")
          const { integration, installation, configures, installer } = visibleInstallation
          return yield* presenter.installation(
            integration,
            installation,
            configures,
            configures ? undefined : installer
          )
        }),

        install: Effect.fn("Installations.install")(function* (name, rawInput) {
          const input = yield* acceptCreate(rawInput)
          const id = InstallationId.make(yield* ids.next)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const { integration } = yield* policy.require(name, "see this integration")
              const { organization, member } = yield* organizations.require(
                OrganizationId.make(input.organization),
                "install integrations in this organization"
              )
              if (integration.manifest.visibility === "private" && integration.organization !== organization.id) {
                return yield* policy.notFound(name)
              }
              yield* requireDelegable(integration.manifest.scopes, "install this integration")
              const installationKey = { integration: integration.key, organization: organization.id }
              const [existingInstallation] = yield* installations.list({ where: installationKey, limit: 1 })
              if (existingInstallation !== undefined)
                return yield* presenter.installation(integration, existingInstallation, member.admin)
              if ((yield* installations.count({ organization: organization.id })) >= maxInstallations) {
                return yield* new TooManyInstallations({
                  message: `An organization has at most ${maxInstallations.toLocaleString("en")} integrations installed: remove one first`
                })
              }
              const now = yield* Timestamps.now
              const row: InstallationRow = {
                id,
                ...installationKey,
                paused: false,
                scopes: integration.manifest.scopes,
                ...selectionsOf(integration),
                externalIds: [],
                createdAt: now,
                updatedAt: now
              }
              yield* installations.insert(row).pipe(cannotConflict)
              yield* emit("installation_created", row)
              yield* notifySetup(integration, row)
              return yield* presenter.installation(integration, row, member.admin)
            })
          )
        }),

        update: Effect.fn("Installations.update")(function* (name, id, input) {
          const patch = yield* acceptPatch(input)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const action = isConfiguration(patch) ? "configure this installation" : "manage this installation"
              const visibleInstallation = yield* policy.requireInstallation(name, id, action)
              const { integration, installation, configures } = visibleInstallation
              const issues = [
                ...InstallationConfiguration.problemsOf(
                  patch.configuration ?? {},
                  integration.manifest.configurations?.account
                ),
                ...(patch.scopes ?? []).flatMap((scope, i) =>
                  integration.manifest.scopes.includes(scope)
                    ? []
                    : [{ path: `body.scopes[${i}]`, message: "Expected a scope that the integration requests" }]
                )
              ]
              if (issues.length > 0) return yield* new InvalidInput({ issues })
              yield* requireDelegable(patch.scopes ?? [], "agree to these scopes")
              const { configuration, externalIds, scopes, space_selection, site_selection, status } = patch
              const changes = {
                ...(configuration !== undefined &&
                  (yield* configurations.isChanged(installation, configuration)) &&
                  (yield* configurations.forInstallation({ id }, configuration))),
                ...(externalIds !== undefined && { externalIds }),
                ...(scopes !== undefined && { scopes }),
                ...(space_selection !== undefined && { spaceSelection: space_selection }),
                ...(site_selection !== undefined && { siteSelection: site_selection }),
                ...(status !== undefined && { paused: status === "paused" })
              }
              if (!hasChanges(installation, changes)) {
                return yield* presenter.installation(integration, installation, configures)
              }
              const rowPatch = { ...changes, updatedAt: yield* Timestamps.now }
              yield* installations.update({ id }, rowPatch).pipe(cannotConflict)
              const row = applyPatch(InstallationTable, installation, rowPatch)
              yield* emit("installation_updated", row, installation)
              yield* notifySetup(integration, row, installation)
              return yield* presenter.installation(integration, row, configures)
            })
          )
        }),

        uninstall: Effect.fn("Installations.uninstall")(function* (name, id) {
          const removeSlice = storage
            .transaction(
              Effect.gen(function* () {
                const visibleInstallation = yield* policy.requireInstallation(name, id, "manage this installation")
                const { isRemoved } = yield* removal.removeSlice(
                  visibleInstallation.integration,
                  visibleInstallation.installation
                )
                return isRemoved
              })
            )
            .pipe(Effect.catchTag("InstallationNotFound", () => Effect.succeed(true)))
          // If the request is interrupted, repeating it removes the rest.
          while (!(yield* removeSlice)) yield* Effect.yieldNow
        })
      })
    })
  )
}

/** Returns true if a patch sets only fields that a program may set on its own installation. */
const isConfiguration = ({ configuration: _, externalIds: __, ...otherFields }: InstallationPatch): boolean =>
  Object.values(otherFields).every((value) => value === undefined)

/**
 * Returns the selections of a new installation: chosen spaces or sites if the integration is for one kind only, all
 * otherwise.
 */
const selectionsOf = ({ manifest: { target } }: IntegrationRow) => {
  const selection = target === "space" || target === "site" ? "selected" : "all"
  return { spaceSelection: selection, siteSelection: selection } as const
}
