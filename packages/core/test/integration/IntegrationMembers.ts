/** A published integration in an organization with members of every level, and its installation. */
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Installations } from "@lectern/core/integration/Installations"
import type { IntegrationPublish } from "@lectern/core/integration/Integration"
import { Integrations } from "@lectern/core/integration/Integrations"
import { Effect } from "effect"
import { members } from "../Actors.ts"

/** Returns valid input to publish an integration. */
export const manifest = (
  organization: OrganizationId,
  fields: Partial<IntegrationPublish> = {}
): IntegrationPublish => ({
  title: "Weather",
  description: "",
  script: "addEventListener('fetch', () => {})",
  scopes: ["space:content:read"],
  organization,
  ...fields
})

/** Fields of the manifest may be changed. The host publishes and installs. */
export const installed = Effect.fnUntraced(function* (fields: Partial<IntegrationPublish> = {}) {
  const fixture = yield* members
  const [integrations, installations] = [yield* Integrations, yield* Installations]
  yield* integrations.publish("weather", manifest(fixture.org, fields))
  const { id } = yield* installations.install("weather", { organization: fixture.org })
  return { ...fixture, integrations, installations, installation: id }
})
