/** Random Markdown of pages in any style, with nested blocks, and with references to other parts of the page. */
import * as fc from "fast-check"

const word = fc.constantFrom(
  "alpha",
  "beta",
  "gamma *delta*",
  "__epsilon__",
  "`zeta` eta",
  "[theta](https://a.b 't')",
  "[iota][B]"
)
const line = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => `Some ${words.join("  ")} here`)
const indented = (text: string, prefix: string) => text.replaceAll("\n", `\n${prefix}`)

/** Text that refers to a definition elsewhere on the page. The definition may be missing. */
const elsewhere = fc.oneof(
  fc.nat(3).map((label) => `Some [text](#user-content-fn-${label})[^${label}] here`),
  fc.constantFrom("![an image][B]", "![an image][c]", "More[^note]")
)

const leaf = fc.oneof(
  elsewhere,
  line,
  fc.tuple(line, line).map(([one, other]) => `${one}\n${other}`),
  line.map((text) => `${text}\n---`),
  line.map((text) => `###   ${text} ###`),
  fc.tuple(line, line).map(([one, other]) => `~~~ js\n${one}\n${other}\n~~~`),
  fc.tuple(line, line).map(([one, other]) => `    ${one}\n      ${other}`),
  fc.tuple(line, line, line).map(([a, b, c]) => `|  A|B  |\n|:---|:-:|\n|${a}|   ${b} |\n| ${c}||`)
)

const html = fc.oneof(
  line.map((text) => `<div class="own">\n  ${text}\n</div>`),
  line.map((text) => `<!-- ${text} -->`),
  line.map((text) => `<p align="center">${text}</p>`),
  line.map((text) => `<figure style="width:1px"><img src="a.png" alt=""><figcaption>${text}</figcaption></figure>`),
  line.map(
    (text) => `<table>\n<thead><tr><th>A</th></tr></thead>\n<tbody><tr><td><p>${text}</p></td></tr></tbody>\n</table>`
  )
)

export const blocks = fc.letrec<{ block: string; body: string }>((tie) => ({
  body: fc.array(tie("block"), { minLength: 1, maxLength: 3 }).map((all) => all.join("\n\n")),
  block: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    leaf,
    fc
      .tuple(fc.constantFrom("- ", "*   ", "+ ", "1) ", "3. "), fc.array(tie("body"), { minLength: 1, maxLength: 3 }))
      .map(([bullet, items]) => {
        // After a marker with several spaces, indented code would have another margin than the other blocks.
        const marker = items.some((item) => item.startsWith(" ")) ? bullet.trim() + " " : bullet
        return items
          .map((item) => marker + indented(item, " ".repeat(marker.length)))
          .join(items.length > 2 ? "\n" : "\n\n")
      }),
    tie("body").map((body) => `> ${indented(body, "> ")}`),
    tie("body").map((body) => `{% hint style='info' %}\n${body}\n{% endhint %}`),
    tie("body").map((body) => `:::note Be *careful*\n${body}\n:::`),
    // Without a line break, some blocks would be part of the first line.
    tie("body").map((body) => `> [!NOTE]\n${/^(?: |3|\[)/.test(body) ? ">\n" : ""}> ${indented(body, "> ")}`),
    html,
    fc
      .tuple(fc.constantFrom("0", "1", "2", "3", "note"), tie("body"))
      .map(([label, body]) => `[^${label}]: ${indented(body, "    ")}`),
    fc.constantFrom("[b]: https://b.c 'A *caption*'", "[C]:\n  /d/e\n  (More)", "[B]: /other"),
    tie("body").map((body) => `<details>\n<summary>More</summary>\n\n${body}\n\n</details>`),
    fc
      .tuple(
        fc.constantFrom(["tabs", "tab title='A'"], ["stepper", "step"], ["columns", "column"]),
        fc.array(tie("body"), { minLength: 1, maxLength: 3 })
      )
      .map(([[all, one], bodies]) =>
        [
          `{% ${all} %}`,
          ...bodies.map((body) => `{% ${one} %}\n${body}\n{% end${one!.split(" ")[0]} %}`),
          `{% end${all} %}`
        ].join("\n")
      )
  )
}))
