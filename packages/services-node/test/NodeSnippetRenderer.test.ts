import { assert, describe, it } from "@effect/vitest"
import { SnippetRenderer, type SnippetRequest } from "@lectern/site/rendering/SnippetRenderer"
import { Effect } from "effect"
import { NodeSnippetRenderer } from "../src/rendering/NodeSnippetRenderer.ts"

const paint = (wanted: ReadonlyArray<SnippetRequest>) =>
  Effect.flatMap(SnippetRenderer, (painter) => painter!.render(wanted)).pipe(
    Effect.provide(NodeSnippetRenderer.layer())
  )

const code = (code: string, syntax: string): SnippetRequest => ({ kind: "code", code, syntax })
const formula = (tex: string, isBlock = false): SnippetRequest => ({ kind: "formula", tex, isBlock })
const icon = (name: string, style = "regular"): SnippetRequest => ({ kind: "icon", name, style })

describe("NodeSnippetRenderer", () => {
  it.live("marks code, sets formulas and draws icons, and leaves out what it does not know", () =>
    Effect.gen(function* () {
      const [ts, json, unknown, path, shape, block, noTex, star, house, brand, pro, notAName] = yield* paint([
        code("const a = 1 // one\n\nb<c", "ts"),
        code('{"a": null}', "JSON"),
        code("a", "no-such-language"),
        code("a", "../../package.json"),
        formula("\\frac{1}{2}"),
        formula("\\sum_{i=1}^n i", true),
        formula("\\frac{1}{"),
        icon("star"),
        icon("fa-home"),
        icon("github", "duotone"),
        icon("no-such-icon"),
        icon("../brands/github")
      ])
      assert.deepStrictEqual(ts, [
        '<span class="k">const</span> a <span class="o">= </span><span class="n">1 </span><span class="c">// one</span>',
        "",
        'b<span class="o">&lt;</span>c'
      ])
      assert.deepStrictEqual(json, ['{<span class="a">&quot;a&quot;</span>: <span class="n">null</span>}'])
      assert.match(shape![0]!, /^<span class="formula-box"><svg class="formula deep-\d+" viewBox="0 -/)
      assert.match(shape![0]!, /<math[^>]*><mfrac><mn>1<\/mn><mn>2<\/mn><\/mfrac><\/math>/)
      assert.match(block![0]!, /<svg class="formula" .*<munderover>/)
      for (const drawn of [star, house, brand]) {
        assert.match(
          drawn![0]!,
          /^<svg class="icon" viewBox="0 64 640 512" aria-hidden="true"><path d="[^"<]+"\/><\/svg>$/
        )
      }
      assert.deepStrictEqual(
        [unknown, path, noTex, pro, notAName],
        [undefined, undefined, undefined, undefined, undefined]
      )
    })
  )

  it.live("draws icons in the nearest style that is free", () =>
    Effect.gen(function* () {
      const styles = ["regular", "light", "thin", "solid", "duotone"]
      const starsAndRockets = yield* paint(
        ["star", "rocket"].flatMap((name) => styles.map((style) => icon(name, style)))
      )
      const drawn = starsAndRockets.map((painted) => painted?.[0])
      const [line, fill] = [drawn[0], drawn[3]]
      assert.notStrictEqual(line, fill)
      assert.deepStrictEqual(drawn.slice(0, 5), [line, line, line, fill, fill])
      // Rockets are free as `solid` alone.
      assert.notInclude(drawn, undefined)
    })
  )

  it.live("draws nothing that runs, whatever a formula or code says", () =>
    Effect.gen(function* () {
      const hostile = '"><img src=x onerror=alert(1)><script>alert(1)</script>'
      const painted = yield* paint([
        code(hostile, "html"),
        code(hostile, "ts"),
        formula(`\\text{${hostile}}`),
        formula("\\href{javascript:alert(1)}{x}"),
        formula("\\style{background:url(x)}{x}"),
        formula("\\class{x}{y} \\cssId{z}{w}"),
        formula("\\color{red;background:url(//x)}{x}"),
        formula("\\unicode[onload=alert(1)]{65}"),
        formula("\\require{html}\\href{javascript:alert(1)}{x}")
      ])
      for (const part of painted.flatMap((one) => one ?? [])) {
        assert.notMatch(part, /<(?:img|script|a|foreignObject)\b|<[^>]*\s(?:on\w+|style|href|id)=/i)
      }
      assert.isDefined(painted[0])
    })
  )

  it.live("ends what takes too long, and draws the others", () =>
    Effect.gen(function* () {
      const endless = formula(`${"\\def\\a{\\b\\b}\\def\\b{\\c\\c}\\def\\c{\\a}"}\\a`)
      const [, after] = yield* paint([endless, icon("star")])
      assert.isDefined(after)
    })
  )
})
