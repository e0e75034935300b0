/** Reads and replaces the schema of visitor claims of a site. */
import { Context, Effect, Layer } from "effect"
import type { CurrentActor } from "../access/Actor.ts"
import type { Forbidden } from "../access/Forbidden.ts"
import type { OrganizationId } from "../organization/Organization.ts"
import { accepting, type InvalidInput } from "../schema/Input.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SiteId, SiteNotFound, SiteRow } from "../site/Site.ts"
import { makeSiteChanges } from "../site/SiteChanges.ts"
import { SitePolicy } from "../site/SitePolicy.ts"
import { SiteStore } from "../site/store/SiteStore.ts"
import { cannotConflict, Storage, type StorageError } from "../storage/Storage.ts"
import { emptySchema } from "./AdaptiveSchema.ts"
import {
  AdaptiveSchemaPut,
  type AdaptiveSchemaRow,
  AdaptiveSchemaTable,
  type SiteAdaptiveSchema
} from "./SiteAdaptiveSchema.ts"
import { type TemplateCondition, templateConditions } from "./TemplateConditions.ts"

const accept = accepting(AdaptiveSchemaPut)

type Failure = SiteNotFound | Forbidden | StorageError

export class AdaptiveSchemas extends Context.Service<
  AdaptiveSchemas,
  {
    /**
     * Returns the JSON schema of a site's visitor claims.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly get: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<SiteAdaptiveSchema, Failure, CurrentActor>
    /**
     * Replaces the JSON schema of a site's visitor claims.
     *
     * @throws {Forbidden}
     * @throws {InvalidInput}
     * @throws {SiteNotFound}
     */
    readonly put: (
      organization: OrganizationId,
      site: SiteId,
      input: AdaptiveSchemaPut
    ) => Effect.Effect<SiteAdaptiveSchema, Failure | InvalidInput, CurrentActor>
    /**
     * Returns ready-made conditions on the claims of the schema.
     *
     * @throws {Forbidden}
     * @throws {SiteNotFound}
     */
    readonly templateConditions: (
      organization: OrganizationId,
      site: SiteId
    ) => Effect.Effect<{ readonly items: ReadonlyArray<TemplateCondition> }, Failure, CurrentActor>
  }
>()("@lectern/core/adaptive/AdaptiveSchemas") {
  static readonly layer = Layer.effect(
    AdaptiveSchemas,
    Effect.gen(function* () {
      const policy = yield* SitePolicy
      const store = yield* SiteStore
      const changes = yield* makeSiteChanges
      const schemas = (yield* Storage).repository(AdaptiveSchemaTable)

      const present = (site: SiteRow, row: AdaptiveSchemaRow | undefined): SiteAdaptiveSchema => ({
        object: "site-adaptive-schema",
        jsonSchema: row?.jsonSchema ?? emptySchema,
        updatedAt: row?.updatedAt ?? site.createdAt
      })

      return AdaptiveSchemas.of({
        get: Effect.fn("AdaptiveSchemas.get")(function* (organization, id) {
          const { site, adaptiveSchema } = yield* policy.require(
            organization,
            id,
            "see the adaptive schema of this site"
          )
          return present(site, adaptiveSchema)
        }),

        put: Effect.fn("AdaptiveSchemas.put")(function* (organization, id, rawInput) {
          const { jsonSchema } = yield* accept(rawInput)
          const row = { site: id, jsonSchema, updatedAt: yield* Timestamps.now }
          return yield* changes.settings(
            organization,
            id,
            "change the adaptive schema of this site",
            Effect.fnUntraced(function* ({ site }) {
              // The first schema enables adaptive content, unless it was disabled explicitly.
              if (site.adaptiveContent === undefined) yield* store.update(site, { adaptiveContent: { enabled: true } })
              yield* schemas.remove({ site: id })
              yield* schemas.insert(row).pipe(cannotConflict)
              yield* store.audienceChanged(id)
              return present(site, row)
            })
          )
        }),

        templateConditions: Effect.fn("AdaptiveSchemas.templateConditions")(function* (organization, id) {
          const { adaptiveSchema } = yield* policy.require(organization, id, "see the adaptive schema of this site")
          return { items: templateConditions(adaptiveSchema?.jsonSchema ?? emptySchema) }
        })
      })
    })
  )
}
