/** Markdown of every construct, with placeholders for words at all possible positions. */
import * as fc from "fast-check"
import type { Words } from "./Words.ts"

const constructs = [
  "%",
  "% % % % %",
  "% **% %** _%_ ~~%~~ `%` [%](https://example.com/%) %",
  "%\\\n%\n%",
  "# %",
  "## % %",
  "### %",
  "- %\n- % %\n- %",
  "- %\n  - %\n    - %\n  - %\n- %",
  "- %\n\n  %\n\n  ```\n  %\n  ```\n- %",
  "1. %\n2. %\n   1. %\n3. %",
  "- [ ] %\n- [x] %\n- [ ] %",
  "> %\n>\n> - %\n> - %",
  "```js\n%\n%\n%\n%\n```",
  '{% code title="%" %}\n```js\n%\n%\n```\n{% endcode %}',
  "| % | % |\n| --- | --- |\n| % | % |\n| % | % |\n| % | % |",
  "| % |\n| - |\n| % % |",
  '<table><thead><tr><th>%</th><th data-type="number">%</th></tr></thead><tbody><tr><td>%</td><td>1</td></tr><tr><td>%</td><td>2</td></tr></tbody></table>',
  '{% hint style="info" %}\n%\n\n%\n{% endhint %}',
  '{% tabs %}\n{% tab title="%" %}\n%\n{% endtab %}\n\n{% tab title="%" %}\n%\n{% endtab %}\n{% endtabs %}',
  "<details>\n\n<summary>%</summary>\n\n%\n\n- %\n\n</details>",
  "{% stepper %}\n{% step %}\n## %\n\n%\n{% endstep %}\n\n{% step %}\n## %\n{% endstep %}\n{% endstepper %}",
  '{% columns %}\n{% column width="50%" %}\n%\n{% endcolumn %}\n\n{% column %}\n%\n{% endcolumn %}\n{% endcolumns %}',
  '<figure><img src="https://example.com/x.png" alt="%"><figcaption><p>%</p></figcaption></figure>',
  '{% if visitor.claims.unsigned.plan == "x" %}\n%\n{% endif %}',
  '{% embed url="https://example.com/%" %}\n%\n{% endembed %}',
  "$$\n%\n$$",
  "---",
  "<div>%</div>",
  "{% unknown % %}",
  "%[^%]\n\n[^@]: %"
]

const bulks = ["paragraphs", "rows", "items", "lines", "words"] as const

export interface Text {
  readonly constructs: ReadonlyArray<number>
  readonly bulk: (typeof bulks)[number]
  readonly size: number
}

const few = fc.array(fc.nat(constructs.length - 1), { minLength: 1, maxLength: 8 })

/** Mostly small documents; one in four repeats a construct hundreds of times. */
export const text: fc.Arbitrary<Text> = fc.record({
  constructs: few,
  bulk: fc.constantFrom(...bulks),
  size: fc.oneof(
    { weight: 3, arbitrary: fc.integer({ min: 0, max: 6 }) },
    { weight: 1, arbitrary: fc.integer({ min: 100, max: 600 }) }
  )
})

const many = (bulk: Text["bulk"], size: number, words: Words): string => {
  const each = (line: (word: string) => string, between: string) =>
    Array.from({ length: size }, () => line(words.next())).join(between)
  switch (bulk) {
    case "paragraphs":
      return each((word) => word, "\n\n")
    case "rows":
      return size === 0 ? "" : `| ${words.text(1)} | x |\n| - | - |\n${each((word) => `| ${word} | same |`, "\n")}`
    case "items":
      return each((word) => `- ${word}`, "\n")
    case "lines":
      return `\`\`\`\n${each((word) => word, "\n")}\n\`\`\``
    case "words":
      return words.text(size * 5)
  }
}

export const construct = (n: number, words: Words): string => words.fill(constructs[n % constructs.length]!)

export const markdownOf = (text: Text, words: Words): string =>
  [...text.constructs.map((n) => construct(n, words)), many(text.bulk, text.size, words)].join("\n\n")
