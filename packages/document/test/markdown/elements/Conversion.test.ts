/** Tests the conversion of components, shortcodes, expressions and wikilinks to Lectern's Markdown. */
import { assert, describe, it } from "@effect/vitest"
import type { ContentRef } from "@lectern/document/Document"
import * as Conversion from "@lectern/document/markdown/elements/Conversion"

const resolve = (url: string): ContentRef | undefined => {
  if (url.endsWith("_part.mdx")) return { kind: "reusable-content", reusableContent: "part" }
  return /Notes|page|pic\.png/.test(url) ? { kind: "page", page: "p" } : undefined
}

const convert = (text: string, isMdx: boolean): string => Conversion.convert(text, { isMdx, resolve })?.text ?? text

const cards = (rows: string) =>
  `<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th></tr></thead><tbody>${rows}</tbody></table>`

const mdx: ReadonlyArray<readonly [name: string, mdx: string, markdown: string]> = [
  [
    "hints by their names, with a title",
    '<Note>\nOne\n</Note>\n\n<Warning title="Two">\n  Three\n</Warning>\n\n<Callout type="error">Four</Callout>\n\n<Aside type="tip">\nFive\n</Aside>\n',
    '{% hint style="info" %}\nOne\n{% endhint %}\n\n{% hint style="warning" %}\n**Two**\n\nThree\n{% endhint %}\n\n{% hint style="danger" %}\nFour\n{% endhint %}\n\n{% hint style="success" %}\nFive\n{% endhint %}\n'
  ],
  [
    "tabs in any indentation, with code",
    '<Tabs>\n    <Tab title="A">\n        One\n\n        ```js\n        x\n          y\n        ```\n    </Tab>\n    <Tab title="B">Two</Tab>\n</Tabs>\n',
    '{% tabs %}\n{% tab title="A" %}\nOne\n\n```js\nx\n  y\n```\n{% endtab %}\n{% tab title="B" %}\nTwo\n{% endtab %}\n{% endtabs %}\n'
  ],
  [
    "titles of tabs in a list of the group",
    "<Tabs items={['npm', 'yarn']}>\n<Tabs.Tab>a</Tabs.Tab>\n<Tabs.Tab>b</Tabs.Tab>\n</Tabs>\n\n<Tabs values={[{ label: 'Mac', value: 'mac' }]}>\n<TabItem value=\"mac\">c</TabItem>\n</Tabs>\n",
    '{% tabs %}\n{% tab title="npm" %}\na\n{% endtab %}\n{% tab title="yarn" %}\nb\n{% endtab %}\n{% endtabs %}\n\n{% tabs %}\n{% tab title="Mac" %}\nc\n{% endtab %}\n{% endtabs %}\n'
  ],
  [
    "tabs in a list item",
    '1. One\n\n   <Tabs>\n     <TabItem label="A">\n       two\n     </TabItem>\n   </Tabs>\n\n2. Three\n',
    '1. One\n\n   {% tabs %}\n   {% tab title="A" %}\n   two\n   {% endtab %}\n   {% endtabs %}\n\n2. Three\n'
  ],
  [
    "steps, columns and expandable blocks",
    '<Steps>\n<Step title="A">\nOne\n</Step>\n</Steps>\n\n<Columns>\n<Column>\nTwo\n</Column>\n</Columns>\n\n<AccordionGroup>\n<Accordion title="B & C">\nThree\n</Accordion>\n</AccordionGroup>\n',
    "{% stepper %}\n{% step %}\n### A\n\nOne\n{% endstep %}\n{% endstepper %}\n\n{% columns %}\n{% column %}\nTwo\n{% endcolumn %}\n{% endcolumns %}\n\n<details>\n<summary>B &amp; C</summary>\n\nThree\n\n</details>\n"
  ],
  [
    "cards as a table, and cards with other content as text",
    '<CardGroup cols={2}>\n  <Card title="A" href="/a">\n    One `b`\n  </Card>\n  <LinkCard title="C" description="D" href="/c" />\n</CardGroup>\n\n<Card title="E" href="/e">\n- f\n</Card>\n',
    `${cards('<tr><td><strong>A</strong></td><td>One <code>b</code></td><td><a href="/a">/a</a></td></tr><tr><td><strong>C</strong></td><td>D</td><td><a href="/c">/c</a></td></tr>')}\n\n\n**[E](</e>)**\n\n- f\n`
  ],
  [
    "code groups, and titles of code",
    '<CodeGroup>\n```bash npm\na\n```\n\n```bash title="y.sh" {1}\nb\n```\n</CodeGroup>\n\n```js title="c.js"\nc\n```\n',
    '{% tabs %}\n{% tab title="npm" %}\n```bash\na\n```\n{% endtab %}\n{% tab title="y.sh" %}\n```bash {1}\nb\n```\n{% endtab %}\n{% endtabs %}\n\n{% code title="c.js" %}\n```js\nc\n```\n{% endcode %}\n'
  ],
  [
    "code groups between colons, also in a list item, and other lines of colons as text",
    "::: code-group\n\n```ts{1} [a.ts]\na\n```\n\n```js\nb\n```\n\n:::\n\n* One\n\n  ::: code-group\n  ```sh [npm]\n  c\n  ```\n  :::\n\n:::: note\nTwo\n::::\n\n::: other-name\n:::\n\n::: code-group\n```sh\nd\n```\n",
    '{% tabs %}\n{% tab title="a.ts" %}\n```ts {1}\na\n```\n{% endtab %}\n{% tab title="js" %}\n```js\nb\n```\n{% endtab %}\n{% endtabs %}\n\n* One\n\n  {% tabs %}\n  {% tab title="npm" %}\n  ```sh\n  c\n  ```\n  {% endtab %}\n  {% endtabs %}\n\n:::: note\nTwo\n::::\n\n::: other-name\n:::\n\n::: code-group\n```sh\nd\n```\n'
  ],
  [
    "pictures of components, of imports and in frames",
    'import logo from \'./logo.png\'\n\n<Image src={logo} alt="A" />\n\n<Frame caption="B">\n  <img src="/b.png" style={{ width: 3 }} />\n</Frame>\n\nText <img src={require(\'./c.png\').default} /> more\n',
    '<!--import logo from \'./logo.png\'-->\n\n<figure><img src="./logo.png" alt="A"><figcaption></figcaption></figure>\n\n\n<figure><img src="/b.png" alt=""><figcaption><p>B</p></figcaption></figure>\n\n\nText <img src="./c.png"> more\n'
  ],
  [
    "fields of an API",
    '<ParamField path="id" type="string" required>\n  The id\n</ParamField>\n',
    "**`id`** `string` *required*\n\nThe id\n\n"
  ],
  [
    "expressions and statements as comments, and literals as text",
    "export const a = {\n  b: 1,\n\n  c: 2\n}\n\nA {a.b} and {\"*c*\"}{' '}d {2}\n\n{/* e\n   f */}\n\n\\{g} `{h}` $\\frac{i}{j}$ {{k}}\n\n## L {#l}\n",
    "<!--export const a = {\n  b: 1,\n\n  c: 2\n}-->\n\nA <!--{a.b}--> and \\*c\\* d 2\n\n<!--{/* e\n   f */}-->\n\n\\{g} `{h}` $\\frac{i}{j}$ {{k}}\n\n## L {#l}\n"
  ],
  [
    "unknown components as comments around their content",
    '<Foo a={[1 > 2]}>\n  One **two**\n</Foo>\n\nAn <Icon name="x" /> and <Bar>three</Bar>\n',
    '<!--<Foo a={[1 > 2]}>-->\nOne **two**\n<!-- </Foo>-->\n\nAn <!-- <Icon name="x" />--> and <!--<Bar>-->three<!--</Bar>-->\n'
  ],
  [
    "the content of elements of HTML as Markdown",
    '<div className="a" style={{ b: 1 }}>\n  **c**\n</div>\n\n<iframe src="https://a.b" />\n',
    '<div class="a">\n\n**c**\n\n</div>\n\n\n<iframe src="https://a.b"></iframe>\n'
  ],
  [
    "reusable content of a component",
    'import Part from "./_part.mdx"\n\n<Part a="b" />\n',
    '<!--import Part from "./_part.mdx"-->\n\n{% include "./_part.mdx" %}\n'
  ],
  [
    "no reusable content of a component that is a script, which is not requested",
    'import Part from "./_part.mdx.js"\n\n<Part />\n',
    '<!--import Part from "./_part.mdx.js"-->\n\n<!--<Part />-->\n'
  ],
  [
    "front matter, code and comments as they are",
    "---\ntitle: <Note>\n---\n\n```jsx\n<Note>{a}</Note>\n```\n\n`<Note>`\n",
    "---\ntitle: <Note>\n---\n\n```jsx\n<Note>{a}</Note>\n```\n\n`<Note>`\n"
  ],
  [
    "tags without an end",
    '<Tabs>\n<Tab title="A">\none\n\n</Steps>\n\n<Note>\ntwo\n',
    '<!--<Tabs>-->\n<!--<Tab title="A">-->\none\n\n<!-- </Steps>-->\n\n<!--<Note>-->\ntwo\n'
  ]
]

