/** The steps that tests of integrations begin with, taken by the organization's administrator unless said otherwise. */
import { Ids } from "@lectern/core/identity/Ids"
import { Effect } from "effect"
import { answers, Harness, type Person } from "./Harness.ts"
import * as Shapes from "./IntegrationShapes.ts"

/** A picture of one pixel, in Base64. */
export const pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="

/** Manifest of the published integration, unless a test gives another. */
export const manifest = {
  title: "Weather",
  description: "Tells what it is like outside",
  scopes: [],
  script: "export default { fetch: () => new Response('fine') }",
  runtime: "v2",
  visibility: "public"
}

/** A module that answers each event as this function body does: of `event`, `environment` and `log`. */
export const program = (body: string): string =>
  `export default { fetch: async (request, env, { log }) => {
    const form = await request.formData()
    const event = JSON.parse(form.get("event"))
    const environment = JSON.parse(form.get("environment"))
    ${body}
  } }`

/** A name that no other integration has. */
export const freshName = Effect.map(
  Effect.flatMap(Ids, (ids) => ids.next),
  (id) => `weather-${id}`
)

export const publishIntegration = Effect.fnUntraced(function* (
  name: string,
  input: Record<string, unknown> = {},
  by: Person = "admin"
) {
  const { call, organization, elsewhere } = yield* Harness
  return yield* call(by, "POST", `/v1/integrations/${name}`, {
    ...manifest,
    organization: by === "outsider" ? elsewhere : organization,
    ...input
  }).pipe(answers(200, Shapes.Integration))
})

export const install = Effect.fnUntraced(function* (name: string, by: Person = "admin") {
  const { call, organization, elsewhere } = yield* Harness
  return yield* call(by, "POST", `/v1/integrations/${name}/installations`, {
    organization: by === "outsider" ? elsewhere : organization
  }).pipe(answers(201, Shapes.Installation))
})

/** A published integration that is installed. */
export const installed = Effect.fnUntraced(function* (input: Record<string, unknown> = {}) {
  const name = yield* freshName
  yield* publishIntegration(name, input)
  const { id } = yield* install(name)
  return { name, id, path: `/v1/integrations/${name}/installations/${id}` }
})
