/** Publishes an integration on a server that runs, and installs it. */
import { execFileSync } from "node:child_process"
import { assert } from "@effect/vitest"
import type { Server } from "./LecternProcess.ts"

/** A module that answers each event as this function body does: of `event`, `environment` and `api`. */
const program = (body: string): string => `
  export default {
    fetch: async (request) => {
      const form = await request.formData()
      const event = JSON.parse(form.get("event"))
      const environment = JSON.parse(form.get("environment"))
      const api = (path) => fetch(environment.apiEndpoint + "/v1" + path, {
        headers: { authorization: "Bearer " + environment.apiTokens.installation }
      })
      ${body}
    }
  }`

/** The id of the installation. */
export const publish = async (
  server: Server,
  name: string,
  body: string,
  scopes: ReadonlyArray<string>,
  manifest: Record<string, unknown> = {}
): Promise<string> => {
  const organization = server.ready.organization.id
  const published = await server.call("POST", `/v1/integrations/${name}`, {
    organization,
    title: "Weather",
    description: "",
    scopes,
    runtime: "v2",
    script: program(body),
    ...manifest
  })
  assert.strictEqual(published.status, 200, JSON.stringify(published.body))
  const installed = await server.call("POST", `/v1/integrations/${name}/installations`, { organization })
  assert.strictEqual(installed.status, 201)
  return installed.body.id
}

/** The processes of a server's programs. */
export const programsOf = (server: Server): ReadonlyArray<number> =>
  execFileSync("pgrep", ["-P", String(server.child.pid)], { encoding: "utf8" })
    .trim()
    .split("\n")
    .map(Number)
