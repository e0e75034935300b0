/**
 * Places installations on spaces and sites, reads, changes and removes placements, and lists the integrations that are
 * active there.
 *
 * An installation on all spaces, or all sites, needs no placements. A placement is created when one of its settings
 * differs there.
 */
import { Context, Effect, Layer } from "effect"
import { Access, type Membership } from "../../access/Access.ts"
import { CurrentActor } from "../../access/Actor.ts"
import type { Forbidden } from "../../access/Forbidden.ts"
import { Events } from "../../event/Events.ts"
import type { OrganizationId } from "../../organization/Organization.ts"
import { accepting, InvalidInput } from "../../schema/Input.ts"
import * as Timestamps from "../../schema/Timestamps.ts"
import type { SiteNotFound } from "../../site/Site.ts"
import type { SpaceNotFound } from "../../space/Space.ts"
import type { Condition } from "../../storage/Condition.ts"
import type { PageParams } from "../../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../../paging/Paging.ts"
import { applyPatch } from "../../storage/Row.ts"
import { cannotConflict, hasChanges, Storage, type StorageError } from "../../storage/Storage.ts"
import {
  type InstallationId,
  type InstallationNotFound,
  impliedPlacement,
  type InstallationRow,
  InstallationTable,
  maxPlacements,
  type PlacementKind,
  PlacementNotFound,
  PlacementPatch,
  type PlacementRow,
  PlacementTable,
  type SitePlacement,
  type SpacePlacement,
  TooManyInstallations,
  UnsuitableTarget
} from "../Installation.ts"
import { makeConfigurations } from "../Configurations.ts"
import * as InstallationConfiguration from "../InstallationConfiguration.ts"
import type { IntegrationNotFound, IntegrationRow } from "../Integration.ts"
import { makeInstallationRemoval } from "../InstallationRemoval.ts"
import { makeIntegrationPolicy, type VisibleInstallation } from "../IntegrationPolicy.ts"
import { IntegrationQueue } from "../IntegrationQueue.ts"
import { makeIntegrationPresenter } from "../IntegrationPresenter.ts"
import { makePlacedContents } from "./PlacedContents.ts"
import { makePlacedIntegrations, type PlacedIntegrations } from "./PlacedIntegrations.ts"

const acceptPatch = accepting(PlacementPatch)

type ListFailure = IntegrationNotFound | Forbidden | InvalidCursor | StorageError
type Failure = IntegrationNotFound | InstallationNotFound | SpaceNotFound | SiteNotFound | Forbidden | StorageError

/** The resource of a placement on one kind of content. */
export type Placement<Kind extends PlacementKind> = Kind extends "space" ? SpacePlacement : SitePlacement

/** `extended`: true to return the whole space or site instead of its id, if the actor may see it. */
interface Extended {
  /** True to return the space or the site instead of its id. Default: false. */
  readonly extended?: boolean
}

