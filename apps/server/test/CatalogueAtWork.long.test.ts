/** The integrations that come with Lectern, on a server that runs: published by its first start, at work in real processes. */
import { writeFileSync } from "node:fs"
import { get, type IncomingMessage } from "node:http"
import { join } from "node:path"
import { afterAll, assert, beforeAll, describe, it } from "@effect/vitest"
import { Webhook } from "standardwebhooks"
import {
  catalogue,
  configure,
  install,
  installOnSite,
  isContent,
  publishSite,
  serveCatalogue,
  write
} from "./CatalogueSteps.ts"
import { cleanUp, lecternJson, type Server, temporaryFolder } from "./LecternProcess.ts"
import { Receiver } from "./Receiver.ts"

const secret = "a secret of sixteen or more"

let server: Server
let receiver: Receiver

beforeAll(async () => {
  receiver = await Receiver.open()
  server = await serveCatalogue(temporaryFolder())
})

afterAll(async () => {
  await cleanUp()
  await receiver.close()
})

describe("The catalogue", () => {
  it("is published by the first start, in the name of an organization that is nobody's", async () => {
    const items = await catalogue(server)
    assert.deepStrictEqual(
      items.map(({ name }) => name),
      ["lectern-analytics", "lectern-mermaid", "lectern-openid-connect", "lectern-slack", "lectern-webhook"]
    )
    for (const { owner, verified, version, urls, permissions } of items) {
      assert.deepStrictEqual([owner.title, verified, version, permissions.admin], ["Lectern", true, 1, false])
      assert.notStrictEqual(owner.id, server.ready.organization.id)
      const icon = await fetch(urls.icon)
      assert.strictEqual(icon.headers.get("content-type"), "image/png")
    }
    const [{ name, owner }] = items as [any]
    const mine = { title: "Mine", description: "", scopes: [], script: "1", runtime: "v1" }
    for (const [organization, status] of [
      [server.ready.organization.id, 409],
      [owner.id, 404]
    ] as const) {
      const published = await server.call("POST", `/v1/integrations/${name}`, { ...mine, organization })
      assert.strictEqual(published.status, status)
    }
    assert.strictEqual((await server.call("DELETE", `/v1/integrations/${name}`)).status, 403)
    const alike = { ...mine, organization: server.ready.organization.id }
    assert.strictEqual((await server.call("POST", "/v1/integrations/Lectern-Fake", alike)).status, 409)
  })

  it("leaves the organization that one has the only one there is to import into", async () => {
    await catalogue(server)
    const folder = temporaryFolder()
    writeFileSync(join(folder, "README.md"), "# Handbook\n")
    const { space } = await lecternJson(["import", folder, "--data", server.ready.data])
    assert.strictEqual(space.organization, server.ready.organization.id)
  })

  it("sends every event to a webhook, signed, and once more where it is not taken", async () => {
    const id = await install(server, "lectern-webhook", { url: `${receiver.url}/hook`, secret })
    const shown = await configure(server, "lectern-webhook")
    assert.strictEqual(shown.state.url, `${receiver.url}/hook`)
    assert.notInclude(JSON.stringify(shown), secret)
    const short = { state: { secret: "short" }, action: { action: "save" } }
    assert.include(JSON.stringify(await configure(server, "lectern-webhook", short)), "at least 16 characters")

    receiver.refuse(isContent, 503)
    const revision = await write(server, "One")
    const told = await receiver.until(({ body }) => body.includes(revision), 2)
    for (const { path, headers, body } of told) {
      assert.strictEqual(path, "/hook")
      const event: any = new Webhook(secret, { format: "raw" }).verify(body, headers as Record<string, string>)
      const about = { installationId: id, spaceId: server.ready.space.id, revisionId: revision }
      assert.deepInclude(event, { type: "space_content_updated", ...about })
      assert.strictEqual(headers["webhook-id"], event.eventId)
      assert.strictEqual(headers["x-lectern-event"], event.type)
    }
    await server.call("DELETE", `/v1/integrations/lectern-webhook/installations/${id}`)
    const [last] = await receiver.until(({ body }) => body.includes("installation_deleted"))
    assert.notInclude(last!.body, secret)
  })

  it("posts to a channel of Slack what was written", async () => {
    await install(server, "lectern-slack", { url: `${receiver.url}/services/T/B/X` })
    await write(server, "Two")
    const [post] = await receiver.until(({ path }) => path === "/services/T/B/X")
    assert.deepStrictEqual(Object.keys(JSON.parse(post!.body)), ["text"])
    assert.match(
      JSON.parse(post!.body).text,
      /^<http:[^|>]+\|Lectern documentation> has new content, by Administrator$/
    )
    assert.notInclude(JSON.stringify(await configure(server, "lectern-slack")), "/services/")
    const { at } = await publishSite(server)
    const session = {
      visitorId: "v",
      sessionId: "s",
      cookies: {},
      userAgent: "Mozilla/5.0",
      language: "en",
      referrer: null
    }
    const place = { siteSection: null, siteSpace: null, siteShareKey: null, space: null, revision: null, page: null }
    const feedback = { rating: "bad", comment: "Where is <it>?" }
    const url = "https://docs.example.com/page"
    const told = await server.call("POST", `${at}/insights/events`, {
      events: [{ type: "page_post_feedback_comment", session, location: { ...place, url }, feedback }]
    })
    assert.strictEqual(told.status, 204, JSON.stringify(told.body))
    const [said] = await receiver.until(({ body }) => body.includes("Where is"))
    assert.match(
      JSON.parse(said!.body).text,
      /^:slightly_frowning_face: Feedback on <http:[^|>]+\|[^>]+>, at <https:\/\/docs\.example\.com\/page>: bad\n>Where is &lt;it&gt;\?$/
    )
  })

  it("draws diagrams in a frame that brings all that it needs along", async () => {
    await server.call("POST", "/v1/integrations/lectern-mermaid/installations", {
      organization: server.ready.organization.id
    })
    const draw = async (editable: boolean, theme: string, props: object) => {
      const context = { type: "document", spaceId: server.ready.space.id, editable, theme }
      const request = { componentId: "diagram", props, context }
      const { body, status } = await server.call("POST", "/v1/integrations/lectern-mermaid/render", request)
      assert.strictEqual(status, 200)
      return body
    }
    const content = "graph TD\n  A --> B"
    await write(server, encodeURIComponent(`# Drawn\n\n\`\`\`mermaid\n${content}\n\`\`\``))
    const pages = await server.call("GET", `/v1/spaces/${server.ready.space.id}/content/pages`)
    const written = pages.body.pages.at(-1)
    const path = `/v1/spaces/${server.ready.space.id}/content/page/${written.id}`
    const { body: page } = await server.call("GET", `${path}?format=document`)
    const block = page.document.nodes.find(({ type }: any) => type === "integration")
    assert.deepInclude(block?.data, { integration: "lectern-mermaid", block: "diagram", props: { content } })
    const shown = await draw(false, "light", { content })
    assert.deepStrictEqual([shown.type, shown.state, shown.props], ["element", { content }, { content }])
    const [frame] = shown.element.children
    assert.deepStrictEqual([frame.type, frame.data], ["webframe", { content: { $state: "content" } }])
    const [edited] = (await draw(true, "dark", { content })).element.children
    assert.deepStrictEqual([edited.type, edited.content, edited.syntax], ["codeblock", content, "mermaid"])
    assert.strictEqual(new URL(edited.footer[0].source.url).searchParams.get("theme"), "dark")

    const framed = await fetch(frame.source.url)
    assert.match(framed.headers.get("content-security-policy")!, /^sandbox (?!.*allow-same-origin).*default-src 'none'/)
    const scripts = [...(await framed.text()).matchAll(/<script src="([^"]+)"/g)].map(([, src]) => src!)
    assert.lengthOf(scripts, 2)
    const [library, own] = await Promise.all(scripts.map((src) => fetch(new URL(src, frame.source.url))))
    assert.strictEqual(library!.headers.get("content-encoding"), "gzip")
    assert.match(library!.headers.get("cache-control")!, /immutable/)
    assert.include(await library!.text(), "mermaid")
    assert.include(await own!.text(), "@webframe.ready")
    const plain = await new Promise<IncomingMessage>((answer) => get(library!.url, answer))
    assert.isUndefined(plain.headers["content-encoding"])
    let bytes = 0
    for await (const chunk of plain) bytes += (chunk as Buffer).length
    assert.isAbove(bytes, 1_000_000)
    const { at } = await publishSite(server)
    const { published } = (await server.call("GET", at)).body.urls
    const shownPage = await fetch(new URL(written.path, published))
    assert.match(
      shownPage.headers.get("content-security-policy")!,
      new RegExp(`frame-src ${library!.url.split("/v1")[0]} `)
    )
    assert.match(
      await shownPage.text(),
      /<lectern-frame data-state="[^"]*A --&gt; B[^"]*"[^>]*><iframe src="[^"]*\/frame\?v=1"/
    )
    const none = await fetch(new URL("none", frame.source.url))
    assert.deepStrictEqual([none.status, await none.json()], [404, { error: "There is no such file" }])
  })

  it("puts the script tag of analytics on the pages of a site, and sets no cookies", async () => {
    const name = "lectern-analytics"
    const snippet = `<script defer data-domain="docs.example.com" src="https://plausible.io/js/script.js"></script>`
    const { site, at } = await installOnSite(server, name, { snippet })
    const wrong = { state: { snippet: "<script>alert(1)</script>" }, action: { action: "save" } }
    assert.include(JSON.stringify(await configure(server, name, wrong, site)), "This is no script tag")
    const { body: scripts } = await server.call("GET", `${at}/integration-scripts`)
    assert.lengthOf(scripts, 1)
    assert.isFalse(scripts[0].cookies)
    assert.strictEqual(scripts[0].contentSecurityPolicy, "script-src https:; connect-src https:; img-src https:")
    const loaded = await fetch(scripts[0].script)
    assert.match(loaded.headers.get("content-type")!, /^text\/javascript/)
    assert.isNull(loaded.headers.get("set-cookie"))
    const text = await loaded.text()
    assert.include(text, '[["data-domain","docs.example.com"]]')
    assert.include(text, '"https://plausible.io/js/script.js"')
    const page = await fetch(`${(await server.call("GET", at)).body.urls.published}quick-start`)
    const shown = await page.text()
    assert.include(shown, JSON.stringify(scripts[0].script))
    assert.notInclude(shown, `class="consent"`)
    const policy = page.headers.get("content-security-policy")!
    assert.match(policy, /script-src 'self' [^;]*\/~\/script\.js https:;.*connect-src 'self' https: wss:/)
    assert.notInclude(policy, "unsafe")
  })
})
