/**
 * Tokens of visitors: the one that reads what is published for them and nothing else, and the session that
 * keeps them signed on.
 */
import { openOperations } from "@lectern/http/server/Cors"
import { assert } from "@effect/vitest"
import { Duration, Effect } from "effect"
import { TestClock } from "effect/testing"
import LZString from "lz-string"
import { makeSite, reads, visit, type Made } from "./AudienceSites.ts"
import { endpoints } from "./Endpoints.ts"
import { Harness, has, type Method, onEachAdapter, refused } from "./Harness.ts"
import {
  ask,
  goodToken,
  isNowhere,
  json,
  nowInSeconds,
  ofSite,
  patchSite,
  reading,
  resolve,
  siteSpacesOf,
  spaceOf,
  token,
  type Visitor
} from "./SiteSteps.ts"
import { createCollection, createSpace, createTeam, insertPage, openChangeRequest, publish } from "./Steps.ts"
import { manifest } from "./IntegrationSteps.ts"

onEachAdapter("Visitor tokens", (it) => {
  it.effect("reads what is published and may do nothing else", () =>
    Effect.gen(function* () {
      const { call, organization, users } = yield* Harness
      const site = yield* visit("public")
      const [section] = (yield* ofSite(site.id, "GET", "/sections").pipe(json(200))).items
      const [siteSpace] = yield* siteSpacesOf(site.id)
      const group = yield* ofSite(site.id, "POST", "/section-groups", { title: "G", sections: [section.id] }).pipe(
        json(201)
      )
      const destination = { kind: "site-section", siteSectionId: section.id }
      const redirect = yield* ofSite(site.id, "POST", "/redirects", { source: "/old", destination }).pipe(json(201))
      yield* patchSite(site.id, { hostname: `docs.${site.id.toLowerCase()}.example.com` })
      const changeRequest = yield* openChangeRequest(site.space)
      const collection = yield* createCollection()
      const other = yield* createSpace()
      const space = yield* call("admin", "GET", `/v1/spaces/${site.space}`).pipe(json(200))
      const page = yield* call("admin", "GET", `/v1/spaces/${site.space}/content/page/${site.page}`).pipe(json(200))
      const { hostname } = yield* call("admin", "GET", `/v1/orgs/${organization}`).pipe(json(200))
      const parameters: Readonly<Record<string, string>> = {
        organizationId: organization,
        siteId: site.id,
        siteSectionId: section.id,
        siteSectionGroupId: group.id,
        siteSpaceId: siteSpace!.id,
        siteRedirectId: redirect.id,
        shareLinkId: site.link.id,
        hostname: `docs.${site.id.toLowerCase()}.example.com`,
        spaceId: site.space,
        pageId: site.page,
        pagePath: encodeURIComponent(page.path),
        subdomain: hostname,
        fileId: "absent",
        revisionId: space.revision,
        changeRequestId: changeRequest.id,
        conflictId: "absent",
        collectionId: collection.id,
        userId: users.read,
        teamId: yield* createTeam,
        inviteId: "absent",
        webhookId: "absent",
        deliveryId: "absent"
      }
      const grants = {
        give: { users: [users.read], role: "admin" },
        changeUser: { role: "admin" },
        changeTeam: { role: "admin" }
      }
      const ofSpec = { type: "builtin:openapi", dependencies: { spec: { ref: { kind: "openapi", spec: "none" } } } }
      const bodies: Readonly<Record<string, unknown>> = {
        "changeRequests.update": { subject: "X" },
        "changeRequests.write": { changes: [insertPage("X")] },
        "changeRequests.resolve": { keep: "ours" },
        "collections.update": { title: "X" },
        "collections.transfer": { organization },
        "spaces.update": { title: "X" },
        "spaces.transfer": { organization },
        "members.update": { role: "admin" },
        "notifications.update": { read: true },
        "watches.watchSpace": { state: "watching" },
        "watches.watchPage": { state: "watching" },
        "watches.watchChangeRequest": { state: "watching" },
        "teams.create": { title: "X" },
        "teams.update": { title: "X" },
        "teams.updateMembers": {},
        "teams.putMember": {},
        ...Object.fromEntries(
          ["spaceComments", "changeRequestComments"].flatMap((group) => [
            [`${group}.post`, { body: {} }],
            [`${group}.update`, {}],
            [`${group}.postReply`, { body: {} }],
            [`${group}.updateReply`, {}]
          ])
        ),
        "spaceContent.computedPages": { source: { ...ofSpec, props: { models: true } }, seed: "x" },
        "spaceContent.computedDocument": { source: { ...ofSpec, props: { doc: "models" } }, seed: "x" },
        "openApiSpecs.create": { slug: "mine", source: { text: "{}" } },
        "openApiSpecs.put": { source: { text: "{}" } },
        "openApiSpecs.update": { visibility: "public" },
        "translations.create": { language: "de" },
        "templates.apply": { id: "changelog" },
        "pushes.push": { name: "branch", files: "" },
        "pushes.upload": new Uint8Array(1024),
        "samlProviders.create": { label: "X" },
        "oidcProviders.create": { label: "X" },
        "webhooks.create": { url: "https://example.com/" },
        "webhooks.update": { description: "X" },
        "git.import": { url: "https://example.com/docs.git", ref: "refs/heads/main" },
        "git.export": { url: "https://example.com/docs.git", ref: "refs/heads/main", commitMessage: "Update" },
        "contentImports.space": { url: "data:text/markdown,Imported", source: "markdown" },
        "contentImports.changeRequest": { url: "data:text/markdown,Imported", source: "markdown" },
        "reviews.submit": { status: "approved" },
        "reviews.request": { users: [users.read] },
        "mergeChecks.set": { state: "passed" },
        "invitations.invite": { emails: ["x@example.com"], role: "admin" },
        "siteInsightsSums.aggregate": { range: "last7Days" },
        "glossaries.update": { operations: [] },
        "redirects.writeAll": { redirects: [{ source: "/x", destination: null }] },
        "importRuns.start": { source: { type: "website", url: "https://example.com/" }, target: { space: "x" } },
        "uploads.begin": { file: { name: "x.png", type: "image/png", size: 1 }, kind: "organization_file" },
        "fonts.create": { fontFamily: "Own", fontFaces: [{ weight: 400, storageKey: "none" }] },
        "fonts.update": { fontFamily: "Own" },
        "inviteLinks.create": { role: "admin" },
        "inviteLinks.update": { role: "admin" },
        "organizations.create": { title: "New" },
        "organizations.update": { title: "New" },
        "sites.update": { title: "New" },
        "sites.sort": { item: { type: "site-section", id: section.id }, position: {} },
        "siteSections.create": { spaceId: other.id },
        "siteSections.update": { title: "New" },
        "siteSectionGroups.create": { title: "X" },
        "siteSectionGroups.update": { title: "X" },
        "siteSectionGroups.addSection": { sectionId: section.id },
        "siteSpaces.add": { spaceId: other.id },
        "siteSpaces.update": { path: "x" },
        "shareLinks.create": { name: "X" },
        "shareLinks.update": { name: "X" },
        "publishingAuth.update": { fallbackURL: "https://example.com" },
        "adaptiveSchema.put": { jsonSchema: { type: "object", properties: {}, additionalProperties: false } },
        "customization.put": yield* ofSite(site.id, "GET", "/customization").pipe(json(200)),
        "customization.patchOfSiteSpace": {},
        "redirects.create": { source: "/x", destination },
        "redirects.update": { source: "/x" },
        "published.url": { url: site.base },
        "search.site": { query: "findable" },
        "siteInsights.track": { events: [] },
        "siteInsights.agentFeedback": {
          subject: { kind: "generic" },
          feedback: { category: "usability", summary: "Unclear" }
        },
        "siteInsights.contentFeedback": { feedback: "Unclear", url: site.base, spaceId: "x", pageId: "x" },
        "integrations.publish": { ...manifest, organization },
        "integrations.renderByPost": {
          componentId: "x",
          props: {},
          context: { type: "configuration_space", spaceId: site.space }
        },
        "integrations.beginDevelopment": { tunnelUrl: "https://mine.example.com/" },
        "integrations.queueTask": { task: {} },
        "installations.install": { organization },
        "installations.update": {},
        "spacePlacements.place": { space: site.space },
        "spacePlacements.update": {},
        "sitePlacements.place": { siteId: site.id },
        "sitePlacements.update": {},
        ...Object.fromEntries(
          ["space", "collection", "site"].flatMap((of) =>
            Object.entries(grants).map(([name, body]) => [`${of}Grants.${name}`, body])
          )
        )
      }
      const drawing = { componentId: "x", props: {}, context: { type: "document", spaceId: site.space } }
      const queries: Readonly<Record<string, string>> = {
        "search.space": "?query=findable",
        "search.organization": "?query=findable",
        "embeds.get": "?url=https://elsewhere.example.com/",
        "embeds.find": "?url=https://elsewhere.example.com/",
        "contentUrls.find": "?url=https://elsewhere.example.com/",
        "explanations.explain": "?url=https://docs.example.com/",
        "published.redirect": "?source=/old",
        "downloads.file": "?expires=1&signature=x",
        "downloads.published": "?via=open&signature=x",
        "pdfDownloads.pdf": "?expires=1&signature=x",
        "uploadedFiles.put": "?expires=1&signature=x",
        "published.urlByQuery": `?url=${encodeURIComponent(site.base)}`,
        "integrations.render": `?request=${LZString.compressToEncodedURIComponent(JSON.stringify(drawing))}`
      }
      const allowed = [
        // Those that it is a member of: none.
        "organizations.list",
        "emailDomains.organizations",
        // The catalogue is for everyone.
        "integrations.list",
        "placedIntegrations.scripts",
        "spaces.get",
        // The revision that is published now, by its id too.
        ...["spaceContent", "revisions"].flatMap((group) =>
          ["revision", "pages", "files", "page", "document", "metaLinks", "pageByPath"].map(
            (name) => `${group}.${name}`
          )
        ),
        "pdfs.space",
        "search.prewarm",
        "search.space",
        "embeds.get",
        "embeds.find",
        "search.site",
        "sites.structure",
        "siteSections.list",
        "siteSectionGroups.list",
        "siteSpaces.list",
        "published.site",
        "published.redirect",
        "published.url",
        "published.urlByQuery",
        "siteInsights.agentFeedback",
        "siteInsights.contentFeedback",
        "siteInsights.track"
      ]
      const everything = Effect.gen(function* () {
        const paths = [
          "",
          "/structure",
          "/share-links",
          "/redirects",
          "/publishing/auth",
          "/adaptive-schema",
          "/customization"
        ]
        return [
          ...(yield* Effect.forEach(paths, (path) => ofSite(site.id, "GET", path).pipe(has(200)))),
          yield* call("admin", "GET", `/v1/spaces/${site.space}`).pipe(has(200)),
          yield* call("admin", "GET", `/v1/spaces/${site.space}/permissions/aggregate`).pipe(has(200)),
          yield* call("admin", "GET", `/v1/spaces/${site.space}/change-requests`).pipe(has(200)),
          yield* call("admin", "GET", `/v1/orgs/${organization}/sites?limit=1000`).pipe(has(200)),
          yield* call("admin", "GET", `/v1/orgs/${organization}/spaces?limit=1000`).pipe(has(200)),
          yield* call("admin", "GET", `/v1/orgs/${organization}/members?limit=1000`).pipe(has(200))
        ].map(({ text }) => text)
      })
      const before = yield* everything
      const succeeded: Array<string> = []
      for (const { name, method, segments } of endpoints) {
        const path = segments
          .map((segment) => (segment.startsWith(":") ? (parameters[segment.slice(1)] ?? "absent") : segment))
          .join("/")
        const { status, text } = yield* call(
          { token: site.apiToken },
          method as Method,
          path + (queries[name] ?? ""),
          bodies[name]
        )
        if (status < 400 && method !== "DELETE") succeeded.push(name)
        else if (method !== "DELETE") assert.include([403, 404], status, `${name}: ${text}`)
        else assert.include([204, 403, 404], status, `${name}: ${text}`)
      }
      assert.deepStrictEqual(succeeded.sort(), allowed.sort())
      // What it may read is open to the pages of any origin.
      const open = new Set<string>([
        "organizations.list",
        "emailDomains.organizations",
        "published.url",
        "search.prewarm",
        "search.site",
        "siteInsights.agentFeedback",
        "siteInsights.contentFeedback",
        "siteInsights.track",
        ...openOperations
      ])
      assert.deepStrictEqual(
        succeeded.filter((name) => !open.has(name)),
        []
      )
      // What was merged is theirs to read, and the work on it isn't.
      const content = `/v1/spaces/${site.space}/content`
      assert.property(yield* call("admin", "GET", content).pipe(json(200)), "mergedFrom")
      assert.notProperty(yield* call({ token: site.apiToken }, "GET", content).pipe(json(200)), "mergedFrom")
      const organizations = yield* reading(site.apiToken, "/orgs").pipe(json(200))
      assert.deepStrictEqual(organizations, { count: 0, items: [] })
      assert.deepStrictEqual(yield* everything, before)
      // The revision that is published now is the same by its id, and filtered as the content is.
      const revision = `/spaces/${site.space}/revisions/${space.revision}`
      for (const part of ["", "/pages", "/files", `/page/${site.page}`, "/path/setup"]) {
        const [byId, main] = [
          yield* reading(site.apiToken, `${revision}${part}`).pipe(has(200)),
          yield* reading(site.apiToken, `/spaces/${site.space}/content${part}`).pipe(has(200))
        ]
        assert.strictEqual(byId.text, main.text)
      }
      const whole = yield* reading(site.apiToken, `${revision}/page/${site.page}?format=document`).pipe(json(200))
      const alone = `${revision}/page/${site.page}/document?evaluated=deterministic-only&dereferenced=reusable-contents`
      assert.deepStrictEqual(yield* reading(site.apiToken, alone).pipe(json(200)), whole.document)
      // Nor what lies beside the site, or before, behind and beside what is main.
      const beside = yield* spaceOf("Beside", ["Page"])
      const elsewhere = yield* call("admin", "GET", `/v1/spaces/${beside.id}`).pipe(json(200))
      const [earlier] = (yield* call("admin", "GET", content).pipe(json(200))).parents
      yield* publish(site.space, [insertPage("Later")])
      for (const path of [
        `/spaces/${beside.id}`,
        `/spaces/${beside.id}/content/pages`,
        `/spaces/${site.space}/revisions/${elsewhere.revision}`,
        ...[earlier, changeRequest.revision].flatMap((id) =>
          ["", "/pages", "/files", `/page/${site.page}`, `/page/${site.page}/document`, "/path/setup"].map(
            (part) => `/spaces/${site.space}/revisions/${id}${part}`
          )
        ),
        `${revision}/changes`
      ]) {
        yield* reading(site.apiToken, path).pipe(refused(404))
      }
    })
  )

  it.effect("gives the same token to the same kind of visitor for a day, good until the next has passed", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("public")
      const other = yield* makeSite("public")
      const day = 24 * 3600
      const untilTomorrow = Effect.map(nowInSeconds, (now) => day - (now % day))
      const tokenOf = (url: string, visitor?: Visitor) => Effect.map(resolve(url, visitor), ({ apiToken }) => apiToken)
      yield* TestClock.adjust(Duration.seconds(yield* untilTomorrow))
      const first = yield* tokenOf(site.base)
      const isRead = (apiToken: string) =>
        Effect.map(
          Effect.flatMap(reads(site.id, site.space, site.page), ([path]) => reading(apiToken, path!)),
          ({ status }) => status
        )
      yield* TestClock.adjust(Duration.seconds(day - 1))
      assert.strictEqual(yield* tokenOf(`${site.base}reference`), first)
      assert.strictEqual(yield* tokenOf(`${site.base}setup`, { jwtToken: "x" }), first)
      const others = [
        yield* tokenOf(other.base),
        yield* tokenOf(`${site.base}?visitor.beta=true`),
        yield* tokenOf(`${site.base}?visitor.beta=false`),
        yield* tokenOf(site.base, { jwtToken: yield* goodToken(site.id, { beta: true }) }),
        yield* tokenOf(site.base, { jwtToken: yield* goodToken(site.id, { beta: true, plan: "pro" }) })
      ]
      assert.strictEqual(new Set([first, ...others]).size, others.length + 1)
      // Who says the same in other words is of the same kind; what tells of the token alone counts nothing.
      assert.strictEqual(yield* tokenOf(site.base, { unsignedClaims: { beta: true } }), others[1])
      const same = token(site.key, {
        plan: "pro",
        exp: (yield* nowInSeconds) + 99,
        beta: true,
        sub: "someone",
        jti: "1"
      })
      assert.strictEqual(yield* tokenOf(site.base, { jwtToken: same }), others[4])
      assert.strictEqual(yield* tokenOf(site.base, { jwtToken: yield* goodToken(site.id) }), first)
      yield* TestClock.adjust(Duration.seconds(1))
      const second = yield* tokenOf(site.base)
      assert.notStrictEqual(second, first)
      assert.strictEqual(yield* isRead(first), 200)
      assert.strictEqual(yield* isRead(second), 200)
      yield* TestClock.adjust(Duration.seconds(day + 120))
      assert.strictEqual(yield* isRead(first), 401)
      assert.strictEqual(yield* isRead(second), 200)
    })
  )

  it.effect("takes no read token that it didn't sign", () =>
    Effect.gen(function* () {
      const site = yield* visit("public")
      const [header, payload, signature] = site.apiToken.split(".") as [string, string, string]
      const claims = JSON.parse(Buffer.from(payload, "base64url").toString())
      const [path] = yield* reads(site.id, site.space, site.page)
      for (const forged of [
        `${header}.${payload}.`,
        `${header}.${payload}.${signature.slice(0, -4)}AAAA`,
        `${header}.${Buffer.from(JSON.stringify({ ...claims, claims: { a: 1 } })).toString("base64url")}.${signature}`,
        token(site.key, claims),
        token(site.key, claims, "none"),
        token(site.key, { exp: claims.exp }),
        `${site.apiToken}.`,
        `x${site.apiToken}`
      ]) {
        yield* reading(forged, path!).pipe(refused(401))
      }
    })
  )

  const signOn = Effect.fnUntraced(function* (site: Made, claims: Record<string, unknown> = {}) {
    const { session } = yield* resolve(site.base, { jwtToken: yield* goodToken(site.id, claims) })
    return session!
  })

  it.effect("keeps a visitor signed on by its session, until the token ends", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const session = yield* signOn(site, { plan: "pro" })
      assert.deepInclude(session, { name: "lectern-visitor", path: new URL(site.base).pathname, maxAge: 3600 })
      const place = yield* resolve(site.base, { jwtToken: session.value })
      const direct = yield* resolve(site.base, { jwtToken: yield* goodToken(site.id, { plan: "pro" }) })
      assert.strictEqual(place.contextId, direct.contextId)
      assert.strictEqual(place.apiToken, direct.apiToken)
      // A session does not prolong itself.
      yield* TestClock.adjust("30 minutes")
      const renewed = (yield* resolve(site.base, { jwtToken: session.value })).session!
      assert.strictEqual(renewed.maxAge, 1800)
      yield* TestClock.adjust(Duration.seconds(1800 + 59))
      assert.strictEqual((yield* resolve(site.base, { jwtToken: session.value })).session?.maxAge, 0)
      yield* TestClock.adjust("1 second")
      yield* isNowhere(site.base, { jwtToken: session.value })
      yield* isNowhere(site.base, { jwtToken: renewed.value })
    })
  )

  it.effect("takes a session for its own site only, and until the key changes", () =>
    Effect.gen(function* () {
      const [site, other] = [yield* makeSite("visitor-auth"), yield* makeSite("visitor-auth")]
      const { value } = yield* signOn(site)
      for (const _ of ["asked for the first time", "and once it is known"]) {
        yield* isNowhere(other.base, { jwtToken: value })
        yield* resolve(site.base, { jwtToken: value })
      }
      yield* isNowhere(other.base, { jwtToken: value })
      // A session is no read token, nor the other way round.
      const [path] = yield* reads(site.id, site.space, site.page)
      yield* reading(value, path!).pipe(refused(401))
      const { apiToken } = yield* resolve(site.base, { jwtToken: value })
      yield* isNowhere(site.base, { jwtToken: apiToken })
      const jwtToken = yield* goodToken(site.id)
      yield* ofSite(site.id, "POST", "/publishing/auth/regenerate").pipe(has(200))
      yield* isNowhere(site.base, { jwtToken: value })
      yield* isNowhere(site.base, { jwtToken })
      yield* resolve(site.base, { jwtToken: yield* goodToken(site.id) })
    })
  )

  it.effect("keeps whoever comes with a token of a clock that is late for as long as that clock may be", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const jwtToken = token(site.key, { exp: (yield* nowInSeconds) - 50 })
      const { session } = yield* resolve(site.base, { jwtToken })
      assert.strictEqual(session?.maxAge, 10)
      yield* TestClock.adjust("9 seconds")
      yield* resolve(site.base, { jwtToken: session!.value })
      assert.strictEqual((yield* resolve(site.base, { jwtToken })).session?.maxAge, 1)
      yield* TestClock.adjust("1 second")
      yield* isNowhere(site.base, { jwtToken })
    })
  )

  it.effect("takes ends of tokens that are no whole seconds, or no time at all", () =>
    Effect.gen(function* () {
      const site = yield* makeSite("visitor-auth")
      const now = yield* nowInSeconds
      const { session } = yield* resolve(site.base, { jwtToken: token(site.key, { exp: now + 99.5 }) })
      assert.strictEqual(session?.maxAge, 99)
      for (const exp of ["1e15", "1e300", "1e400", "9007199254740993", "-1e400", "-1", "0"]) {
        const { status } = yield* ask(site.base, { jwtToken: token(site.key, `{"exp":${exp}}`) })
        assert.strictEqual(status, exp.startsWith("-") || exp === "0" ? 404 : 200, exp)
      }
    })
  )
})
