/** Programs as a runtime is given them, by default of one organization. */
import { keyOf } from "@lectern/core/integration/Integration"
import type { Program } from "@lectern/core/integration/IntegrationRuntime"
import { OrganizationId } from "@lectern/core/organization/Organization"
import { Effect } from "effect"

type About = Partial<Pick<Program, "version" | "runtime" | "organization">>

export const programOf = (name: string, script: string, about: About = {}) => ({
  integration: keyOf(name),
  version: 1,
  organization: OrganizationId.make("publisher"),
  runtime: "v2" as const,
  script: Effect.succeed(script),
  ...about
})
