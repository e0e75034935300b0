/**
 * Finds the content sources of integrations that exist for a space, and calls them. A source exists if its integration
 * is installed and active on the space.
 *
 * The response of a source depends on its props, the program and its configuration, and the dependencies. `state` is a
 * hash of them. It includes the time of the last change of the installation, so any change causes new calls.
 */
import { Effect } from "effect"
import type { IntegrationSource } from "./ComputedSource.ts"
import { type DependencyValues, makeSourceDependencies } from "./SourceDependencies.ts"
import * as Timestamps from "../schema/Timestamps.ts"
import type { SpaceRow } from "../space/Space.ts"
import { Hasher } from "../storage/Hasher.ts"
import type { RunTarget } from "../integration/IntegrationEnvironments.ts"
import { type IntegrationKey, keyOf } from "../integration/Integration.ts"
import { IntegrationRuns } from "../integration/IntegrationRuns.ts"
import { statusFailure, type RunResponse, type RunFailed } from "../integration/IntegrationRuntime.ts"
import { ActiveIntegrations, type ActiveIntegration } from "../integration/ActiveIntegrations.ts"

/** A content source in its current state. */
export interface ContentSource {
  readonly setting: RunTarget
  readonly id: string
  readonly state: string
  readonly props: IntegrationSource["props"]
  readonly dependencies: DependencyValues
}

/** Active integrations by key. */
export type ActiveByKey = ReadonlyMap<IntegrationKey, ActiveIntegration>

export const makeContentSources = Effect.gen(function* () {
  const integrations = yield* ActiveIntegrations
  const runs = yield* IntegrationRuns
  const dependencies = yield* makeSourceDependencies
  const hasher = yield* Hasher

  return {
    /** True if a runtime is available. */
    isAvailable: runs.isAvailable,

    /** Returns the active integrations of a space. */
    activeFor: ({ organization, id }: SpaceRow) =>
      Effect.map(
        integrations.list(organization, "space", id),
        (all) => new Map(all.map((active) => [active.integration.key, active]))
      ),

    /** Returns each source; undefined for sources that do not exist. */
    find: Effect.fnUntraced(function* (
      space: SpaceRow,
      activeByKey: ActiveByKey,
      sources: ReadonlyArray<IntegrationSource>
    ) {
      if (activeByKey.size === 0) return sources.map(() => undefined)
      const values = yield* dependencies.values(space.organization, sources)
      const now = yield* Timestamps.now
      return sources.map(({ type, props }, i): ContentSource | undefined => {
        const [, name = "", id = ""] = type.split(":")
        const active = activeByKey.get(keyOf(name))
        if (active?.integration.manifest.contentSources?.some((source) => source.id === id) !== true) return undefined
        const { integration, installation } = active
        return {
          setting: { integration, installation, content: { kind: "space", id: space.id } },
          id,
          state: hasher.sha256(JSON.stringify([...changesOf(active, now), values[i]])).slice(0, 22),
          props,
          dependencies: values[i]!
        }
      })
    }),

    /** Calls a source and parses its response. An invalid response is recorded as failed. */
    call: <A, E>(
      { setting, id, props, dependencies }: ContentSource,
      type: "content_compute_revision" | "content_compute_document",
      read: (response: RunResponse) => Effect.Effect<A, RunFailed | E>
    ) =>
      runs.requestParsed(
        setting,
        {
          type,
          installationId: setting.installation!.id,
          spaceId: setting.content!.id,
          sourceId: id,
          props,
          dependencies
        },
        (response) => (response.status === 200 ? read(response) : Effect.fail(statusFailure(response.status)))
      )
  }
})

/** Returns the values that change with the program or its configuration. */
const changesOf = ({ integration, installation, placement }: ActiveIntegration, now: string) => {
  const { key, version, development } = integration
  const activeDevelopment = development !== undefined && development.endsAt > now ? development : null
  return [key, version, activeDevelopment, installation.id, installation.updatedAt, placement?.updatedAt ?? null]
}
