/**
 * Opens Lectern with one published site, for the examples of this folder. An application opens its own database with
 * `SqliteLectern.open({ file })`, and knows the id of its site.
 */
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as Exchange from "@lectern/exchange/Exchange"

export const openHelp = async () => {
  const lectern = await MemoryLectern.open({
    // Links in responses of the API start with this URL.
    publicUrl: "http://localhost:3000/api/lectern",
    extensions: [Exchange.extension()]
  })
  const { id: acme } = await lectern.organizations.create({ title: "Acme" })
  const space = await lectern.spaces.create(acme, { title: "Guide" })
  await lectern.content.live.write(space.id, [
    { operation: "insert_page", title: "Install", document: { markdown: "Plug it in." } },
    { operation: "insert_page", title: "Repair", document: { markdown: "Unplug it first." } }
  ])
  const site = await lectern.sites.create(acme, { title: "Help", spaces: [space.id] })
  await lectern.sites.publish(acme, site.id)
  return { lectern, site: site.id }
}
