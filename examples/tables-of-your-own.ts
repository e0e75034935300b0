/**
 * Keeps tables of the application in Lectern's database: one transaction, one file, one backup. Migrations of the tables
 * run at each start.
 *
 *     node examples/tables-of-your-own.ts [lectern.db]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"

/** Migrations in order. Never change one that was released: add another. */
const migrations: ReadonlyArray<ReadonlyArray<string>> = [
  ["CREATE TABLE customer (id TEXT PRIMARY KEY, organization TEXT NOT NULL UNIQUE)"],
  ["ALTER TABLE customer ADD COLUMN plan TEXT NOT NULL DEFAULT 'free'", "CREATE INDEX customer_plan ON customer (plan)"]
]

/** Runs the missing migrations in one transaction. Of several processes that start at once, one runs them. */
const migrate = (lectern: SqliteLectern.SqliteLectern) =>
  lectern.transaction(async ({ sql }) => {
    await sql.run("CREATE TABLE IF NOT EXISTS migration (number INTEGER PRIMARY KEY)")
    const row = await sql.get<{ readonly done: number }>("SELECT count(*) AS done FROM migration")
    for (const [number, statements] of migrations.entries()) {
      if (number < row!.done) continue
      for (const statement of statements) await sql.run(statement)
      await sql.run("INSERT INTO migration VALUES (?)", number)
    }
  })

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

for (const title of ["Acme", "Globex"]) {
  const lectern = await SqliteLectern.open({ file })
  await migrate(lectern)

  // Both rows are committed, or neither is.
  await lectern.transaction(async (tx) => {
    const organization = await tx.organizations.create({ title })
    await tx.sql.run("INSERT INTO customer (id, organization) VALUES (?, ?)", title.toLowerCase(), organization.id)
  })
  const duplicate = lectern.transaction(async (tx) => {
    const organization = await tx.organizations.create({ title: "Not stored" })
    await tx.sql.run("INSERT INTO customer (id, organization) VALUES (?, ?)", title.toLowerCase(), organization.id)
  })
  await duplicate.catch((error: { readonly code: string }) => console.log(error.code))

  const { count } = await lectern.organizations.list({})
  const free = await lectern.sql.get<{ readonly customers: number }>(
    "SELECT count(*) AS customers FROM customer WHERE plan = ?",
    "free"
  )
  console.log(`Each organization is a customer: ${free!.customers === count}`)
  await lectern.close()
}
