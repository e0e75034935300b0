import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"
import { seed } from "@lectern/testing/seed"
import { assert, it } from "@effect/vitest"

const open = () => MemoryLectern.open({ sitesUrl: "https://docs.example.com", extensions: [Exchange.extension()] })

it("creates users with their roles, spaces with their pages, and a published site", async () => {
  const lectern = await open()
  const { as, organization, site, spaces, users } = await seed(lectern, {
    organization: "Acme",
    users: { ada: "edit", eve: "read", guest: null },
    spaces: {
      handbook: { "README.md": "# Welcome\n", "guide/install.md": "# Install\n\nPlug it in.\n" },
      labs: {}
    },
    site: { title: "Acme docs", spaces: ["handbook"] }
  })

  assert.strictEqual((await lectern.organizations.get(organization)).title, "Acme")
  assert.strictEqual((await lectern.users.get(users.ada)).email, "ada@example.com")
  assert.strictEqual((await lectern.users.sync("ada", { email: "ada@example.com" })).id, users.ada)

  const draft = await as.ada.changeRequests.create(spaces.handbook, {})
  assert.strictEqual(draft.space, spaces.handbook)
  assert.strictEqual((await as.eve.spaces.get(spaces.labs)).title, "labs")
  const failure = async (call: Promise<unknown>) =>
    call.then(
      () => "none",
      (error: Error) => error.name
    )
  assert.strictEqual(await failure(as.eve.changeRequests.create(spaces.handbook, {})), "Forbidden")
  assert.strictEqual(await failure(as.guest.spaces.get(spaces.handbook)), "SpaceNotFound")

  const main = await lectern.content.locate({ space: spaces.handbook })
  const page = await lectern.content.page(main, await lectern.content.pageAt(main, "guide/install"))
  assert.strictEqual("markdown" in page ? page.markdown.trim() : "", "# Install\n\nPlug it in.")

  const visited = await lectern.sites.urls.resolve({ url: `${site.url}guide/install` })
  assert.strictEqual("redirect" in visited ? undefined : visited.space, spaces.handbook)
  assert.strictEqual((await lectern.sites.get(organization, site.id)).title, "Acme docs")
  await lectern.close()
})

it("creates an organization in each call, and each user once", async () => {
  const lectern = await open()
  const first = await seed(lectern, { users: { ada: "admin" } })
  const second = await seed(lectern, { users: { ada: "read" } })
  assert.notStrictEqual(first.organization, second.organization)
  assert.strictEqual(first.users.ada, second.users.ada)
  assert.isUndefined(first.site)
  // @ts-expect-error: `spaces` has only the keys of the input, which had no spaces.
  assert.isUndefined(first.spaces.handbook)
  await lectern.close()
})
