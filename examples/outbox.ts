/**
 * Keeps another database in step with Lectern, by an outbox in each direction. The application has its own database with
 * its own transactions: here a second file of SQLite, in production for example PostgreSQL.
 *
 *     node examples/outbox.ts [lectern.db]
 *
 * From the application to Lectern: the application writes a row into its table `outbox` in the transaction of its
 * change. A relay reads the rows in order, changes Lectern, and removes them. From Lectern to the application: a reader
 * of events is the outbox, since Lectern stores its events in the transaction of the change. Both sides may deliver a
 * change twice, so each delivery is idempotent.
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { DatabaseSync } from "node:sqlite"
import * as MemoryLectern from "@lectern/adapter-memory/MemoryLectern"
import * as SqliteLectern from "@lectern/adapter-sqlite/SqliteLectern"
import type { EmbeddedLectern } from "@lectern/core/EmbeddedLectern"

interface OutboxRow {
  readonly number: number
  readonly team: string
}

interface MemberRow {
  readonly id: string
  readonly email: string
  readonly role: "admin" | "edit"
}

/** The application's own database. */
const applicationDatabase = () => {
  const database = new DatabaseSync(":memory:")
  database.exec(`
    CREATE TABLE person (id TEXT PRIMARY KEY, team TEXT, email TEXT, role TEXT);
    CREATE TABLE team (id TEXT PRIMARY KEY, organization TEXT);
    CREATE TABLE outbox (number INTEGER PRIMARY KEY AUTOINCREMENT, team TEXT NOT NULL);
    CREATE TABLE published (merges INTEGER, last_event TEXT);
    INSERT INTO published VALUES (0, '')`)
  return database
}

/** Adds people to a team. The row of the outbox is committed with them, or not at all. */
const addPeople = (database: DatabaseSync, team: string, people: ReadonlyArray<MemberRow>) => {
  database.exec("BEGIN")
  for (const { id, email, role } of people) {
    database.prepare("INSERT INTO person VALUES (?, ?, ?, ?)").run(id, team, email, role)
  }
  database.prepare("INSERT INTO outbox (team) VALUES (?)").run(team)
  database.exec("COMMIT")
}

/** Delivers the rows of the outbox to Lectern. Run it after each change, and at an interval. */
const relay = async (database: DatabaseSync, lectern: EmbeddedLectern) => {
  const rows = database.prepare("SELECT number, team FROM outbox ORDER BY number").all() as unknown as Array<OutboxRow>
  for (const { number, team } of rows) {
    const { organization } = database.prepare("SELECT organization FROM team WHERE id = ?").get(team) as {
      readonly organization: string
    }
    const people = database
      .prepare("SELECT id, email, role FROM person WHERE team = ?")
      .all(team) as unknown as ReadonlyArray<MemberRow>
    // The row names only the team, and the current state is delivered. So a second delivery changes nothing.
    const { added, changed, removed } = await lectern.organizations.syncMembers(
      organization,
      people.map(({ id, email, role }) => ({ externalId: id, email, role }))
    )
    console.log(`${team}: ${added.length} added, ${changed.length} changed, ${removed.length} removed`)
    database.prepare("DELETE FROM outbox WHERE number = ?").run(number)
  }
}

const run = async (lectern: EmbeddedLectern) => {
  const database = applicationDatabase()
  const { id: organization } = await lectern.organizations.create({ title: "Acme" })
  database.prepare("INSERT INTO team VALUES ('writers', ?)").run(organization)

  let resolveCounted = () => {}
  const counted = new Promise<void>((resolve) => (resolveCounted = resolve))
  await lectern.on(
    ["change_request_merged"],
    async (event) => {
      // The id of the last event is stored with the count, so an event that is delivered twice counts once.
      database
        .prepare("UPDATE published SET merges = merges + 1, last_event = ? WHERE last_event < ?")
        .run(event.id, event.id)
      resolveCounted()
    },
    { reader: "application" }
  )

  addPeople(database, "writers", [{ id: "ada", email: "ada@example.com", role: "admin" }])
  addPeople(database, "writers", [{ id: "eve", email: "eve@example.com", role: "edit" }])
  await relay(database, lectern)

  const { id: space } = await lectern.spaces.create(organization, { title: "Handbook" })
  const { id: draft } = await lectern.changeRequests.create(space, { subject: "A first page" })
  await lectern.changeRequests.content.write(space, draft, [{ operation: "insert_page", title: "Welcome" }])
  await lectern.changeRequests.content.merge(space, draft)
  await counted
  const { merges } = database.prepare("SELECT merges FROM published").get() as { readonly merges: number }
  console.log(`${merges} merge`)
  database.close()
}

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

for (const lectern of [await SqliteLectern.open({ file }), await MemoryLectern.open()]) {
  await run(lectern)
  await lectern.close()
}
