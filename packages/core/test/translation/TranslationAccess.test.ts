/** Translations beside their source: who may see and change them, and what becomes of them as it goes elsewhere. */
import { assert, describe, it } from "@effect/vitest"
import { CurrentActor } from "@lectern/core/access/Actor"
import { Grants } from "@lectern/core/grant/Grants"
import { Collections } from "@lectern/core/collection/Collections"
import { collect } from "@lectern/core/content/store/GarbageCollection"
import { Organizations } from "@lectern/core/organization/Organizations"
import { SpaceTable } from "@lectern/core/space/Space"
import { Spaces } from "@lectern/core/space/Spaces"
import { ObjectStore } from "@lectern/core/storage/ObjectStore"
import { Storage } from "@lectern/core/storage/Storage"
import { TranslatedTable, TranslationTable } from "@lectern/core/translation/Translation"
import { Translations } from "@lectern/core/translation/Translations"
import { Users } from "@lectern/core/user/Users"
import { Effect, Exit } from "effect"
import { TestClock } from "effect/testing"
import { onEach } from "../Adapters.ts"
import { organization } from "../Instances.ts"
import { Engine } from "./Engine.ts"
import { adapters, begin, edit, page, read, run, type Services, servicesWith, work } from "./TranslationSteps.ts"

for (const [name, storage] of onEach(adapters)) {
  describe(`Translations beside their source (${name})`, () => {
    const test = <E>(title: string, body: (engine: Engine) => Effect.Effect<void, E, Services>) =>
      it.effect(title, () => {
        const engine = new Engine()
        return Effect.provide(body(engine), servicesWith(engine, storage))
      })

    test("are for administrators alone once their source belongs to another organization", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const { result } = yield* run(org, id)
        const translations = yield* Translations
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* (yield* Organizations).join(org, ada.id, "create")
        const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
        assert.strictEqual((yield* asAda(translations.list(org, {}))).count, 1)
        const other = yield* (yield* Organizations).create({ title: "Other" })
        yield* (yield* Spaces).transfer(space, other.id)
        assert.strictEqual((yield* asAda(translations.list(org, {}))).count, 0)
        assert.isTrue(Exit.isFailure(yield* Effect.exit(asAda(translations.get(org, id)))))
        const failed = yield* run(org, id)
        assert.strictEqual(failed.lastError, "The source space belongs to another organization now")
        assert.deepStrictEqual(failed.result, result)
      }))

    test("make another result where theirs is gone, and are told where it is locked", (engine) =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        const { result } = yield* run(org, id)
        yield* spaces.update(result!.space, { editMode: "locked" })
        yield* edit(space, [page("New", "Fresh.")])
        assert.match((yield* run(org, id)).lastError!, /is locked/)
        yield* spaces.remove(result!.space)
        engine.take()
        const again = yield* run(org, id)
        assert.deepStrictEqual(engine.take(), [])
        assert.notStrictEqual(again.result!.space, result!.space)
        assert.lengthOf((yield* read(again.result!.space)).pages, 3)
      }))

    test("go with their source, and leave their result", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const translations = yield* Translations
        const other = yield* translations.create(org, { source: { space }, language: "fr" })
        const { result } = yield* run(org, id)
        yield* run(org, other.id)
        const storage = yield* Storage
        assert.isTrue(yield* translations.remove(org, other.id))
        assert.isFalse(yield* translations.remove(org, other.id))
        yield* work
        assert.strictEqual(yield* storage.repository(TranslatedTable).count({ translation: other.id }), 0)
        // What it keeps of its pages outlives a collection, even where the result has been emptied since.
        yield* edit(
          result!.space,
          (yield* read(result!.space)).ids.map((page) => ({ operation: "delete_page" as const, page }))
        )
        yield* TestClock.adjust("3 days")
        yield* collect()
        const kept = yield* storage.repository(TranslatedTable).list({ where: { translation: id } })
        const objects = yield* ObjectStore
        for (const { made, answers } of kept) {
          assert.notInclude(yield* objects.get([made.document!, answers]), undefined)
        }
        yield* (yield* Spaces).remove(space)
        yield* TestClock.adjust("8 days")
        yield* work
        assert.strictEqual(yield* storage.repository(TranslationTable).count({ organization: org }), 0)
        assert.strictEqual(yield* storage.repository(TranslatedTable).count({ space }), 0)
        assert.isDefined(yield* storage.repository(SpaceTable).get({ id: result!.space }))
        assert.lengthOf((yield* read(result!.space)).pages, 0)
      }))

    test("open their result to those whom the source was granted to", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* spaces.update(space, { defaultLevel: null })
        yield* (yield* Organizations).join(org, ada.id, "read")
        const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
        assert.isTrue(Exit.isFailure(yield* Effect.exit(asAda((yield* Translations).get(org, id)))))
        yield* (yield* Grants).grant({ kind: "space", id: space }, { users: [ada.id], role: "read" })
        const { result } = yield* run(org, id)
        const shown = yield* asAda(spaces.get(result!.space))
        assert.deepInclude(shown, { defaultLevel: null, access: "kept" })
        assert.deepStrictEqual((yield* asAda((yield* Translations).get(org, id))).permissions, {
          view: true,
          edit: false
        })
      }))

    test("are as open as their source from then on, until someone opens the result", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const [spaces, grants] = [yield* Spaces, yield* Grants]
        const ada = yield* (yield* Users).create({ email: "ada@example.com" })
        yield* (yield* Organizations).join(org, ada.id, "read")
        const target = { kind: "space", id: space } as const
        yield* grants.grant(target, { users: [ada.id], role: "edit" })
        const made = (yield* run(org, id)).result!.space
        const level = Effect.gen(function* () {
          const asAda = Effect.provideService(CurrentActor, { type: "user", user: ada.id })
          const seen = yield* Effect.exit(asAda(spaces.get(made)))
          const listed = (yield* asAda(spaces.list(org, {}))).items.some((one) => one.id === made)
          assert.strictEqual(listed, Exit.isSuccess(seen))
          return Exit.isSuccess(seen) ? (seen.value.permissions.edit ? "edit" : "read") : undefined
        })
        assert.strictEqual(yield* level, "edit")
        yield* grants.change(target, "user", ada.id, "read")
        assert.strictEqual(yield* level, "read")
        yield* spaces.update(space, { defaultLevel: null })
        assert.strictEqual(yield* level, "read")
        yield* grants.remove(target, "user", ada.id)
        assert.strictEqual(yield* level, undefined)
        // Moving it opens nothing, nor does the end of its source.
        const { id: parent } = yield* (yield* Collections).create(org, {})
        yield* spaces.move(made, { parent })
        assert.strictEqual(yield* level, undefined)
        yield* spaces.remove(space)
        yield* TestClock.adjust("8 days")
        yield* work
        assert.isUndefined(yield* (yield* Storage).repository(SpaceTable).get({ id: space }))
        assert.strictEqual(yield* level, undefined)
        const opened = yield* spaces.update(made, { access: "inherit" })
        assert.deepInclude(opened, { defaultLevel: "read", access: "inherit" })
        assert.strictEqual(yield* level, "read")
      }))

    test("stay as closed as they were when their source goes to another organization", () =>
      Effect.gen(function* () {
        const { org, space, id } = yield* begin
        const spaces = yield* Spaces
        yield* spaces.update(space, { defaultLevel: null })
        const made = (yield* run(org, id)).result!.space
        yield* spaces.transfer(space, yield* organization)
        assert.deepInclude(yield* spaces.get(made), { defaultLevel: null, access: "kept", organization: org })
      }))
  })
}
