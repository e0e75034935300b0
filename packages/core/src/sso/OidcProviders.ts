/** Lists, creates, changes and deletes the OpenID Connect providers of an organization, for its administrators. */
import { Context, Effect, Layer } from "effect"
import type { Membership } from "../access/Access.ts"
import { changesOf } from "../audit/Changes.ts"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import { Events } from "../event/Events.ts"
import { Ids } from "../identity/Ids.ts"
import { PublicUrl } from "../identity/PublicUrl.ts"
import { Secrets } from "../identity/Secrets.ts"
import type { OrganizationId, OrganizationNotFound } from "../organization/Organization.ts"
import { accepting, InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { PageParams } from "../storage/PageParams.ts"
import { type InvalidCursor, type ListPage, Paging } from "../paging/Paging.ts"
import { cannotConflict, hasChanges, type Patch, Storage, type StorageError } from "../storage/Storage.ts"
import { TeamTable } from "../team/Team.ts"
import { OidcProtocol } from "./OidcProtocol.ts"
import {
  type OidcGroup,
  type OidcProvider,
  OidcProviderCreate,
  OidcProviderNotFound,
  OidcProviderPatch,
  type OidcProviderRow,
  OidcProviderTable,
  TooManyOidcProviders
} from "./OidcProvider.ts"
import { presentOidcProvider } from "./OidcProviderPresenter.ts"
import { type InvalidDefaultTeam, maxProviders, SignOnProviderId } from "./SignOnProvider.ts"
import { makeSignOnProviders } from "./SignOnProviders.ts"

const acceptCreate = accepting(OidcProviderCreate)
const acceptPatch = accepting(OidcProviderPatch)

type Failure = OrganizationNotFound | Forbidden | StorageError

/** Fields of a provider that the audit log records. The payload states whether the client secret changed. */
const auditedFields = [
  "label",
  "issuer",
  "clientID",
  "scopes",
  "emailDomains",
  "emailVerifiedClaim",
  "groupsClaim",
  "groups",
  "defaultRole",
  "defaultTeam"
] as const

export class OidcProviders extends Context.Service<
  OidcProviders,
  {
    /**
     * Lists the OpenID Connect providers of an organization, oldest first.
     *
     * @throws {Forbidden}
     * @throws {InvalidCursor}
     * @throws {OrganizationNotFound}
     */
    readonly list: (
      organization: OrganizationId,
      params: PageParams
    ) => Effect.Effect<ListPage<OidcProvider>, Failure | InvalidCursor, CurrentActor>
    /**
     * Returns an OpenID Connect provider of the organization to its administrators.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {OidcProviderNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      id: string
    ) => Effect.Effect<OidcProvider, Failure | OidcProviderNotFound, CurrentActor>
    /**
     * Adds an OpenID Connect provider to an organization, for its administrators.
     *
     * @throws {Forbidden}
     * @throws {InvalidDefaultTeam} For a team of another organization.
     * @throws {InvalidInput}
     * @throws {OrganizationNotFound}
     * @throws {TooManyOidcProviders} If the organization has the maximum.
     */
    readonly create: (
      organization: OrganizationId,
      input: OidcProviderCreate
    ) => Effect.Effect<OidcProvider, Failure | InvalidInput | InvalidDefaultTeam | TooManyOidcProviders, CurrentActor>
    /**
     * Changes a provider. A new issuer or client id ends all sessions of the provider. A new issuer removes the client
     * secret, unless the patch contains one.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {InvalidDefaultTeam}
     * @throws {InvalidInput}
     * @throws {OidcProviderNotFound}
     * @throws {OrganizationNotFound}
     */
    readonly update: (
      organization: OrganizationId,
      id: string,
      patch: OidcProviderPatch
    ) => Effect.Effect<OidcProvider, Failure | InvalidInput | InvalidDefaultTeam | OidcProviderNotFound, CurrentActor>
    /**
     * Deletes a provider and ends its sessions. Succeeds if it does not exist.
     *
     * @param id Id of the provider.
     * @throws {Forbidden}
     * @throws {OrganizationNotFound}
     */
    readonly remove: (organization: OrganizationId, id: string) => Effect.Effect<void, Failure, CurrentActor>
  }
>()("@lectern/core/sso/OidcProviders") {
  static readonly layer = Layer.effect(
    OidcProviders,
    Effect.gen(function* () {
      const storage = yield* Storage
      const protocol = yield* OidcProtocol
      const ids = yield* Ids
      const events = yield* Events
      const paging = yield* Paging
      const secrets = yield* Secrets
      const publicUrl = yield* PublicUrl
      const { present, requireAdministrator, requireTeam } = yield* makeSignOnProviders
      const providers = storage.repository(OidcProviderTable)
      const teams = storage.repository(TeamTable)

      const find = Effect.fnUntraced(function* (organization: OrganizationId, id: string) {
        const row = yield* providers.get({ id: SignOnProviderId.make(id) })
        if (row?.organization === organization) return row
        return yield* new OidcProviderNotFound({
          message: `There is no OpenID Connect provider ${id.slice(0, 50)} in this organization`
        })
      })

      /** Rejects an issuer that this server does not send requests to, as far as the URL shows. */
      const acceptIssuer = Effect.fnUntraced(function* (
        organization: OrganizationId,
        issuer: string | null | undefined
      ) {
        if (!issuer) return
        yield* requireAdministrator(organization)
        const problem = yield* protocol.problemOf(issuer)
        if (problem !== undefined) {
          return yield* new InvalidInput({ issues: [{ path: "body.issuer", message: problem }] })
        }
      })

      /** Rejects groups with a new team that is not a team of the organization. Known teams may have been deleted. */
      const requireGroupTeams = Effect.fnUntraced(function* (
        organization: OrganizationId,
        groups: ReadonlyArray<OidcGroup> | null | undefined,
        before: ReadonlyArray<OidcGroup> = []
      ) {
        const known = new Set(before.flatMap(({ teams = [] }) => teams))
        const named = (groups ?? []).flatMap(({ teams = [] }, i) =>
          teams.flatMap((id, j) => (known.has(id) ? [] : [{ id, path: `body.groups[${i}].teams[${j}]` }]))
        )
        const rows = yield* teams.getMany(named.map(({ id }) => ({ id })))
        const issues = named.flatMap(({ path }, i) =>
          rows[i]?.organization === organization ? [] : [{ path, message: "Expected a team of the organization" }]
        )
        if (issues.length > 0) return yield* new InvalidInput({ issues: issues.slice(0, 20) })
      })

      const presentRows = (rows: ReadonlyArray<OidcProviderRow>, member: Membership) =>
        present(rows, member, (row, team) => presentOidcProvider(publicUrl, row, team))

      const presentOne = (row: OidcProviderRow, member: Membership) =>
        Effect.map(presentRows([row], member), ([provider]) => provider!)

      const seal = (id: SignOnProviderId, secret: string) =>
        secrets.seal(OidcProviderTable, { id }, "clientSecret", secret)

      return OidcProviders.of({
        list: Effect.fn("OidcProviders.list")(function* (organization, params) {
          const member = yield* requireAdministrator(organization)
          const query = { where: { organization }, order: ["createdAt"] as const }
          const page = yield* paging.rows(OidcProviderTable, `oidc providers of ${organization}`, query, params)
          return { ...page, items: yield* presentRows(page.items, member) }
        }),

        get: Effect.fn("OidcProviders.get")(function* (organization, id) {
          const member = yield* requireAdministrator(organization)
          return yield* presentOne(yield* find(organization, id), member)
        }),

        create: Effect.fn("OidcProviders.create")(function* (organization, rawInput) {
          const { clientSecret, ...input } = yield* acceptCreate(rawInput)
          yield* acceptIssuer(organization, input.issuer)
          const id = SignOnProviderId.make(yield* ids.next)
          const sealedSecret = clientSecret === undefined ? undefined : yield* seal(id, clientSecret)
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* requireAdministrator(organization)
              yield* requireTeam(organization, input.defaultTeam)
              yield* requireGroupTeams(organization, input.groups)
              if ((yield* providers.count({ organization })) >= maxProviders) {
                return yield* new TooManyOidcProviders({
                  message: `An organization has at most ${maxProviders} OpenID Connect providers`
                })
              }
              const row: OidcProviderRow = {
                ...input,
                ...(sealedSecret !== undefined && { clientSecret: sealedSecret }),
                id,
                organization,
                defaultRole:
                  input.defaultRole === undefined ? member.facts.organization.defaultRole : input.defaultRole,
                trust: yield* ids.next,
                createdAt: yield* Timestamps.now
              }
              yield* providers.insert(row).pipe(cannotConflict)
              yield* events.emit(
                { type: "oidc_provider_created", organization, provider: id },
                { label: row.label, changes: changesOf({} as OidcProviderRow, row, auditedFields) }
              )
              return yield* presentOne(row, member)
            })
          )
        }),

        update: Effect.fn("OidcProviders.update")(function* (organization, id, rawInput) {
          const { clientSecret, label, defaultRole, ...otherFields } = yield* acceptPatch(rawInput)
          yield* acceptIssuer(organization, otherFields.issuer)
          const providerId = SignOnProviderId.make(id)
          const sealedSecret = typeof clientSecret === "string" ? yield* seal(providerId, clientSecret) : undefined
          const optionalFields = Object.fromEntries(
            Object.entries(otherFields).map(([field, value]) => [field, value ?? undefined])
          ) as Patch<OidcProviderRow>
          return yield* storage.transaction(
            Effect.gen(function* () {
              const member = yield* requireAdministrator(organization)
              const before = yield* find(organization, id)
              yield* requireTeam(organization, otherFields.defaultTeam)
              yield* requireGroupTeams(organization, otherFields.groups, before.groups)
              const currentSecret = yield* secrets.open(OidcProviderTable, before, "clientSecret")
              const isIssuerChanged =
                otherFields.issuer !== undefined && (otherFields.issuer ?? undefined) !== before.issuer
              // A secret is only sent to the issuer that it was entered for.
              const nextSecret = clientSecret === undefined && !isIssuerChanged ? currentSecret : clientSecret
              const isSecretChanged = (nextSecret ?? undefined) !== currentSecret
              const isTrustChanged =
                isIssuerChanged ||
                (otherFields.clientID !== undefined && (otherFields.clientID ?? undefined) !== before.clientID)
              const changedFields: Patch<OidcProviderRow> = {
                ...optionalFields,
                ...(label !== undefined && { label }),
                ...(defaultRole !== undefined && { defaultRole }),
                ...(isSecretChanged && { clientSecret: sealedSecret }),
                ...(isTrustChanged && { trust: yield* ids.next })
              }
              if (!hasChanges(before, changedFields)) return yield* presentOne(before, member)
              yield* providers.update({ id: before.id }, changedFields)
              const updatedRow = yield* find(organization, id)
              yield* events.emit(
                { type: "oidc_provider_updated", organization, provider: before.id },
                {
                  label: updatedRow.label,
                  changes: changesOf(before, updatedRow, auditedFields),
                  ...(isSecretChanged && { payload: { clientSecret: "changed" } })
                }
              )
              return yield* presentOne(updatedRow, member)
            })
          )
        }),

        remove: Effect.fn("OidcProviders.remove")(function* (organization, id) {
          yield* storage.transaction(
            Effect.gen(function* () {
              yield* requireAdministrator(organization)
              const provider = SignOnProviderId.make(id)
              const row = yield* providers.get({ id: provider })
              if (row?.organization !== organization) return
              yield* providers.remove({ id: provider })
              yield* events.emit({ type: "oidc_provider_deleted", organization, provider }, { label: row.label })
            })
          )
        })
      })
    })
  )
}
