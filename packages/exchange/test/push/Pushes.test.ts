/** Pushes: a folder becomes a change request, and is merged with what people wrote meanwhile. */
import { assert, describe } from "@effect/vitest"
import { ChangeRequests } from "@lectern/core/change-request/ChangeRequests"
import { ChangeRequestContents } from "@lectern/core/change-request/contents/ChangeRequestContents"
import { RevisionTable } from "@lectern/core/content/revisions/Revision"
import { PushedPartTable, PushTable } from "@lectern/core/exchange/PushRow"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { Spaces } from "@lectern/core/space/Spaces"
import { Storage } from "@lectern/core/storage/Storage"
import * as FileList from "@lectern/exchange/push/FileList"
import type { PushResult } from "@lectern/exchange/push/Push"
import { Pushes } from "@lectern/exchange/push/Pushes"
import { Effect } from "effect"
import { TestClock } from "effect/testing"
import { members, outcome, outcomes, ruleOn } from "../../../core/test/Actors.ts"
import { onEach } from "../../../core/test/Adapters.ts"
import { as } from "../../../core/test/comment/Discussion.ts"
import { organization } from "../../../core/test/Instances.ts"
import { adapters } from "../Instances.ts"
import { clientOf, edit, editMain, idOf, insert, merge, pull, push, type TestFolder, titles } from "./PushSteps.ts"

const newSpace = Effect.gen(function* () {
  return (yield* (yield* Spaces).create(yield* organization, { title: "Docs" })).id
})

const summary = (names: ReadonlyArray<string>) =>
  `# Table of contents\n\n${names.map((name) => `* [${name}](${name.toLowerCase()}.md)\n`).join("")}`

const page = (title: string, ...paragraphs: ReadonlyArray<string>) => `# ${title}\n\n${paragraphs.join("\n\n")}\n`

const folder: TestFolder = {
  "SUMMARY.md": summary(["One", "Two"]),
  "one.md": page("One", "Alpha is first.", "Beta is second.", "Gamma is third."),
  "two.md": page("Two", "Here.")
}

const changed = (files: TestFolder, path: string, from: string, to: string): TestFolder => {
  assert.include(files[path]!, from)
  return { ...files, [path]: files[path]!.replace(from, to) }
}

const missingOf = (result: PushResult) =>
  result.object === "incomplete-push" ? result.missing : assert.fail("Nothing is missing")

