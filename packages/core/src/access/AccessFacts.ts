/**
 * What decides about access, kept in memory: tokens, and for each organization its members, teams,
 * grants and collections. A hot request therefore reads nothing to know who asks and what it may.
 *
 * Facts are right within the commit that changes them, for every process on the same data. Whoever
 * writes one of them calls `changed` in the same transaction, which gives the facts a new version;
 * a version is looked up again whenever anything was committed since it was last seen (see
 * `Storage.generation`), and always inside a transaction, where nothing may be taken for granted.
 *
 * Limits: 10,000 tokens and the facts of 1,000 organizations are kept, those used last.
 */
import { Context, Effect, Layer, Schema } from "effect"
import { type CollectionId, CollectionTable } from "../collection/Collection.ts"
import { Lru } from "../content/Lru.ts"
import { Ids } from "../identity/Ids.ts"
import { type MemberRow, MemberTable } from "../organization/Member.ts"
import { type OrganizationId, type OrganizationRow, OrganizationTable } from "../organization/Organization.ts"
import { Storage, type StorageError } from "../storage/Storage.ts"
import * as Table from "../storage/Table.ts"
import { TeamMemberTable } from "../team/TeamMember.ts"
import { type GrantRow, GrantTable } from "./Grant.ts"
import type { DefaultLevel } from "./Role.ts"
import { type TokenRow, TokenTable } from "./Token.ts"

const keptTokens = 10_000
const keptOrganizations = 1_000

/** The version of the facts of one organization, or of all tokens. */
const VersionRow = Schema.Struct({ scope: Schema.String, version: Schema.String })
const VersionTable = Table.make("accessVersion", VersionRow, { key: ["scope"] })

const tokensScope = "tokens"

export interface OrganizationFacts {
  readonly organization: OrganizationRow
  readonly members: ReadonlyMap<string, MemberRow>
  /** The teams of a user. */
  readonly teams: ReadonlyMap<string, ReadonlySet<string>>
  /** The grants on a piece of content. */
  readonly grants: ReadonlyMap<string, ReadonlyArray<GrantRow>>
  readonly collections: ReadonlyMap<
    string,
    { readonly id: CollectionId; readonly parent: CollectionId | undefined; readonly defaultLevel: DefaultLevel }
  >
}

interface Kept<A> {
  readonly version: string
  readonly value: A
  /** The generation in which the version was last looked up. */
  seen: number | undefined
}

export class AccessFacts extends Context.Service<
  AccessFacts,
  {
    /** The token with this hash. */
    readonly token: (hash: string) => Effect.Effect<TokenRow | undefined, StorageError>
    readonly organization: (id: OrganizationId) => Effect.Effect<OrganizationFacts | undefined, StorageError>
    /** The facts of an organization are about to change, in this transaction. */
    readonly changed: (organization: OrganizationId) => Effect.Effect<void, StorageError>
    /** Likewise those of tokens. A new token is no change: what is not there is never kept. */
    readonly tokensChanged: Effect.Effect<void, StorageError>
  }
>()("@lectern/core/access/AccessFacts") {
  static readonly layer = Layer.effect(
    AccessFacts,
    Effect.gen(function* () {
      const storage = yield* Storage
      const ids = yield* Ids
      const versions = storage.repository(VersionTable)
      const tokens = storage.repository(TokenTable)
      const organizations = storage.repository(OrganizationTable)
      const members = storage.repository(MemberTable)
      const teamMembers = storage.repository(TeamMemberTable)
      const grants = storage.repository(GrantTable)
      const collections = storage.repository(CollectionTable)

      /** Nobody has changed these facts yet. */
      const initial = "initial"

      const bump = Effect.fnUntraced(
        function* (scope: string) {
          const version = yield* ids.next
          if ((yield* versions.update({ scope }, { version })) > 0) return
          yield* versions.insert({ scope, version })
        },
        Effect.catchTag("UniqueConflict", Effect.die)
      )

      /** What is kept under the key, if its version is still the scope's; else what is loaded now. */
      const current = <A>(
        kept: Lru<string, Kept<A>>,
        key: string,
        scope: string,
        load: Effect.Effect<A | undefined, StorageError>
      ): Effect.Effect<A | undefined, StorageError> =>
        Effect.flatMap(storage.generation, (generation) => {
          const known = kept.get(key)
          if (known !== undefined && generation !== undefined && known.seen === generation) {
            return Effect.succeed(known.value)
          }
          return Effect.gen(function* () {
            const version = (yield* versions.get({ scope }))?.version ?? initial
            if (known !== undefined && known.version === version) {
              known.seen = generation
              return known.value
            }
            const value = yield* load
            // What a transaction sees is kept once it is committed: rolled back, it has never been.
            yield* storage.afterCommit(
              Effect.sync(() => {
                if (value === undefined) kept.delete(key)
                else kept.set(key, { version, value, seen: generation }, 1)
              })
            )
            return value
          })
        })

      const loadOrganization = Effect.fnUntraced(function* (id: OrganizationId) {
        const organization = yield* organizations.get({ id })
        if (organization === undefined) return undefined
        const where = { organization: id }
        const facts: OrganizationFacts = {
          organization,
          members: new Map((yield* members.list({ where })).map((row) => [row.user, row])),
          teams: groupedSets(
            yield* teamMembers.list({ where }),
            (row) => row.user,
            (row) => row.team
          ),
          grants: Map.groupBy(yield* grants.list({ where }), (row) => row.content),
          collections: new Map(
            (yield* collections.list({ where })).map((row) => [
              row.id,
              { id: row.id, parent: row.parent, defaultLevel: row.defaultLevel }
            ])
          )
        }
        return facts
      })

      const keptTokenRows = new Lru<string, Kept<TokenRow>>(keptTokens)
      const keptFacts = new Lru<string, Kept<OrganizationFacts>>(keptOrganizations)

      return AccessFacts.of({
        token: (hash) => current(keptTokenRows, hash, tokensScope, tokens.get({ hash })),
        organization: (id) => current(keptFacts, id, id, loadOrganization(id)),
        changed: bump,
        tokensChanged: bump(tokensScope)
      })
    })
  )
}

const groupedSets = <A>(rows: ReadonlyArray<A>, key: (row: A) => string, value: (row: A) => string) => {
  const sets = new Map<string, Set<string>>()
  for (const row of rows) {
    const set = sets.get(key(row)) ?? new Set()
    sets.set(key(row), set.add(value(row)))
  }
  return sets
}
