/** Steps of tests with a server that has published the catalogue. */
import { assert } from "@effect/vitest"
import { serve, type Server } from "./LecternProcess.ts"
import type { Received } from "./Receiver.ts"

/** Of a server with the catalogue, whose programs may reach the loopback. */
export const env = { LECTERN_CATALOGUE: "on", LECTERN_ALLOWED_PRIVATE_HOSTS: "127.0.0.1" }

export const serveCatalogue = (data: string, options: { token?: string; env?: Record<string, string> } = {}) =>
  serve(data, { ...options, env: { ...env, ...options.env } })

/** Tells requests about content from those about the installation itself, which may come before and behind. */
export const isContent = ({ body }: Received) => body.includes("space_content_updated")

/** The published catalogue, once all of it is. */
export const catalogue = async (server: Server): Promise<ReadonlyArray<any>> => {
  for (;;) {
    const { body } = await server.call("GET", "/v1/integrations?search=lectern-")
    // The last of them by name is published last.
    if (body.items.some(({ name }: any) => name === "lectern-webhook")) return body.items
  }
}

/** Shows the screen of an integration, or what it comes to: of the organization, or of a site. */
export const configure = async (server: Server, name: string, asked: object = {}, siteId?: string): Promise<any> => {
  const context =
    siteId === undefined
      ? { type: "configuration_account", organizationId: server.ready.organization.id }
      : { type: "configuration_site", siteId }
  const request = { componentId: "configure", props: {}, context, ...asked }
  const { status, body } = await server.call("POST", `/v1/integrations/${name}/render`, request)
  assert.strictEqual(status, 200, JSON.stringify(body))
  return body
}

/** Installs one, and fills in its screen as an administrator would; the id of the installation. */
export const install = async (server: Server, name: string, state: Record<string, string>): Promise<string> => {
  const organization = server.ready.organization.id
  const installed = await server.call("POST", `/v1/integrations/${name}/installations`, { organization })
  assert.strictEqual(installed.status, 201)
  assert.deepStrictEqual(await configure(server, name, { state, action: { action: "save" } }), { type: "complete" })
  return installed.body.id
}

/** A published site of the first space. */
export const publishSite = async (server: Server, visibility = "public") => {
  const sites = `/v1/orgs/${server.ready.organization.id}/sites`
  const site = (await server.call("POST", sites, { spaces: [server.ready.space.id] })).body.id
  const at = `${sites}/${site}`
  await server.call("PATCH", at, { visibility })
  const published = await server.call("POST", `${at}/publish`)
  assert.strictEqual(published.status, 200, JSON.stringify(published.body))
  return { site, at }
}

/** A published site of the first space, with an integration on it that is configured there. */
export const installOnSite = async (
  server: Server,
  name: string,
  state: Record<string, string>,
  visibility?: string
) => {
  const organization = server.ready.organization.id
  const { site, at } = await publishSite(server, visibility)
  const { body } = await server.call("POST", `/v1/integrations/${name}/installations`, { organization })
  const on = `/v1/integrations/${name}/installations/${body.id}/sites`
  assert.strictEqual((await server.call("POST", on, { siteId: site })).status, 201)
  const saved = await configure(server, name, { state, action: { action: "save" } }, site)
  assert.deepStrictEqual(saved, { type: "complete" })
  return { site, at, on: `${on}/${site}` }
}

/** Writes a page of the first space; the revision. */
export const write = async (server: Server, words: string): Promise<string> => {
  const source = { url: `data:text/markdown,${words}`, source: "markdown" }
  const { body } = await server.call("POST", `/v1/spaces/${server.ready.space.id}/content/import`, source)
  return body.revision
}