export class Placements extends Context.Service<
  Placements,
  PlacedIntegrations & {
    /**
     * Lists the visible placements of all installations of an integration, oldest first.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @param params.externalId Lists only placements with this external id.
     * @throws {Forbidden}
     * @throws {IntegrationNotFound}
     * @throws {InvalidCursor}
     */
    readonly list: <Kind extends PlacementKind>(
      kind: Kind,
      integration: string,
      params: PageParams & Extended & { readonly externalId?: string }
    ) => Effect.Effect<ListPage<Placement<Kind>>, ListFailure, CurrentActor>
    /**
     * Lists the placements of one installation, oldest first.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     * @throws {InvalidCursor}
     */
    readonly listOf: <Kind extends PlacementKind>(
      kind: Kind,
      integration: string,
      installation: InstallationId,
      params: PageParams & Extended
    ) => Effect.Effect<ListPage<Placement<Kind>>, ListFailure | InstallationNotFound, CurrentActor>
    /**
     * Returns the placement of an installation on a space or a site.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @param content Id of the space or the site.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     * @throws {PlacementNotFound} If the installation has no placement on the content.
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly get: <Kind extends PlacementKind>(
      kind: Kind,
      integration: string,
      installation: InstallationId,
      content: string,
      options?: Extended
    ) => Effect.Effect<Placement<Kind>, Failure | PlacementNotFound, CurrentActor>
    /**
     * Places an installation on a space or site. An existing placement is returned unchanged.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @param content Id of the space or the site.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     * @throws {TooManyInstallations}
     * @throws {UnsuitableTarget}
     */
    readonly create: <Kind extends PlacementKind>(
      kind: Kind,
      integration: string,
      installation: InstallationId,
      content: string,
      options?: Extended
    ) => Effect.Effect<Placement<Kind>, Failure | UnsuitableTarget | TooManyInstallations, CurrentActor>
    /**
     * Changes the configuration and external ids of an installation on one space or site.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @param content Id of the space or the site.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     * @throws {InvalidInput} If the configuration does not match the declaration of the integration.
     * @throws {PlacementNotFound}
     * @throws {SiteNotFound}
     * @throws {SpaceNotFound}
     */
    readonly update: <Kind extends PlacementKind>(
      kind: Kind,
      integration: string,
      installation: InstallationId,
      content: string,
      patch: PlacementPatch,
      options?: Extended
    ) => Effect.Effect<Placement<Kind>, Failure | PlacementNotFound | InvalidInput, CurrentActor>
    /**
     * Removes a placement. Succeeds if the placement does not exist or is not visible.
     *
     * @param kind `space` or `site`.
     * @param integration Name of the integration, without regard to case.
     * @param content Id of the space or the site.
     * @throws {Forbidden}
     * @throws {InstallationNotFound}
     * @throws {IntegrationNotFound}
     */
    readonly remove: (
      kind: PlacementKind,
      integration: string,
      installation: InstallationId,
      content: string
    ) => Effect.Effect<void, IntegrationNotFound | InstallationNotFound | Forbidden | StorageError, CurrentActor>
  }
