/**
 * Writes `packages/site/src/styling/CodeThemes.ts` (`pnpm code-themes`): the colours of the code themes that site
 * customization offers, taken from the themes of Shiki.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { root } from "./BuildStamp.ts"

interface Theme {
  readonly colors?: Readonly<Record<string, string>>
  readonly fg?: string
  readonly bg?: string
  readonly tokenColors?: ReadonlyArray<Rule>
  readonly settings?: ReadonlyArray<Rule>
}
interface Rule {
  readonly scope?: string | ReadonlyArray<string>
  readonly settings?: { readonly foreground?: string }
}

/** Scopes of each token kind. If a theme has no colour for the first scope, the next ones apply. */
const scopes = {
  c: ["comment"],
  s: ["string"],
  r: ["string.regexp", "constant.character.escape", "string"],
  n: ["constant.numeric", "constant.language", "constant"],
  k: ["keyword.control", "keyword", "storage.type", "storage"],
  o: ["keyword.operator"],
  f: ["entity.name.function", "support.function"],
  t: ["entity.name.type", "entity.name.class", "support.type", "support.class"],
  g: ["entity.name.tag", "markup.heading"],
  a: ["variable.parameter", "entity.other.attribute-name", "support.type.property-name", "variable"],
  i: ["markup.inserted", "string"],
  d: ["markup.deleted", "keyword"]
} as const

const opaque = (color: string | undefined): string | undefined => {
  const hex = /^#([0-9a-f]{3,8})$/i.exec(color ?? "")?.[1]
  if (hex === undefined) return undefined
  const long = hex.length <= 4 ? hex.replace(/./g, "$&$&") : hex
  return `#${long.slice(0, 6).toLowerCase()}`
}

/**
 * Returns the colour of the rule with the longest scope that equals `scope` or is its prefix. The last of several equal
 * rules applies.
 */
const colorOf = (rules: ReadonlyArray<Rule>, scope: string): string | undefined => {
  let longestLength = 0
  let bestColor: string | undefined
  for (const { scope: ruleScopes, settings } of rules) {
    const allScopes = typeof ruleScopes === "string" ? ruleScopes.split(",") : (ruleScopes ?? [])
    for (const ruleScope of allScopes.map((text) => text.trim())) {
      const color = opaque(settings?.foreground)
      if (
        color === undefined ||
        !(scope === ruleScope || scope.startsWith(`${ruleScope}.`)) ||
        ruleScope.length < longestLength
      )
        continue
      longestLength = ruleScope.length
      bestColor = color
    }
  }
  return bestColor
}

const stylingSource = readFileSync(join(root, "packages/core/src/customization/Styling.ts"), "utf8")
const list = /const CodeTheme = Schema\.Literals\(\[([^\]]*)\]/.exec(stylingSource)![1]!
const names = Array.from(list.matchAll(/"([\w-]+)"/g), ([, name]) => name!).filter(
  (name) => !/^(default|monochrome)-/.test(name)
)

const lines = await Promise.all(
  names.map(async (name) => {
    const { default: theme } = (await import(`@shikijs/themes/${name}`)) as { readonly default: Theme }
    const rules = theme.tokenColors ?? theme.settings ?? []
    const plainColor = rules.find(({ scope }) => scope === undefined)?.settings?.foreground
    const ink = opaque(theme.colors?.["editor.foreground"]) ?? opaque(theme.fg) ?? opaque(plainColor) ?? "#888888"
    const ground = opaque(theme.colors?.["editor.background"]) ?? opaque(theme.bg) ?? "#ffffff"
    const colors = Object.values(scopes).map(
      (candidates) => candidates.map((scope) => colorOf(rules, scope)).find((color) => color !== undefined) ?? ink
    )
    return `  "${name}": "${[ground, ink, ...colors].map((color) => color.slice(1)).join(" ")}"`
  })
)

writeFileSync(
  join(root, "packages/site/src/styling/CodeThemes.ts"),
  `/**
 * Colours of the themes of code, made by \`pnpm code-themes\`: the ground, the ink, and those of words by their kinds
 * (${Object.keys(scopes).join(", ")}).
 */

export const kinds = ${JSON.stringify(Object.keys(scopes))} as const

export const themes: Readonly<Record<string, string>> = {
${lines.join(",\n")}
}
`
)
