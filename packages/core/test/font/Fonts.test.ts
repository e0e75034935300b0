import type { CurrentActor } from "@lectern/core/access/Actor"
import { type FontCreate, FontTable, maxFonts } from "@lectern/core/font/Font"
import { Fonts } from "@lectern/core/font/Fonts"
import { Storage } from "@lectern/core/storage/Storage"
import { assert, describe } from "@effect/vitest"
import { Effect } from "effect"
import { members, outcome, outcomes, ruleOn } from "../Actors.ts"
import { onEach } from "../Adapters.ts"
import { as } from "../comment/Discussion.ts"
import { adapters } from "../Instances.ts"
import { invalidPaths, invalidPathsOf } from "../Issues.ts"
import { upload, woff2 } from "../upload/UploadedFile.ts"

/** An organization with a font of the weights 400 and 700. `other` is the key of a further file. */
const withFont = Effect.gen(function* () {
  const { org, elsewhere, people } = yield* members
  const fonts = yield* Fonts
  const [regular, bold, other] = yield* Effect.forEach(["regular", "bold", "other"], (text) =>
    Effect.map(upload(org, "customization_font", `${text}.woff2`, woff2(text)), ({ key }) => key)
  )
  const { id } = yield* fonts.create(org, {
    fontFamily: "Acme Sans",
    fontFaces: [
      { weight: 700, storageKey: bold! },
      { weight: 400, storageKey: regular! }
    ]
  })
  const weights = Effect.map(fonts.get(org, id), ({ fontFaces }) => fontFaces.map(({ weight }) => weight))
  return { org, elsewhere, people, fonts, id, weights, regular: regular!, other: other! }
})

for (const [name, services] of onEach(adapters)) {
  describe(`Fonts (${name})`, () => {
    const rule = ruleOn(services)

    rule("are visible to all members", () =>
      Effect.gen(function* () {
        const { org, people, fonts, id } = yield* withFont
        for (const read of [fonts.list(org, {}), fonts.get(org, id)]) {
          assert.deepStrictEqual(yield* outcomes(people, read), {
            ok: "host admin create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
        assert.isTrue((yield* fonts.get(org, id).pipe(as(people.admin))).permissions.edit)
        assert.isFalse((yield* fonts.get(org, id).pipe(as(people.create))).permissions.edit)
      })
    )

    rule("are managed by administrators", () =>
      Effect.gen(function* () {
        const { org, people, fonts, id, regular } = yield* withFont
        const input: FontCreate = { fontFamily: "New", fontFaces: [{ weight: 400, storageKey: regular }] }
        for (const use of [
          fonts.create(org, input),
          fonts.update(org, id, { fontFamily: "New" }),
          fonts.remove(org, "unknown")
        ]) {
          assert.deepStrictEqual(yield* outcomes(people, use), {
            ok: "host admin",
            Forbidden: "create review edit comment read guest",
            OrganizationNotFound: "outsider"
          })
        }
      })
    )

    rule("have faces by weight with public URLs", () =>
      Effect.gen(function* () {
        const { org, fonts, id } = yield* withFont
        const font = yield* fonts.get(org, id)
        assert.deepInclude(font, { custom: true, fontFamily: "Acme Sans" })
        assert.deepStrictEqual(
          font.fontFaces.map(({ weight, sources }) => [weight, sources.map(({ format }) => format)]),
          [
            [400, ["woff2"]],
            [700, ["woff2"]]
          ]
        )
        assert.include(font.fontFaces[0]?.sources[0]?.url, `/v1/orgs/${org}/storage/files/`)
      })
    )

    rule("keep faces that a patch does not name, and always the weight 400", () =>
      Effect.gen(function* () {
        const { org, fonts, id, weights, other } = yield* withFont
        const before = yield* fonts.get(org, id)
        const face = (weight: number, storageKey: string | null) => ({ fontFaces: [{ weight, storageKey }] })
        yield* fonts.update(org, id, face(300, other))
        assert.deepStrictEqual(yield* weights, [300, 400, 700])
        yield* fonts.update(org, id, face(700, null))
        assert.deepStrictEqual(yield* weights, [300, 400])
        assert.strictEqual(yield* invalidPaths(fonts.update(org, id, face(400, null))), "body.fontFaces")
        const replaced = yield* fonts.update(org, id, face(400, other))
        assert.notDeepEqual(replaced.fontFaces[1], before.fontFaces[0])
        assert.strictEqual((yield* fonts.update(org, id, {})).fontFamily, "Acme Sans")
      })
    )

    rule("reject missing, repeated and invalid weights, and keys of other files", () =>
      Effect.gen(function* () {
        const { org, elsewhere, fonts, regular, other } = yield* withFont
        const picture = yield* upload(org, "organization_file", "a.svg", new TextEncoder().encode("<svg/>"))
        const foreign = yield* upload(elsewhere, "customization_font", "a.woff2", woff2("a"))
        const face = (weight: number, storageKey: string) => ({ weight, storageKey })
        assert.deepStrictEqual(
          yield* invalidPathsOf<FontCreate, CurrentActor>(
            [
              { fontFamily: "F", fontFaces: [] },
              { fontFamily: "F", fontFaces: [face(700, regular)] },
              { fontFamily: "F", fontFaces: [face(400, regular), face(400, other)] },
              { fontFamily: "F", fontFaces: [face(400, regular), face(500, "unknown")] },
              { fontFamily: "F", fontFaces: [face(400, picture.key)] },
              { fontFamily: "F", fontFaces: [face(400, foreign.key)] },
              { fontFamily: "", fontFaces: [face(400, regular)] }
            ],
            (input) => fonts.create(org, input)
          ),
          [
            "fontFaces",
            "body.fontFaces",
            "body.fontFaces",
            "body.fontFaces[1].storageKey",
            "body.fontFaces[0].storageKey",
            "body.fontFaces[0].storageKey",
            "fontFamily"
          ]
        )
        assert.strictEqual((yield* fonts.list(org, {})).count, 1)
      })
    )

    rule("exist in their organization only, and are removed once", () =>
      Effect.gen(function* () {
        const { org, elsewhere, fonts, id } = yield* withFont
        assert.strictEqual(yield* outcome(fonts.get(elsewhere, id)), "FontNotFound")
        assert.strictEqual(yield* outcome(fonts.update(elsewhere, id, {})), "FontNotFound")
        assert.isFalse(yield* fonts.remove(elsewhere, id))
        assert.isTrue(yield* fonts.remove(org, id))
        assert.isFalse(yield* fonts.remove(org, id))
        assert.strictEqual(yield* outcome(fonts.get(org, id)), "FontNotFound")
      })
    )

    rule("are limited to 100 per organization", () =>
      Effect.gen(function* () {
        const { org, fonts, id, regular } = yield* withFont
        const storage = yield* Storage
        const rows = storage.repository(FontTable)
        const row = (yield* rows.get({ id }))!
        yield* storage.transaction(
          Effect.forEach(Array.from({ length: maxFonts - 1 }), (_, i) => rows.insert({ ...row, id: `font-${i}` }))
        )
        const create = fonts.create(org, { fontFamily: "F", fontFaces: [{ weight: 400, storageKey: regular }] })
        assert.strictEqual(yield* outcome(create), "TooManyFonts")
        yield* fonts.remove(org, id)
        assert.strictEqual(yield* outcome(create), "ok")
      })
    )
  })
}
