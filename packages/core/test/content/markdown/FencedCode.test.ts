import { assert, describe, it } from "@effect/vitest"
import type { Root } from "mdast"
import * as FencedCode from "@lectern/core/content/markdown/FencedCode"
import * as Syntax from "@lectern/core/content/markdown/Syntax"
import * as fc from "fast-check"
import { runs } from "../../Runs.ts"

const treeOf = (root: Root | undefined) => JSON.parse(Syntax.toJson(root!)) as unknown

const code = Array.from({ length: 6 }, (_, n) => `  line ${n} *of* <code> \`${n}\`\t& more`).join("\n")

const fenced = (content: string, fence = "```") => `${fence}js title="a"\n${content}\n${fence}\n`

/** Whether the code of the text is set aside, and whether it may come back. */
const cases: ReadonlyArray<readonly [name: string, text: string, isAside: boolean, isBack: boolean]> = [
  ["alone", fenced(code), true, true],
  ["in a text", `# a\n\nb\n${fenced(code)}c *d*\n`, true, true],
  ["after a list", `- a\n${fenced(code)}`, true, true],
  ["with a blank first and last line", fenced(`\n${code}\n`), true, true],
  ["with a longer fence inside", fenced(`${code}\n\`\`\`\n${code}`, "````"), true, true],
  ["closed by a longer, indented fence", `\`\`\`\n${code}\n   \`\`\`\`\` \t\nb\n`, true, true],
  ["between tags", `{% tabs %}\n{% tab title="a" %}\n${fenced(code)}{% endtab %}\n{% endtabs %}\n`, true, true],
  ["short", fenced("a"), false, false],
  ["empty", "```\n```\n", false, false],
  ["never closed", `\`\`\`\n${code}\n`, false, false],
  ["in a list", `- a\n  ${fenced(code).replaceAll("\n", "\n  ")}`, false, false],
  ["with the end of a tag", fenced(`${code} %}`), false, false],
  ["with the end of a formula", `$$\na\n\n${fenced(`${code}\n$$`)}`, false, false],
  ["with what stands for it", `\u0001\n\n${fenced(code)}`, false, false],
  ["in a comment", `<!--\n${fenced(code)}-->\n`, true, false],
  ["in a comment that ends in it", `<!--\n${fenced(`${code}\n-->\n\n# a`)}`, true, false],
  ["in an element that ends in it", `<div>\n${fenced(`${code}\n\n# a`)}`, true, false],
  ["in other code", `~~~\n${fenced(code)}~~~\n`, true, false]
]

const pieces = fc.oneof(
  fc.constantFrom(
    "<!--\n",
    "-->\n",
    "<div>\n",
    "~~~\n",
    "```\n",
    "$$\n",
    "> ",
    "- a\n",
    "    ",
    "\n",
    "\n\n",
    "a",
    "# b\n"
  ),
  fc.constantFrom(
    "{% hint %}\n",
    "{% endhint %}\n",
    "| a | b |\n| - | - |\n",
    "[a]: /b\n",
    "[^a]: b\n",
    "*",
    "````\n",
    "==="
  ),
  fc
    .constantFrom("-->\n", "$$\n", "{% hint\n", "# a\n\n", "</div>\n", "> a\n")
    .map((inside) => fenced(`${code}\n${inside}`)),
  fc.constant(fenced(code))
)

describe("FencedCode", () => {
  for (const [name, text, isAside, isBack] of cases) {
    it(`code ${name} is ${isBack ? "set aside" : isAside ? "parsed once more" : "left where it is"}`, () => {
      const aside = FencedCode.setAside(text)
      assert.strictEqual(aside !== undefined, isAside)
      if (aside !== undefined) {
        assert.notInclude(aside.text, "line 1")
        assert.strictEqual(FencedCode.putBack(Syntax.parseWhole(aside.text), aside.codes), isBack)
      }
      assert.deepStrictEqual(treeOf(Syntax.parse(text)), treeOf(Syntax.parseWhole(text)))
    })
  }

  it("what is parsed does not depend on it", () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), (parts) => {
        const text = parts.join("")
        assert.deepStrictEqual(treeOf(Syntax.parse(text)), treeOf(Syntax.parseWhole(text)))
      }),
      runs(1_000)
    )
  })
})
