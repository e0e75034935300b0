import { Customization, defaultCustomization } from "@lectern/core/customization/Customization"
import { assert, describe, it } from "@effect/vitest"
import * as CodeColors from "../src/styling/CodeColors.ts"
import { themes } from "../src/styling/CodeThemes.ts"
import * as Colors from "../src/styling/Colors.ts"

const codeTheme = Customization.fields.styling.fields.codeTheme.fields.default.fields.light
const all =
  codeTheme.ast._tag === "Union"
    ? codeTheme.ast.types.map((type) => String((type as { literal?: unknown }).literal))
    : []

const propertiesOf = (theme: string) => {
  const codeTheme = { default: { light: theme, dark: theme }, openapi: { light: theme, dark: theme } }
  return new Map(
    CodeColors.properties({
      ...defaultCustomization,
      styling: { ...defaultCustomization.styling, codeTheme }
    } as Customization)
  )
}

describe("colours of code", () => {
  it("are there for every theme that customization names", () => {
    assert.isAbove(all.length, 60)
    assert.deepStrictEqual(
      all.filter((name) => !/^(default|monochrome)-/.test(name) && themes[name] === undefined),
      []
    )
  })

  it("are read on the ground of their theme", () => {
    for (const theme of all) {
      const [ground, ...inks] = Array.from(propertiesOf(theme).values(), (value) => /#[0-9a-f]{6}/.exec(value)![0])
      for (const ink of inks) assert.isAtLeast(Colors.contrast(ink, ground!), 4.5, `${theme}: ${ink} on ${ground}`)
    }
  })
})
