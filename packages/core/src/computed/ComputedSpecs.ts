/**
 * Current specs of computed pages, as visible to an actor: members of the organization see all of them, visitors of a
 * site only public ones. Invisible specs count as missing.
 *
 * Versions are immutable, so the most recently read ones are cached (default: 32 MiB of text).
 */
import { Context, Effect, Layer } from "effect"
import { Access } from "../access/Access.ts"
import { CurrentActor } from "../access/Actor.ts"
import { LruCache } from "../storage/LruCache.ts"
import { OpenApiSpecTable, type OpenApiSpecRow } from "../openapi/OpenApiSpec.ts"
import { type OpenApiVersionRow, OpenApiVersionTable } from "../openapi/OpenApiVersion.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { BlobStore } from "../storage/BlobStore.ts"
import { Hasher } from "../storage/Hasher.ts"
import { Storage, StorageError } from "../storage/Storage.ts"
import * as SpecJson from "../openapi/SpecJson.ts"
import { Threads } from "../thread/Threads.ts"
import * as SpecParser from "./SpecParser.ts"

/** Version of a spec to build from, or the reason for a missing one. */
export type SpecState =
  | { readonly state: "ready"; readonly version: OpenApiVersionRow }
  /** The spec was never processed successfully. */
  | { readonly state: "empty" }
  /** The spec does not exist, or the actor may not see it. */
  | { readonly state: "missing" }

/** Current specs by name. */
export interface Specs {
  /** Hash of the names and of the versions that the actor sees. Part of the keys of caches. */
  readonly key: string
  readonly names: ReadonlyArray<string>
  readonly stateOf: (spec: string) => SpecState
}

/** Returns true if a spec is visible. Public specs are visible to everyone. */
export type VisibleSpec = (spec: OpenApiSpecRow) => boolean

/** Size of the cache of parsed specs, in bytes of their text. */
const specCacheSize = 32 * 1024 * 1024

export class ComputedSpecs extends Context.Service<
  ComputedSpecs,
  {
    /** Returns a predicate for the specs of an organization that the actor may see. */
    readonly visibilityFor: (organization: OrganizationId) => Effect.Effect<VisibleSpec, StorageError, CurrentActor>
    /** Returns specs of an organization by slug or id. */
    readonly findRows: (
      organization: OrganizationId,
      names: ReadonlyArray<string>
    ) => Effect.Effect<ReadonlyMap<string, OpenApiSpecRow>, StorageError>
    readonly find: (
      organization: OrganizationId,
      names: ReadonlyArray<string>,
      isVisible: VisibleSpec
    ) => Effect.Effect<Specs, StorageError>
    readonly read: (version: OpenApiVersionRow) => Effect.Effect<SpecParser.Spec, StorageError>
  }
>()("@lectern/core/computed/ComputedSpecs") {
  static readonly layer = Layer.effect(
    ComputedSpecs,
    Effect.gen(function* () {
      const access = yield* Access
      const blobs = yield* BlobStore
      const hasher = yield* Hasher
      const storage = yield* Storage
      const threads = yield* Threads
      const specs = storage.repository(OpenApiSpecTable)
      const versions = storage.repository(OpenApiVersionTable)
      const specCache = new LruCache<string, SpecParser.Spec>(specCacheSize)

      const findRows = Effect.fnUntraced(function* (organization: OrganizationId, names: ReadonlyArray<string>) {
        const slugs = new Map<string, OpenApiSpecRow>()
        if (names.length === 0) return slugs
        for (const spec of yield* specs.list({ where: { organization, slug: { in: names } } }))
          slugs.set(spec.slug, spec)
        const idsOrSlugs = names.filter((name) => !slugs.has(name)) as Array<OpenApiSpecRow["id"]>
        const byId = idsOrSlugs.length === 0 ? [] : yield* specs.getMany(idsOrSlugs.map((id) => ({ id })))
        for (const spec of byId) if (spec?.organization === organization) slugs.set(spec.id, spec)
        return slugs
      })

      const find = Effect.fnUntraced(function* (
        organization: OrganizationId,
        names: ReadonlyArray<string>,
        isVisible: VisibleSpec
      ) {
        const slugs = yield* findRows(organization, names)
        const last = [...slugs.values()].flatMap(({ lastVersion }) => (lastVersion === undefined ? [] : [lastVersion]))
        const rows = yield* versions.getMany(last.map((id) => ({ id })))
        const byVersion = new Map(rows.flatMap((row) => (row === undefined ? [] : [[row.id, row] as const])))
        const states = new Map<string, SpecState>()
        for (const name of names) {
          const spec = slugs.get(name)
          const version = spec?.lastVersion === undefined ? undefined : byVersion.get(spec.lastVersion)
          if (spec === undefined || !isVisible(spec)) states.set(name, { state: "missing" })
          else states.set(name, version === undefined ? { state: "empty" } : { state: "ready", version })
        }
        const text = names.map((name) => {
          const state = states.get(name)!
          return [name, state.state === "ready" ? state.version.id : state.state]
        })
        return {
          key: hasher.sha256(JSON.stringify(text)).slice(0, 22),
          names,
          stateOf: (spec) => states.get(spec) ?? { state: "missing" }
        } satisfies Specs
      })

      return ComputedSpecs.of({
        findRows,
        find,

        visibilityFor: (organization) =>
          Effect.map(access.membership(organization), (member) => (member === undefined ? isPublic : () => true)),

        read: Effect.fnUntraced(function* ({ document }) {
          const cached = specCache.get(document)
          if (cached !== undefined) return cached
          const bytes = yield* blobs.get(document)
          if (bytes === undefined) {
            return yield* new StorageError({ reason: "failed", message: `Blob ${document} is missing` })
          }
          // `TooCostly` becomes a defect here. The caller of the whole computation handles it.
          const value = yield* Effect.catchTag(SpecJson.parseInSlices(threads, bytes), "TooCostly", Effect.die)
          yield* Effect.yieldNow
          const spec = SpecParser.read(SpecParser.fieldsOf(value))
          specCache.set(document, spec, bytes.length)
          return spec
        })
      })
    })
  )
}

export const isPublic: VisibleSpec = ({ visibility }) => visibility === "public"