for (const [name, services] of onEach(adapters)) {
  describe(`Pushes (${name})`, () => {
    const rule = ruleOn(services)

    rule("become a change request of their name, and update it", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const first = yield* push(space, "feature", folder)
        assert.deepInclude(first, { status: "pushed", changeCount: 2, conflictCount: 0 })
        assert.deepInclude(first.changeRequest, { subject: "feature", status: "open", number: 1 })
        assert.deepStrictEqual(yield* titles(space), [])
        assert.deepStrictEqual(yield* titles(space, idOf(first)), ["One", "Two"])

        const again = yield* push(space, "feature", folder)
        assert.strictEqual(again.changeRequest?.revision, first.changeRequest?.revision)

        const next = yield* push(space, "feature", { ...folder, "SUMMARY.md": summary(["Two"]), "one.md": "# One\n" })
        assert.strictEqual(idOf(next), idOf(first))
        assert.notStrictEqual(next.changeRequest?.revision, first.changeRequest?.revision)

        const other = yield* push(space, "other", folder)
        assert.strictEqual(other.changeRequest?.number, 2)
        // A change request that somebody opened under the name is updated too.
        const { id } = yield* (yield* ChangeRequests).create(space, { subject: "by hand" })
        assert.strictEqual(idOf(yield* push(space, "by hand", folder)), id)
      })
    )

    rule("that change nothing open no change request", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const first = yield* push(space, "main", folder)
        assert.strictEqual(yield* merge(space, first), "merge")
        const again = yield* push(space, "main", folder)
        assert.deepInclude(again, { status: "unchanged", changeCount: 0, conflictCount: 0 })
        assert.notProperty(again, "changeRequest")
        // Other bytes of the same content are a change, since an export writes them.
        const styled = changed(folder, "one.md", "Alpha is first.", "Alpha  is first.")
        const spaced = yield* push(space, "main", { ...styled, "SUMMARY.md": `${folder["SUMMARY.md"]}\n` })
        assert.strictEqual(yield* merge(space, spaced), "merge")
        assert.deepStrictEqual((yield* pull(space)).files["SUMMARY.md"], `${folder["SUMMARY.md"]}\n`)
      })
    )

    rule("keep edits of the change request, and list conflicts with them", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const first = yield* push(space, "feature", folder)
        const id = idOf(first)
        yield* edit(space, id, "One", "Alpha is first.\n\nBeta is edited here.\n\nGamma is third.")
        const kept = yield* push(space, "feature", changed(folder, "one.md", "Gamma is third.", "Gamma is pushed."))
        assert.strictEqual(kept.conflictCount, 0)
        const text = page("One", "Alpha is first.", "Beta is edited here.", "Gamma is pushed.")
        assert.strictEqual((yield* pull(space, kept.changeRequest!.revision)).files["one.md"], text)

        const conflicting = yield* push(
          space,
          "feature",
          changed(folder, "one.md", "Beta is second.", "Beta is pushed.")
        )
        assert.strictEqual(conflicting.conflictCount, 1)
        assert.deepInclude(conflicting.conflicts[0], { path: "one.md" })
        assert.strictEqual(yield* merge(space, conflicting), "conflicts")
        // A conflict stays until it is resolved.
        const later = yield* push(space, "feature", changed(folder, "one.md", "Beta is second.", "Beta is pushed."))
        assert.strictEqual(later.conflictCount, 1)
        const contents = yield* ChangeRequestContents
        yield* contents.resolve(space, id, conflicting.conflicts[0]!.id, "main")
        assert.strictEqual(yield* merge(space, conflicting), "merge")
        assert.include((yield* pull(space)).files["one.md"], "Beta is edited here.")
      })
    )

    rule("keep edits of the main content since the last push", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* merge(space, yield* push(space, "main", folder))
        yield* editMain(space, (id) => edit(space, id, "One", "Alpha is first.\n\nBeta is edited.\n\nGamma is third."))
        const next = yield* push(space, "feature", changed(folder, "one.md", "Alpha is first.", "Alpha is pushed."))
        assert.strictEqual(next.conflictCount, 0)
        yield* editMain(space, (id) => edit(space, id, "Two", "There."))
        const again = yield* push(
          space,
          "feature",
          changed(folder, "one.md", "Alpha is first.", "Alpha is pushed again.")
        )
        assert.strictEqual(again.changeRequest?.outdated, false)
        assert.strictEqual(yield* merge(space, again), "merge")
        const { files } = yield* pull(space)
        assert.strictEqual(files["one.md"], page("One", "Alpha is pushed again.", "Beta is edited.", "Gamma is third."))
        assert.strictEqual(files["two.md"], page("Two", "There."))
      })
    )

    rule("of a branch recognize the pages that another branch pushed", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* merge(space, yield* push(space, "main", folder))
        const feature = changed(folder, "two.md", "Here.", "Here in the feature.")
        yield* push(space, "feature", feature)
        yield* push(space, "behind", folder)
        const later = {
          ...changed(folder, "one.md", "Beta is second.", "Beta of main."),
          "SUMMARY.md": summary(["One", "Two", "Three"]),
          "three.md": page("Three", "New.")
        }
        yield* merge(space, yield* push(space, "main", later))
        yield* editMain(space, (id) => edit(space, id, "Three", "New, and edited."))
        // The branch was merged with main.
        const merged = yield* push(space, "feature", { ...later, "two.md": feature["two.md"]! })
        assert.deepInclude(merged, { conflictCount: 0, changeCount: 1 })
        assert.deepStrictEqual(yield* titles(space, idOf(merged)), ["One", "Two", "Three"])
        // A branch that was not merged with main removes nothing of it.
        const behind = yield* push(space, "behind", changed(folder, "two.md", "Here.", "Here, behind."))
        assert.deepStrictEqual(yield* titles(space, idOf(behind)), ["One", "Two", "Three"])
        assert.strictEqual(yield* merge(space, merged), "merge")
        assert.strictEqual((yield* pull(space)).files["three.md"], page("Three", "New, and edited."))
      })
    )

    rule("of a pulled folder are merged with edits since then", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* editMain(space, (id) =>
          Effect.andThen(
            insert(space, id, "Born here", "First.\n\nSecond.\n\nThird."),
            insert(space, id, "Other", "Other.")
          )
        )
        const { files, revision } = yield* pull(space)
        assert.deepInclude(yield* push(space, "nothing", files, { base: revision }), { status: "unchanged" })
        assert.deepInclude(yield* push(space, "nothing", files), { status: "unchanged" })
        yield* editMain(space, (id) => edit(space, id, "Born here", "First of people.\n\nSecond.\n\nThird."))
        yield* editMain(space, (id) => edit(space, id, "Other", "Other of people."))
        const local = changed(files, "born-here.md", "Third.", "Third of the folder.")
        const pushed = yield* push(space, "feature", local, { base: revision })
        assert.deepInclude(pushed, { conflictCount: 0, changeCount: 1 })
        assert.strictEqual(yield* merge(space, pushed), "merge")
        assert.deepStrictEqual(yield* titles(space), ["Born here", "Other"])
        const after = (yield* pull(space)).files
        assert.strictEqual(
          after["born-here.md"],
          page("Born here", "First of people.", "Second.", "Third of the folder.")
        )
        assert.strictEqual(after["other.md"], page("Other", "Other of people."))
      })
    )

    rule("of a folder that lacks pages of the space leave them", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        yield* editMain(space, (id) => insert(space, id, "Born here", "Stays."))
        yield* merge(space, yield* push(space, "main", folder))
        assert.sameMembers(yield* titles(space), ["One", "Two", "Born here"])
        const without = { "SUMMARY.md": summary(["One"]), "one.md": folder["one.md"]! }
        yield* merge(space, yield* push(space, "main", without))
        assert.sameMembers(yield* titles(space), ["One", "Born here"])
      })
    )

    rule("are only computed in a dry run", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const storage = yield* Storage
        const revisions = storage.repository(RevisionTable).count({ space })
        const before = yield* revisions
        const planned = yield* push(space, "feature", folder, { dryRun: true })
        assert.deepInclude(planned, { status: "planned", changeCount: 2 })
        assert.notProperty(planned, "changeRequest")
        assert.strictEqual(yield* revisions, before)
        const { changeRequest } = yield* push(space, "feature", folder)
        const next = yield* push(space, "feature", { "one.md": folder["one.md"]! }, { dryRun: true })
        assert.deepInclude(next, { status: "planned", changeCount: 1 })
        assert.strictEqual(next.changeRequest?.revision, changeRequest?.revision)
      })
    )

    rule("change nothing before all files are uploaded", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const pushes = yield* Pushes
        const { list, upload } = yield* clientOf(space, folder)
        const request = { name: "feature", files: list }
        const first = yield* pushes.push(space, request)
        const missing = missingOf(first)
        assert.strictEqual(missing.length, 3)
        yield* upload(missing.slice(0, 1))
        assert.deepInclude(yield* pushes.push(space, request), { missing: missing.slice(1) })
        assert.strictEqual((yield* (yield* ChangeRequests).list(space, { status: ["all"] })).items.length, 0)
        yield* upload(missing.slice(1))
        assert.deepInclude(yield* pushes.push(space, request), { status: "pushed" })
        // Uploaded files are removed with the push that used them.
        const parts = (yield* Storage).repository(PushedPartTable)
        assert.strictEqual(yield* parts.count({ space }), 0)
        // Files that the space has are not uploaded again.
        const next = yield* clientOf(space, changed(folder, "two.md", "Here.", "Elsewhere."))
        const second = yield* pushes.push(space, { name: "feature", files: next.list })
        assert.strictEqual(missingOf(second).length, 1)
      })
    )

    rule("keep uploaded files for a day", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const { upload, list } = yield* clientOf(space, folder)
        const result = yield* (yield* Pushes).push(space, { name: "feature", files: list })
        yield* upload(missingOf(result))
        const parts = (yield* Storage).repository(PushedPartTable)
        yield* TestClock.adjust("1 day")
        yield* (yield* JobWorker).runDue
        assert.strictEqual(yield* parts.count({ space }), 1)
        yield* TestClock.adjust("1 day")
        yield* (yield* JobWorker).runDue
        assert.strictEqual(yield* parts.count({ space }), 0)
      })
    )

    rule("need an editor, and a space that the actor sees", () =>
      Effect.gen(function* () {
        const { org, people } = yield* members
        const { id: space } = yield* (yield* Spaces).create(org, {})
        const pushes = yield* Pushes
        const allowed = {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        }
        assert.deepStrictEqual(yield* outcomes(people, pushes.push(space, { name: "x", files: "" })), allowed)
        const end = new Uint8Array(1024)
        assert.deepStrictEqual(yield* outcomes(people, pushes.upload(space, end)), allowed)
        // The change request of another author needs a reviewer.
        yield* push(space, "feature", folder).pipe(as(people.edit))
        assert.deepStrictEqual(yield* outcomes(people, push(space, "feature", folder)), {
          ok: "host admin create review edit",
          Forbidden: "comment read",
          SpaceNotFound: "guest outsider"
        })
        yield* push(space, "theirs", folder).pipe(as(people.review))
        assert.strictEqual(yield* outcome(push(space, "theirs", folder)).pipe(as(people.edit)), "Forbidden")
      })
    )

    rule("with an invalid list or archive are refused", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const pushes = yield* Pushes
        const oid = "0".repeat(40)
        for (const files of ["x", `${oid} 1`, `${oid} -1 a.md`, `${oid} 1 ../a.md`, `${oid} 1 /a.md`]) {
          assert.strictEqual(yield* outcome(pushes.push(space, { name: "x", files })), "InvalidInput")
        }
        const twice = `${oid} 1 a.md\n`.repeat(2)
        assert.strictEqual(yield* outcome(pushes.push(space, { name: "x", files: twice })), "InvalidInput")
        assert.strictEqual(yield* outcome(pushes.push(space, { name: "", files: "" })), "InvalidInput")
        assert.strictEqual(yield* outcome(pushes.push(space, { name: "x", files: "", base: "x" })), "RevisionNotFound")
        assert.strictEqual(yield* outcome(pushes.upload(space, new Uint8Array([1, 2, 3]))), "InvalidInput")
      })
    )

    rule("are remembered while their change request can be updated, and the last merged one", () =>
      Effect.gen(function* () {
        const space = yield* newSpace
        const names = Effect.map((yield* Storage).repository(PushTable).list({ where: { space } }), (rows) =>
          rows.map(({ name }) => name).toSorted()
        )
        yield* merge(space, yield* push(space, "a", folder))
        yield* TestClock.adjust("1 second")
        yield* merge(space, yield* push(space, "b", changed(folder, "two.md", "Here.", "There.")))
        yield* push(space, "c", changed(folder, "two.md", "Here.", "Everywhere."))
        assert.deepStrictEqual(yield* names, ["b", "c"])
      })
    )
  })
}

describe("the list of files", () => {
  const rule = ruleOn(adapters.memory)
  rule("is read as it was printed", () =>
    Effect.sync(() => {
      const files = [
        { oid: "a".repeat(40), size: 0, path: "with spaces.md" },
        { oid: "b".repeat(40), size: 12, path: "folder/ü.md" }
      ]
      const parsed = FileList.parse(FileList.print(files))
      assert.deepStrictEqual(parsed._tag === "Success" ? parsed.success : [], files)
    })
  )
})
