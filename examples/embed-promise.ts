/**
 * Embeds Lectern in an application that does not use Effect, with plain promises and errors.
 *
 *     node examples/embed-promise.ts [lectern.db]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import { SpaceNotFound } from "@lectern/core/space/Space"
import { NodeServices } from "@lectern/services-node/NodeServices"

const writeHandbook = async (lectern: EmbeddedLectern) => {
  const { id: ada } = await lectern.users.create({ email: "ada@example.com", displayName: "Ada" })
  const organization = await lectern.organizations.create({ title: "Acme" }, ada)

  // The following calls run with Ada's permissions.
  const { spaces, changeRequests, content, search } = lectern.as(ada)
  const space = await spaces.create(organization.id, { title: "Handbook" })
  const draft = await changeRequests.create(space.id, { subject: "A first page" })
  const { changes } = await changeRequests.content.write(space.id, draft.id, [
    {
      operation: "insert_page",
      title: "Welcome",
      document: { markdown: "# Welcome\n\nIt is good that you are here.\n" }
    }
  ])
  const { result } = await changeRequests.content.merge(space.id, draft.id)
  console.log(`${space.title}: #${draft.number} "${draft.subject}" answered ${result}`)

  const main = await content.locate({ space: space.id })
  for (const change of changes) {
    if (change.object !== "created_page") continue
    const page = await content.page(main, change.page.id)
    console.log("markdown" in page ? page.markdown : page.title)
  }

  const { items } = await search.space(space.id, "good that you are h", {})
  for (const { title, sections } of items) console.log(`Found in ${title}: ${sections[0]?.body}`)

  // Users without a membership in Acme get an error as if the space did not exist.
  const { id: eve } = await lectern.users.create({ email: "eve@example.com" })
  await lectern
    .as(eve)
    .spaces.get(space.id)
    .catch((error: unknown) => {
      if (!(error instanceof SpaceNotFound)) throw error
      console.log(`${error.name}: ${error.message.replace(space.id, "(its id)")}`)
    })
}

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

for (const lectern of [await SqliteLectern.open({ file, ...NodeServices.layers() }), await MemoryLectern.open()]) {
  await writeHandbook(lectern)
  await lectern.close()
}