const markdown: ReadonlyArray<readonly [name: string, file: string, markdown: string]> = [
  [
    "known components on lines of their own, and imports",
    'import Tabs from \'@theme/Tabs\';\n\n<Tabs>\n<TabItem value="a" label="A">\n\none {b} <T>\n\n</TabItem>\n</Tabs>\n',
    "<!--import Tabs from '@theme/Tabs';-->\n\n{% tabs %}\n{% tab title=\"A\" %}\n\none {b} <T>\n\n{% endtab %}\n{% endtabs %}\n"
  ],
  [
    "no unknown component, and no indented code",
    "<Foo>\n\nA\n\n    <Note>\n    b\n",
    "<Foo>\n\nA\n\n    <Note>\n    b\n"
  ],
  [
    "shortcodes of notices, tabs and figures",
    '{{% notice tip "A" %}}\nOne\n{{% /notice %}}\n\n{{% alert title="B" color="warning" %}}\nTwo\n{{% /alert %}}\n\n{{< tabs >}}\n{{% tab "C" %}}\nThree\n{{% /tab %}}\n{{< /tabs >}}\n\n{{< figure src="d.png" caption="E" >}}\n',
    '{% hint style="success" %}\n**A**\n\nOne\n{% endhint %}\n\n{% hint style="warning" %}\n**B**\n\nTwo\n{% endhint %}\n\n{% tabs %}\n{% tab title="C" %}\nThree\n{% endtab %}\n{% endtabs %}\n\n<figure><img src="d.png" alt="E"><figcaption><p>E</p></figcaption></figure>\n\n'
  ],
  [
    "tabs of code, without a disabled one",
    '{{< tabpane >}}\n  {{< tab header="A:" disabled=true />}}\n  {{< tab header="B" lang="sh" >}}\n  c <d>\n  {{< /tab >}}\n{{< /tabpane >}}\n',
    '{% tabs %}\n{% tab title="B" %}\n```sh\nc <d>\n```\n{% endtab %}\n{% endtabs %}\n'
  ],
  [
    "shortcodes of code and embeds",
    '{{< highlight go >}}\na := "{{"\n{{< /highlight >}}\n\n{{< youtube abc >}}\n',
    '```go\na := "{{"\n```\n\n{% embed url="https://www.youtube.com/watch?v=abc" %}\n'
  ],
  [
    "references to pages, and unknown shortcodes as comments",
    '[A]({{< ref "page#b" >}}), [C]({{< relref "gone.md" >}}) {{< odd "d" >}}\n\n`{{< e >}}` {{ f }}\n',
    '[A](lectern-name:page#b), [C](gone.md) <!--{{< odd "d" >}}-->\n\n`{{< e >}}` {{ f }}\n'
  ],
  [
    "links and embeds in double brackets that lead to something",
    "[[Notes]], [[Notes#A b|c]], [[Gone]], ![[pic.png|300]], [[#D]], `[[Notes]]`\n",
    '[Notes](<lectern-name:Notes>), [c](<lectern-name:Notes#a-b>), [[Gone]], <img src="lectern-name:pic.png" alt="" width="300">, [D](<#d>), `[[Notes]]`\n'
  ]
]

describe("the conversion of MDX", () => {
  for (const [name, file, expected] of mdx) it(name, () => assert.strictEqual(convert(file, true), expected))
})

describe("the conversion of Markdown", () => {
  for (const [name, file, expected] of markdown) it(name, () => assert.strictEqual(convert(file, false), expected))

  it("leaves lines of white space alone", () =>
    assert.isUndefined(
      Conversion.convert("Text\n\n```java\n<T> T get()\n```\n   \n* a\n  \n  b\n", { isMdx: false, resolve })
    ))

  it("leaves text without elements alone", () =>
    assert.isUndefined(Conversion.convert("# A\n\n<b>c</b> {d} [e](f)\n", { isMdx: false, resolve })))
})