>()("@lectern/core/integration/placement/Placements") {
  static readonly layer = Layer.effect(
    Placements,
    Effect.gen(function* () {
      const storage = yield* Storage
      const paging = yield* Paging
      const events = yield* Events
      const access = yield* Access
      const policy = yield* makeIntegrationPolicy
      const presenter = yield* makeIntegrationPresenter
      const contents = yield* makePlacedContents
      const queue = yield* IntegrationQueue
      const removal = yield* makeInstallationRemoval
      const configurations = yield* makeConfigurations
      const installations = storage.repository(InstallationTable)
      const placements = storage.repository(PlacementTable)

      /**
       * Reads the data for the presentation of rows: their installations, memberships of the actor, and visible
       * contents.
       */
      const relatedRows = Effect.fnUntraced(function* (kind: PlacementKind, rows: ReadonlyArray<PlacementRow>) {
        const owners = yield* installations.getMany(rows.map(({ installation }) => ({ id: installation })))
        const members = new Map<string, Membership | undefined>()
        const visibleContents = new Map<string, SpacePlacement["space"] | SitePlacement["site"]>()
        for (const [organization, organizationRows] of Map.groupBy(rows, (row) => row.organization)) {
          const member = yield* access.membership(organization as OrganizationId)
          members.set(organization, member)
          if (member === undefined) continue
          const ids = organizationRows.map(({ content }) => content)
          for (const [id, content] of yield* contents.visible(kind, member, ids)) visibleContents.set(id, content)
        }
        return { owners, members, seen: visibleContents }
      })

      const presentAll = Effect.fnUntraced(function* <Kind extends PlacementKind>(
        kind: Kind,
        integration: IntegrationRow,
        rows: ReadonlyArray<PlacementRow>,
        extended: boolean
      ) {
        const { owners, members, seen } = yield* relatedRows(kind, rows)
        const actor = yield* CurrentActor
        return yield* Effect.forEach(rows, (row, i) => {
          const content = seen.get(row.content)
          // Administrators of the content and the program itself see the configuration.
          const withConfiguration =
            (actor.type === "integration" && actor.integration === row.integration) ||
            (actor.type === "installation" && actor.installation === row.installation) ||
            members.get(row.organization)?.admin === true ||
            (typeof content === "object" && content.permissions.admin)
          return Effect.map(
            presenter.placement(integration, owners[i] ?? { paused: false }, row, withConfiguration),
            (presentedPlacement) =>
              ({
                object: `integration-${kind}-installation`,
                ...presentedPlacement,
                [kind]: extended && content !== undefined ? content : row.content
              }) as unknown as Placement<Kind>
          )
        })
      })

      const pageOf = Effect.fnUntraced(function* <Kind extends PlacementKind>(
        kind: Kind,
        integration: IntegrationRow,
        where: Condition<typeof PlacementTable>,
        seesAll: boolean,
        { extended = false, ...params }: PageParams & Extended
      ) {
        const list = `placements ${JSON.stringify(where)}`
        const query = { where, order: ["createdAt"] as const }
        if (seesAll) {
          const page = yield* paging.rows(PlacementTable, list, query, params)
          return { ...page, items: yield* presentAll(kind, integration, page.items, extended) }
        }
        const rows = yield* placements.list(query)
        const { members, seen } = yield* relatedRows(kind, rows)
        const visibleRows = rows.filter((row) => members.get(row.organization)?.admin === true || seen.has(row.content))
        const id = ({ installation, content }: PlacementRow) => `${installation} ${content}`
        const page = yield* paging.inOrder(visibleRows, list, id, params)
        return { ...page, items: yield* presentAll(kind, integration, page.items, extended) }
      })

      /** Returns true if the actor sees all placements, on any content. */
      const seesAllPlacements = ({ seesAll, configures }: VisibleInstallation) => seesAll || configures

      /** Returns the stored or implied placement; undefined if the installation does not cover the content. */
      const find = Effect.fnUntraced(function* (installation: InstallationRow, kind: PlacementKind, content: string) {
        const { id, spaceSelection, siteSelection } = installation
        const row = yield* placements.get({ installation: id, kind, content })
        if (row !== undefined) return { row, isStored: true }
        if ((kind === "space" ? spaceSelection : siteSelection) === "selected") return undefined
        return { row: impliedPlacement(installation, kind, content), isStored: false }
      })

      const require = Effect.fnUntraced(function* (
        name: string,
        id: InstallationId,
        kind: PlacementKind,
        content: string,
        action: "see" | "place integrations"
      ) {
        const visibleInstallation = yield* policy.requireInstallation(name, id, "see this installation")
        const organization = visibleInstallation.installation.organization as OrganizationId
        const placement = yield* find(visibleInstallation.installation, kind, content)
        // The publisher sees where its integration is installed, and nothing else of the content. The program changes
        // its configuration only on contents that the installation covers already.
        const isProgram = visibleInstallation.configures && visibleInstallation.installer === undefined
        if (action === "see" ? !seesAllPlacements(visibleInstallation) : !(isProgram && placement !== undefined)) {
          yield* contents.require(kind, organization, content, action)
        }
        const notFoundError = () =>
          new PlacementNotFound({ message: `The integration is not installed on this ${kind}` })
        return { ...visibleInstallation, found: placement, absent: notFoundError }
      })

      const presentOne = Effect.fnUntraced(function* <Kind extends PlacementKind>(
        kind: Kind,
        integration: IntegrationRow,
        row: PlacementRow,
        options?: Extended
      ) {
        return (yield* presentAll(kind, integration, [row], options?.extended === true))[0]!
      })

      /**
       * Notifies a program that it is placed, or that its configuration changed. Changes made by the program itself are
       * not reported.
       */
      const notifySetup = Effect.fnUntraced(function* (
        integration: IntegrationRow,
        installation: InstallationRow,
        row: PlacementRow,
        previousRow?: PlacementRow
      ) {
        const { type } = yield* CurrentActor
        if (type === "integration" || type === "installation") return
        const { kind, content } = row
        const details = {
          installationId: installation.id,
          status: yield* configurations.placementStatus(integration, installation, kind, row),
          ...(previousRow && {
            previous: {
              status: yield* configurations.placementStatus(integration, installation, kind, previousRow),
              configuration: yield* configurations.configurationOf(previousRow)
            }
          })
        }
        yield* queue.add(
          { integration, installation, content: { kind, id: content } },
          kind === "space"
            ? { type: "space_installation_setup", spaceId: content, ...details }
            : { type: "site_installation_setup", siteId: content, ...details }
        )
      })

      const emit = (
        type: "placement_created" | "placement_updated",
        { organization, integration, installation, kind, content }: PlacementRow
      ) =>
        events.emit(
          { type, organization, integration, installation, content: { kind, id: content } },
          { label: integration }
        )

      return Placements.of({
        ...(yield* makePlacedIntegrations),
        list: Effect.fn("Placements.list")(function* (kind, name, { externalId, ...params }) {
          const visibleIntegration = yield* policy.require(name, "see this integration")
          const { integration } = visibleIntegration
          const where = yield* policy.narrowToVisible(visibleIntegration, {
            integration: integration.key,
            kind,
            ...(externalId !== undefined && { externalIds: { any: [externalId] } })
          })
          return yield* pageOf(kind, integration, where, visibleIntegration.seesAll, params)
        }),

        listOf: Effect.fn("Placements.listOf")(function* (kind, name, id, params) {
          const visibleInstallation = yield* policy.requireInstallation(name, id, "see this installation")
          return yield* pageOf(
            kind,
            visibleInstallation.integration,
            { installation: id, kind },
            seesAllPlacements(visibleInstallation),
            params
          )
        }),

        get: Effect.fn("Placements.get")(function* (kind, name, id, content, options) {
          const { integration, found, absent } = yield* require(name, id, kind, content, "see")
          return found === undefined ? yield* absent() : yield* presentOne(kind, integration, found.row, options)
        }),

        create: Effect.fn("Placements.place")(function* (kind, name, id, content, options) {
          return yield* storage.transaction(
            Effect.gen(function* () {
              const visibleInstallation = yield* require(name, id, kind, content, "place integrations")
              const { integration, installation, found } = visibleInstallation
              const { target } = integration.manifest
              if (target !== "all" && target !== kind) {
                return yield* new UnsuitableTarget({
                  message: `The integration ${integration.name} does not work on a ${kind}`
                })
              }
              if (found?.isStored === true) return yield* presentOne(kind, integration, found.row, options)
              if ((yield* placements.count({ installation: id, kind })) >= maxPlacements) {
                return yield* new TooManyInstallations({
                  message: `An installation is placed on at most ${maxPlacements.toLocaleString("en")} ${kind}s`
                })
              }
              const row = impliedPlacement({ ...installation, createdAt: yield* Timestamps.now }, kind, content)
              yield* placements.insert(row).pipe(cannotConflict)
              yield* emit("placement_created", row)
              yield* notifySetup(integration, installation, row)
              return yield* presentOne(kind, integration, row, options)
            })
          )
        }),

        update: Effect.fn("Placements.update")(function* (kind, name, id, content, rawInput, options) {
          const patch = yield* acceptPatch(rawInput)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const visibleInstallation = yield* require(name, id, kind, content, "place integrations")
              const { integration, installation, found, absent } = visibleInstallation
              if (found === undefined) return yield* absent()
              const declaredConfiguration = integration.manifest.configurations?.[kind]
              const issues = InstallationConfiguration.problemsOf(patch.configuration ?? {}, declaredConfiguration)
              if (issues.length > 0) return yield* new InvalidInput({ issues })
              const { configuration, externalIds } = patch
              const key = { installation: id, kind, content }
              const changes = {
                ...(externalIds !== undefined && { externalIds }),
                ...(configuration !== undefined &&
                  (yield* configurations.isChanged(found.row, configuration)) &&
                  (yield* configurations.forPlacement(key, configuration)))
              }
              if (!hasChanges(found.row, changes)) return yield* presentOne(kind, integration, found.row, options)
              const rowPatch = { ...changes, updatedAt: yield* Timestamps.now }
              const row = applyPatch(PlacementTable, found.row, rowPatch)
              yield* (found.isStored ? placements.update(key, rowPatch) : placements.insert(row)).pipe(cannotConflict)
              yield* emit("placement_updated", row)
              yield* notifySetup(integration, installation, row, found.row)
              return yield* presentOne(kind, integration, row, options)
            })
          )
        }),

        remove: Effect.fn("Placements.remove")(function* (kind, name, id, content) {
          yield* storage
            .transaction(
              Effect.gen(function* () {
                const visibleInstallation = yield* require(name, id, kind, content, "place integrations")
                const { integration, installation, found } = visibleInstallation
                if (found?.isStored === true) yield* removal.removePlacement(integration, installation, found.row)
              })
            )
            .pipe(Effect.catchTag(["SpaceNotFound", "SiteNotFound"], () => Effect.void))
        })
      })
    })
  )
}
