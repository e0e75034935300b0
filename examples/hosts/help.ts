/**
 * Opens Lectern with one published site, for the programs of this folder. The first start creates the site, and later
 * starts use it again. `DATABASE`: path of the database. Default: `lectern.db` in the current folder.
 */
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import * as Exchange from "@lectern/exchange/Exchange"

export const openHelp = async () => {
  const lectern = await SqliteLectern.open({
    file: process.env["DATABASE"] ?? "lectern.db",
    // Links in responses of the API start with this URL.
    publicUrl: "http://localhost:3000/api/lectern",
    extensions: [Exchange.extension()]
  })
  const [organization] = (await lectern.organizations.list({})).items
  if (organization !== undefined) {
    const [site] = (await lectern.sites.list(organization.id, {})).items
    if (site !== undefined) return { lectern, site: site.id }
  }

  const { id: acme } = organization ?? (await lectern.organizations.create({ title: "Acme" }))
  const space = await lectern.spaces.create(acme, { title: "Guide" })
  await lectern.content.live.write(space.id, [
    { operation: "insert_page", title: "Install", document: { markdown: "Plug it in." } },
    { operation: "insert_page", title: "Repair", document: { markdown: "Unplug it first." } }
  ])
  const site = await lectern.sites.create(acme, { title: "Help", spaces: [space.id] })
  await lectern.sites.publish(acme, site.id)
  return { lectern, site: site.id }
}
