/**
 * Embeds Lectern in an application that uses Effect: one program, run with SQLite and in memory.
 *
 *     node examples/embed-effect.ts [lectern.db]
 */
import { mkdtempSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { MemoryStorage } from "@lectern/adapter-memory/MemoryStorage"
import { NodeHasher } from "@lectern/adapter-sqlite/NodeHasher"
import { SqliteStorage } from "@lectern/adapter-sqlite/SqliteStorage"
import { CurrentActor, host } from "@lectern/core/access/Actor"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { Contents } from "@lectern/core/content/Contents"
import { JobWorker } from "@lectern/core/job/JobWorker"
import * as Lectern from "@lectern/core/Lectern"
import type { OrganizationId } from "@lectern/core/organization/Organization"
import { Organizations } from "@lectern/core/organization/Organizations"
import { Searches } from "@lectern/core/search/Searches"
import { Spaces } from "@lectern/core/space/Spaces"
import { Users } from "@lectern/core/user/Users"
import { NodeServices } from "@lectern/services-node/NodeServices"
import { Console, Effect, Layer } from "effect"

const findSpaces = Effect.gen(function* () {
  const users = yield* Users
  const organizations = yield* Organizations
  const { id: ada } = yield* users.create({ email: "ada@example.com", displayName: "Ada" })
  const organization = yield* organizations.create({ title: "Acme" }, ada)
  return { ada, organization: organization.id }
})

const writeHandbook = Effect.fn("writeHandbook")(function* (organization: OrganizationId) {
  const spaces = yield* Spaces
  const changeRequests = yield* ChangeRequests
  const changeRequestContents = yield* ChangeRequestContents
  const contents = yield* Contents
  const searches = yield* Searches

  const space = yield* spaces.create(organization, { title: "Handbook" })
  const draft = yield* changeRequests.create(space.id, { subject: "A first page" })
  const { changes } = yield* changeRequestContents.write(space.id, draft.id, [
    {
      operation: "insert_page",
      title: "Welcome",
      document: { markdown: "# Welcome\n\nIt is good that you are here.\n" }
    }
  ])
  const { result } = yield* changeRequestContents.merge(space.id, draft.id)
  yield* Console.log(`${space.title}: #${draft.number} "${draft.subject}" answered ${result}`)

  const main = yield* contents.locate({ space: space.id })
  for (const change of changes) {
    if (change.object !== "created_page") continue
    const page = yield* contents.page(main, change.page.id)
    yield* Console.log("markdown" in page ? page.markdown : page.title)
  }

  const { items } = yield* searches.space(space.id, "good that you are h", {})
  for (const { title, sections } of items) yield* Console.log(`Found in ${title}: ${sections[0]?.body}`)
  return space.id
})

const program = Effect.gen(function* () {
  const users = yield* Users
  const spaces = yield* Spaces

  // Runs background jobs until the program ends, such as permanent removal.
  const worker = yield* JobWorker
  yield* worker.start

  // The application itself has all permissions. A user has the permissions of its memberships.
  const { ada, organization } = yield* findSpaces.pipe(Effect.provideService(CurrentActor, host))
  const space = yield* writeHandbook(organization).pipe(
    Effect.provideService(CurrentActor, { type: "user", user: ada })
  )

  // Users without a membership in Acme get an error as if the space did not exist.
  const { id: eve } = yield* users.create({ email: "eve@example.com" })
  yield* spaces.get(space).pipe(
    Effect.catchTag("SpaceNotFound", (error) =>
      Console.log(`${error.name}: ${error.message.replace(space, "(its id)")}`)
    ),
    Effect.provideService(CurrentActor, { type: "user", user: eve })
  )
}).pipe(Effect.scoped)

const file = process.argv[2] ?? join(mkdtempSync(join(tmpdir(), "lectern-")), "lectern.db")

const OnSqlite = Lectern.layer({ hasher: NodeHasher.layer, ...NodeServices.layers() }).pipe(
  Layer.provide(SqliteStorage.layer({ filename: file }))
)
const InMemory = Lectern.layer().pipe(Layer.provide(MemoryStorage.layer))

await Effect.runPromise(program.pipe(Effect.provide(OnSqlite)))
await Effect.runPromise(program.pipe(Effect.provide(InMemory)))
