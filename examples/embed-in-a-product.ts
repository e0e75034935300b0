/**
 * Embeds Lectern in another product, with the product's own users and jobs, and a handler for events of the
 * documentation.
 *
 *     node examples/embed-in-a-product.ts [lectern.db]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"
import * as Job from "@lectern/core/job/Job"
import { Schema } from "effect"

const Announce = Job.kind("product/announce", Schema.Struct({ space: Schema.String }), { attempts: 5 })

const run = async (lectern: EmbeddedLectern) => {
  let announce: (title: string) => void
  const announcement = new Promise<string>((resolve) => (announce = resolve))
  await lectern.handle(Announce, async ({ space }, { lectern }) => {
    announce((await lectern.spaces.get(space)).title!)
  })

  // Announces every merge, of this process and of others, even if a process ends before the announcement.
  await lectern.on(
    ["change_request_merged"],
    ({ space }, { lectern }) => lectern.jobs.enqueue(Announce, { space }, { key: space }),
    { reader: "announcements" }
  )

  // The product identifies its customers by its own ids.
  const ada = await lectern.users.sync("customer-42", { email: "ada@example.com", displayName: "Ada" })

  // Both writes of the transaction are stored, or neither is.
  const space = await lectern.transaction(async (tx) => {
    const { id } = await tx.organizations.create({ title: "Acme" }, ada.id)
    return tx.as(ada.id).spaces.create(id, { title: "Handbook" })
  })

  const { changeRequests } = lectern.as(ada.id)
  const draft = await changeRequests.create(space.id, { subject: "A first page" })
  await changeRequests.content.write(space.id, draft.id, [{ operation: "insert_page", title: "Welcome" }])
  await changeRequests.content.merge(space.id, draft.id)
  console.log(`${ada.displayName} wrote: ${await announcement}`)
}

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

for (const lectern of [await SqliteLectern.open({ file }), await MemoryLectern.open()]) {
  await run(lectern)
  await lectern.close()
}
