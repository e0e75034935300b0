/**
 * The hosted service's own client drives the server by its base address alone: both releases that
 * the interface is witnessed by, since scripts that people have use one or the other.
 */
import { assert } from "@effect/vitest"
import { GitBookAPI, GitBookAPIError } from "@gitbook/api"
import { GitBookAPI as EarlierGitBookAPI } from "gitbook-api-143"
import { afterAll, beforeAll, describe, it } from "vitest"
import { begunServer, cleanUp, type Server, visitorToken } from "./LecternProcess.ts"
import { makeKeys } from "../../../packages/services-node/test/IdentityProvider.ts"

let server: Server

/** Its declarations name files without extensions, which this project's module resolution doesn't read. */
const connect = (
  Client: new (options: { endpoint: string; authToken: string }) => unknown,
  authToken = server.token
): any => new Client({ endpoint: server.url, authToken })

beforeAll(async () => {
  server = await begunServer()
})

afterAll(cleanUp)

describe("the public client", () => {
  it("goes from an organization to a merged page and reads it back", async () => {
    const client = connect(GitBookAPI)
    const me = await client.user.getAuthenticatedUser()
    assert.strictEqual(me.data.object, "user")
    assert.deepStrictEqual((await client.users.getUserById(me.data.id)).data, me.data)

    const organization = (await client.orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!
    const subdomain = (await client.subdomains.getSubdomain(organization.hostname)).data
    assert.deepStrictEqual(subdomain.target, { type: "organization", organization: organization.id })
    const space = (await client.orgs.createSpace(organization.id, { title: "Through the client", emoji: "🧭" })).data
    assert.strictEqual(space.title, "Through the client")
    assert.strictEqual(space.organization, organization.id)

    const draft = (await client.spaces.createChangeRequest(space.id, { subject: "A first page" })).data
    assert.strictEqual(draft.status, "draft")
    const opened = (await client.spaces.updateChangeRequestById(space.id, draft.id, { status: "open" })).data
    assert.strictEqual(opened.status, "open")

    const written = (
      await client.spaces.updateChangeRequestContent(
        space.id,
        draft.id,
        {
          changes: [
            {
              operation: "insert_page",
              ref: "guide",
              title: "Guide",
              document: { markdown: 'Hello **there**.\n\n{% hint style="info" %}\nMind the step.\n{% endhint %}\n' }
            },
            { operation: "insert_page", title: "Below", into: "guide", document: { markdown: "Further down." } }
          ]
        },
        { compat: false }
      )
    ).data
    const [created] = written.changes
    assert.strictEqual(created.object, "created_page")
    assert.strictEqual(created.ref, "guide")

    const merged = (await client.spaces.mergeChangeRequest(space.id, draft.id)).data
    assert.strictEqual(merged.result, "merge")
    assert.strictEqual((await client.spaces.getSpaceById(space.id)).data.revision, merged.revision)

    const { pages } = (await client.spaces.listPages(space.id)).data
    assert.deepStrictEqual(
      pages.map((page: any) => page.title),
      ["Guide"]
    )
    const page = (await client.spaces.getPageById(space.id, created.page.id, { format: "markdown" })).data
    assert.include(page.markdown, "Hello **there**.")
    assert.include(page.markdown, "Mind the step.")
    const below = await client.spaces.getPageByPath(space.id, encodeURIComponent("guide/below"), { format: "markdown" })
    assert.include(below.data.markdown, "Further down.")
    const revision = (await client.spaces.getCurrentRevision(space.id)).data
    assert.strictEqual(revision.type, "merge")
    assert.strictEqual(revision.mergedFrom.id, draft.id)

    const listed = (await client.spaces.listChangeRequestsForSpace(space.id, { status: "merged" })).data
    assert.deepStrictEqual(
      listed.items.map(({ id }: any) => id),
      [draft.id]
    )
  })

  it("works in its earlier release too", async () => {
    const client = connect(EarlierGitBookAPI)
    const organization = (await client.orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!
    const { items } = (await client.orgs.listSpacesInOrganizationById(organization.id)).data
    const space = (await client.spaces.duplicateSpace(items[0]!.id)).data
    assert.match(space.title, / \(copy\)$/)
    const revision = (await client.spaces.getCurrentRevision(space.id)).data
    assert.strictEqual(revision.object, "revision")
    assert.isAbove(revision.pages.length, 0)
    const collection = (await client.orgs.createCollection(organization.id, { title: "Shelf" })).data
    await client.spaces.moveSpace(space.id, { parent: collection.id })
    const inside = (await client.collections.listSpacesInCollectionById(collection.id)).data
    assert.deepStrictEqual(
      inside.items.map(({ id }: any) => id),
      [space.id]
    )
  })

  it.each([
    ["its current release", GitBookAPI],
    ["its earlier release", EarlierGitBookAPI]
  ] as const)("publishes a site: %s", async (name, Client) => {
    const { orgs, urls } = connect(Client)
    // The earlier one can't write content.
    const { spaces } = connect(GitBookAPI)
    const organization: string = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!.id
    const withPage = async (title: string) => {
      const space = (await orgs.createSpace(organization, { title })).data
      const draft = (await spaces.createChangeRequest(space.id, {})).data
      await spaces.updateChangeRequestContent(space.id, draft.id, {
        changes: [{ operation: "insert_page", title: "Install", document: { markdown: `How to install ${title}.` } }]
      })
      await spaces.mergeChangeRequest(space.id, draft.id)
      return space.id as string
    }
    const [guides, older, reference] = [await withPage("Guides"), await withPage("Version 1"), await withPage("API")]

    const title = `Docs of ${name}`
    const site = (await orgs.createSite(organization, { title, visibility: "public", spaces: [guides, older] })).data
    const at = [organization, site.id] as const
    assert.deepInclude(site, { object: "site", title, published: false, siteSpaces: 2 })
    const listed = (await orgs.listSites(organization, { space: guides, title: "docs OF its" })).data
    assert.deepStrictEqual(
      listed.items.map(({ id }: any) => id),
      [site.id]
    )

    // Its structure.
    const section = (await orgs.addSectionToSite(...at, { spaceId: guides, title: "Guides" })).data
    const second = (await orgs.addSectionToSite(...at, { spaceId: reference, title: "Reference" })).data
    assert.lengthOf(section.siteSpaces, 2)
    const group = (await orgs.addSectionGroupToSite(...at, { title: "For developers", sections: [second.id] })).data
    assert.deepStrictEqual(
      group.sections.map(({ id }: any) => id),
      [second.id]
    )
    const added = (await orgs.addSpaceToSite(...at, { spaceId: older, sectionId: second.id })).data
    assert.deepInclude(added, { object: "site-space", section: second.id, path: "version-1" })
    await orgs.moveSiteSpace(...at, added.id, {
      position: { before: { type: "site-space", siteSpace: second.siteSpaces[0].id } }
    })
    await orgs.sortSiteStructure(...at, {
      item: { type: "site-section-group", id: group.id },
      position: { before: { type: "site-section", id: section.id } }
    })
    await orgs.updateSiteSectionById(...at, second.id, { path: "api", defaultSiteSpace: second.siteSpaces[0].id })
    await orgs.updateSiteSpaceById(...at, added.id, { path: "v1", condition: "visitor.claims.unsigned.beta == true" })
    const { structure } = (await orgs.getSiteStructure(...at)).data
    assert.deepStrictEqual(
      structure.map(({ object, id }: any) => [object, id]),
      [
        ["site-section-group", group.id],
        ["site-section", section.id]
      ]
    )
    assert.strictEqual((await orgs.listSiteSpaces(...at, { default: true })).data.items[0].space.id, guides)
    assert.strictEqual((await orgs.listSiteSections(...at)).data.count, 2)
    assert.strictEqual((await orgs.listSiteSectionGroups(...at)).data.items[0].title, "For developers")

    // What is published of it.
    const { urls: published } = (await orgs.publishSite(...at)).data
    const whole = (await orgs.getPublishedContentSite(...at)).data
    assert.deepStrictEqual(whole.structure.structure[0].sections[0].siteSpaces.length, 1)
    const found = (await urls.resolvePublishedContentByUrl({ url: `${published.published}api/install` })).data
    assert.deepInclude(found, { siteSection: second.id, space: reference, pathname: "/install", complete: true })
    assert.deepStrictEqual(
      (await urls.getPublishedContentByUrl({ url: `${published.published}api/install` })).data,
      found
    )
    const reader = connect(Client, found.apiToken)
    assert.include((await reader.spaces.getPageById(reference, found.page)).data.markdown, "How to install API.")
    const beta = (
      await urls.resolvePublishedContentByUrl({
        url: `${published.published}api/v1/install`,
        visitor: { unsignedClaims: { beta: true } }
      })
    ).data
    assert.strictEqual(beta.siteSpace, added.id)

    // How it looks, where it leads, what it knows of its visitors.
    const look = (await orgs.getSiteCustomizationById(...at)).data
    const darker = { ...look, themes: { ...look.themes, default: "dark" } }
    assert.deepStrictEqual((await orgs.updateSiteCustomizationById(...at, darker)).data, darker)
    const override = { styling: { corners: "straight" } }
    assert.isTrue((await orgs.overrideSiteSpaceCustomizationById(...at, added.id, override)).data.hasOverrides)
    await orgs.deleteSiteSpaceCustomizationById(...at, added.id)
    assert.isFalse((await orgs.getSiteSpaceCustomizationById(...at, added.id)).data.hasOverrides)

    const destination = { kind: "site-section", siteSectionId: second.id }
    const redirect = (await orgs.createSiteRedirect(...at, { source: "/old", destination })).data
    await orgs.updateSiteRedirectById(...at, redirect.id, { source: "/older" })
    assert.strictEqual((await orgs.listSiteRedirects(...at, { search: "old" })).data.count, 1)
    assert.strictEqual(
      (await orgs.getSiteRedirectBySource(...at, { source: "/older" })).data.target,
      `${published.published}api/`
    )
    const moved = (await urls.resolvePublishedContentByUrl({ url: `${published.published}older` })).data
    assert.deepStrictEqual(moved, { target: "content", redirect: `${published.published}api/` })
    await orgs.deleteSiteRedirectById(...at, redirect.id)
    const elsewhere = { kind: "external", url: "https://example.com/blog" }
    const away = (await orgs.createSiteRedirect(...at, { source: "/blog", destination: elsewhere })).data
    assert.deepInclude(away, { destination: elsewhere, permanent: false, draft: false, captureWildcard: false })
    await orgs.deleteSiteRedirectById(...at, away.id)

    const jsonSchema = (await orgs.getSiteAdaptiveSchema(...at)).data.jsonSchema
    jsonSchema.properties.unsigned.properties.beta = { type: "boolean" }
    assert.deepStrictEqual((await orgs.updateSiteAdaptiveSchema(...at, { jsonSchema })).data.jsonSchema, jsonSchema)
    const { items: templates } = (await orgs.listSiteAdaptiveTemplateConditions(...at)).data
    assert.strictEqual(templates[0].condition, "visitor.claims.unsigned.beta === true")

    // Whom it is for.
    await orgs.updateSiteById(...at, { visibility: "share-link" })
    const link = (await orgs.createSiteShareLink(...at, { name: "For a friend" })).data
    const shared = (await urls.resolvePublishedContentByUrl({ url: `${link.urls.published}api/` })).data
    assert.deepInclude(shared, { siteSection: second.id, siteSpace: second.siteSpaces[0].id })
    assert.strictEqual((await orgs.updateSiteShareLinkById(...at, link.id, { active: false })).data.active, false)
    assert.strictEqual((await orgs.listSiteShareLinks(...at)).data.count, 1)
    await orgs.deleteSiteShareLinkById(...at, link.id)

    await orgs.updateSiteById(...at, { visibility: "visitor-auth" })
    const before = (await orgs.getSitePublishingAuthById(...at)).data
    await orgs.updateSitePublishingAuthById(...at, { backend: "custom", fallbackURL: "https://example.com/login" })
    const { privateKey, fallbackURL } = (await orgs.regenerateSitePublishingAuthById(...at)).data
    assert.notStrictEqual(privateKey, before.privateKey)
    const signOn = (await urls.resolvePublishedContentByUrl({ url: `${published.published}api/` })).data
    assert.strictEqual(signOn.target, "external")
    assert.isTrue(signOn.redirect.startsWith(`${fallbackURL}?location=`))
    const url = `${published.published}api/`
    const visitor = { jwtToken: visitorToken(privateKey) }
    assert.strictEqual((await urls.resolvePublishedContentByUrl({ url, visitor })).data.siteSection, second.id)

    // And away with it.
    await orgs.deleteSiteSectionGroupById(...at, group.id)
    await orgs.deleteSiteSpaceById(...at, added.id)
    await orgs.deleteSiteSectionById(...at, second.id)
    assert.isFalse((await orgs.unpublishSite(...at)).data.published)
    await orgs.deleteSiteById(...at)
    assert.strictEqual((await orgs.getSiteById(...at).catch((error: any) => error)).code, 404)
  })

  for (const [release, Client] of [
    ["0.202.0", GitBookAPI],
    ["0.143.2", EarlierGitBookAPI]
  ] as const) {
    it(`talks about a change request, and gathers people in teams (${release})`, async () => {
      const client = connect(Client)
      const { orgs, spaces } = client
      const me = (await client.user.getAuthenticatedUser()).data
      const org = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0].id
      const space = (await orgs.createSpace(org, { title: "Talk" })).data.id
      const { id: request } = (await spaces.createChangeRequest(space, { subject: "Said" })).data
      const body = { markdown: "Is this **so**?" }

      const posted = (await spaces.postCommentInSpace(space, { body })).data
      assert.deepInclude(posted, { object: "comment", status: "open", body })
      const reply = (await spaces.postCommentReplyInSpace(space, posted.id, { body: { markdown: "It is." } })).data
      assert.strictEqual(reply.object, "comment-reply")
      const resolved = (
        await spaces.updateCommentInSpace(space, posted.id, { resolved: true, addedReactions: ["1f44d"] })
      ).data
      assert.deepInclude(resolved, { status: "resolved", replies: 1 })
      assert.strictEqual(resolved.reactions[0].users[0].user.id, me.id)
      assert.strictEqual(
        (await spaces.listCommentsInSpace(space, { status: "resolved", authors: [me.id] })).data.count,
        1
      )
      assert.strictEqual((await spaces.listCommentRepliesInSpace(space, posted.id)).data.count, 1)
      await spaces.deleteCommentReplyInSpace(space, posted.id, reply.id)
      await spaces.deleteCommentInSpace(space, posted.id)

      const inRequest = (await spaces.postCommentInChangeRequest(space, request, { body })).data
      assert.strictEqual(inRequest.target.changeRequest, request)
      const document = (await spaces.getCommentInChangeRequest(space, request, inRequest.id, { format: "document" }))
        .data
      assert.strictEqual(document.body.document.object, "document")

      const asked = (await spaces.requestReviewersForChangeRequest(space, request, { users: [me.id] })).data
      assert.strictEqual(asked.users[0].user.id, me.id)
      const review = (
        await spaces.submitChangeRequestReview(space, request, { status: "approved", comment: { markdown: "Good" } })
      ).data
      assert.deepInclude(review, { object: "change-request-review", status: "approved", outdated: false })
      assert.strictEqual((await spaces.getReviewsByChangeRequestId(space, request)).data.count, 1)
      assert.strictEqual((await spaces.getChangeRequestById(space, request)).data.comments, 2)
      const contributors = (await spaces.getContributorsByChangeRequestId(space, request)).data
      assert.deepInclude(contributors.items[0], { user: me, count: 2, actionType: "comment" })

      const renamed = (await client.users.updateUserById(me.id, { displayName: `Ada ${release}` })).data
      assert.deepStrictEqual(renamed, { ...me, displayName: `Ada ${release}` })
      const { urls } = (await spaces.getChangeRequestById(space, request)).data
      const at = (await client.urls.getContentByUrl({ url: urls.app })).data
      assert.deepStrictEqual([at.space.id, at.changeRequest.id], [space, request])

      const team = (await orgs.createOrganizationTeam(org, { title: "Writers", members: [me.id] })).data
      assert.deepInclude(team, { object: "team", title: "Writers", members: 1 })
      await orgs.addMemberToOrganizationTeamById(org, team.id, me.id, { role: "owner" })
      assert.strictEqual((await orgs.listTeamMembersInOrganizationById(org, team.id)).data.items[0].team.role, "owner")
      const found = (await orgs.listTeamsInOrganizationById(org, { title: "WRIT", owner: me.id })).data
      assert.strictEqual(found.items[0].id, team.id)
      await orgs.removeTeamFromOrganizationById(org, team.id)
      assert.strictEqual((await orgs.getTeamInOrganizationById(org, team.id).catch((error: any) => error)).code, 404)
    })
  }

  it.each([
    ["0.202.0", GitBookAPI],
    ["0.143.2", EarlierGitBookAPI]
  ] as const)("keeps a spec and reads its versions (%s)", async (release, Client) => {
    const { orgs } = connect(Client)
    const org = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0].id
    const slug = `pets-${release.replaceAll(".", "-")}`
    const text = JSON.stringify({ openapi: "3.1.0", info: { title: "Pets", version: "1" }, paths: {} })
    const made = (await orgs.createOpenApiSpec(org, { slug, source: { text } })).data
    assert.deepInclude(made, { object: "openapi-spec", slug, visibility: "private" })
    for (let spec = made; spec.processingState !== "complete";) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      spec = (await orgs.getOpenApiSpecBySlug(org, slug)).data
    }
    const again = (await orgs.createOrUpdateOpenApiSpecBySlug(org, slug, { source: { text } })).data
    assert.strictEqual(again.id, made.id)
    const { count, items } = (await orgs.listOpenApiSpecVersions(org, slug)).data
    assert.strictEqual(count, 1)
    assert.strictEqual((await orgs.getOpenApiSpecVersionById(org, slug, items[0].id)).data.id, items[0].id)
    // The earlier release does not know of it yet.
    if (Client === GitBookAPI) {
      const raw = (await orgs.getLatestOpenApiSpecVersionContentRaw(org, slug)).data
      assert.deepStrictEqual(raw, { text, format: "json" })
    }
    const content = (await orgs.getLatestOpenApiSpecVersionContent(org, slug)).data
    assert.deepStrictEqual(content.filesystem[0].specification, JSON.parse(text))
    const shown = (await orgs.updateOpenApiSpecBySlug(org, slug, { visibility: "public" })).data
    assert.strictEqual((await fetch(shown.urls.published)).status, 200)
    assert.isTrue((await orgs.listOpenApiSpecs(org)).data.items.some((item: any) => item.slug === slug))
    await orgs.deleteOpenApiSpecBySlug(org, slug)
    assert.strictEqual((await orgs.getOpenApiSpecBySlug(org, slug).catch((error: any) => error)).code, 404)
  })

  it.each([
    ["0.202.0", GitBookAPI],
    ["0.143.2", EarlierGitBookAPI]
  ] as const)("keeps a SAML provider (%s)", async (_release, Client) => {
    const { orgs } = connect(Client)
    const org = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0].id
    const made = (await orgs.createOrganizationSamlProvider(org, { label: "Company", defaultRole: "read" })).data
    assert.deepInclude(made, { object: "saml-provider", label: "Company", status: "pending", defaultRole: "read" })
    const metadata = await fetch(made.service.entityID)
    assert.include(await metadata.text(), made.service.acsURL)
    const { certificate } = await makeKeys()
    const complete = { ssoURL: "https://idp.example.com/sso", entityID: "https://idp.example.com", certificate }
    const changed = (await orgs.updateOrganizationSamlProvider(org, made.id, complete)).data
    assert.deepInclude(changed, { ...complete, status: "active" })
    assert.deepStrictEqual((await orgs.getOrganizationSamlProviderById(org, made.id)).data, changed)
    assert.strictEqual((await orgs.listSamlProvidersInOrganizationById(org)).data.count, 1)
    const { items } = (await orgs.listSsoProviderLoginsInOrganization(org)).data
    assert.strictEqual(items[0].startURL, made.service.startURL)
    await orgs.deleteOrganizationSamlProvider(org, made.id)
    assert.strictEqual((await orgs.listSamlProvidersInOrganizationById(org)).data.count, 0)
  })

  it.each([
    ["0.202.0", GitBookAPI],
    ["0.143.2", EarlierGitBookAPI]
  ] as const)("translates a space (%s)", async (_release, Client) => {
    const { orgs } = connect(Client)
    // The earlier release does not write content yet.
    const { spaces } = connect(GitBookAPI)
    const org = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0].id
    const space = (await orgs.createSpace(org, { title: "Handbook", language: "en" })).data.id
    const draft = (await spaces.createChangeRequest(space, {})).data.id
    const changes = [{ operation: "insert_page", title: "Start", document: { markdown: "Read this." } }]
    await spaces.updateChangeRequestContent(space, draft, { changes }, { compat: false })
    await spaces.mergeChangeRequest(space, draft)
    const made = (await orgs.createTranslation(org, { source: { space, language: "en" }, language: "de" })).data
    assert.deepInclude(made, { object: "translation", status: "pending", language: "de" })
    await orgs.runTranslation(org, made.id)
    let translation = made
    do {
      await new Promise((resolve) => setTimeout(resolve, 20))
      translation = (await orgs.getTranslation(org, made.id)).data
    } while (translation.status === "running")
    assert.deepInclude(translation, { status: "completed", source: { space, language: "en" } })
    assert.strictEqual(translation.stats.latestPages, 1)
    const { pages } = (await spaces.listPages(translation.result.space)).data
    assert.strictEqual(pages[0].title, "⟦Šţáŕţ⟧")
    const instructions = { object: "document", data: {}, nodes: [] }
    assert.strictEqual((await orgs.updateTranslation(org, made.id, { instructions })).data.id, made.id)
    assert.isTrue((await orgs.listTranslations(org)).data.items.some((item: any) => item.id === made.id))
    assert.strictEqual((await orgs.deleteTranslation(org, made.id)).status, 205)
    assert.strictEqual((await orgs.deleteTranslation(org, made.id)).status, 204)
  })

  it("begins a space with a template, whose operations a spec writes, and reads it evaluated", async () => {
    for (const Client of [GitBookAPI, EarlierGitBookAPI]) {
      const { orgs, spaces } = connect(Client)
      const org = (await orgs.listOrganizationsForAuthenticatedUser()).data.items[0].id
      const openapi = { openapi: "3.1.0", info: { title: "Pets", version: "1" }, tags: [{ name: "Cats" }] }
      const responses = { 200: { description: "Cats" } }
      const paths = { "/cats": { get: { tags: ["Cats"], summary: "All cats", responses } } }
      const source = { text: JSON.stringify({ ...openapi, paths }) }
      await orgs.createOrUpdateOpenApiSpecBySlug(org, "client-pets", { source })
      for (let done = false; !done;) {
        const spec = (await orgs.getOpenApiSpecBySlug(org, "client-pets")).data
        assert.notProperty(spec, "lastProcessErrorCode")
        done = spec.processingState === "complete"
      }
      const space = (await orgs.createSpace(org, { title: "From a template" })).data.id
      const contentRefs = { spec: { kind: "openapi", spec: "client-pets" } }
      await spaces.applyTemplateToSpace(space, { id: "api-reference", params: { contentRefs } })
      const { pages } = (await spaces.listPages(space)).data
      const operations = pages.find((page: any) => page.title === "Operations")
      assert.strictEqual(operations.computed.type, "builtin:openapi")
      const [cats] = operations.pages
      assert.strictEqual(cats.path, "operations/cats")
      const query = { format: "markdown", evaluated: true }
      assert.include((await spaces.getPageById(space, cats.id, query)).data.markdown, "## All cats")
      const plain = (await spaces.listPages(space, { computed: false })).data.pages
      assert.strictEqual(plain.find((page: any) => page.title === "Operations").type, "computed")
    }
  })

  it("puts a site behind a proxy, where no other organization could, and takes it away", async () => {
    const client = connect(GitBookAPI)
    const organization = (await client.orgs.listOrganizationsForAuthenticatedUser()).data.items[0]!
    const { id, urls } = (await client.orgs.createSite(organization.id, { title: "Behind a proxy" })).data
    const proxied = (await client.orgs.updateSiteById(organization.id, id, { proxy: "www.example.com/help" })).data
    assert.strictEqual(proxied.proxy.origin, "www.example.com/help")
    assert.isTrue(URL.canParse(proxied.proxy.target))
    assert.isTrue(URL.canParse(urls.preview))
    const bare = (await client.orgs.updateSiteById(organization.id, id, { proxy: null })).data
    assert.notProperty(bare, "proxy")
  })

  it("is told what went wrong in the words of the error body", async () => {
    const client = connect(GitBookAPI)
    const failure = await client.spaces.getSpaceById("nothing").catch((error: unknown) => error)
    assert.instanceOf(failure, GitBookAPIError)
    assert.strictEqual((failure as GitBookAPIError).code, 404)
    assert.strictEqual((failure as GitBookAPIError).errorMessage, "There is no space nothing")
  })
})
