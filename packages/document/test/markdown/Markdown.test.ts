import { assert, describe, it } from "@effect/vitest"
import type { ContentRef } from "@lectern/document/Document"
import * as Markdown from "@lectern/document/markdown/Markdown"
import { brokenLaw, keys, parse, print, shape } from "./laws.ts"

const leaf = (text: string, ...marks: ReadonlyArray<string>) => ({
  object: "leaf",
  text,
  marks: marks.map((type) => ({ object: "mark", type }))
})
const text = (...leaves: ReadonlyArray<ReturnType<typeof leaf>>) => ({ object: "text", leaves })
/** Blocks that have data even where it says nothing, as the hosted service's types have it. */
const withData = /^(?:heading-\d|divider|code-line|hint|tabs-item)$/
const block = (type: string, nodes: ReadonlyArray<unknown> | undefined, data?: unknown) => ({
  object: "block",
  type,
  ...(data === undefined ? (withData.test(type) ? { data: {} } : {}) : { data }),
  ...(nodes === undefined ? { isVoid: true } : { nodes })
})
const emptyParagraph = block("paragraph", [])
const paragraph = (words: string) => block("paragraph", [text(leaf(words))])
const url = (value: string) => ({ kind: "url", url: value })
const inline = (type: string, data: unknown, nodes?: ReadonlyArray<unknown>) => ({
  object: "inline",
  type,
  ...(data === undefined ? {} : { data }),
  ...(nodes === undefined ? { isVoid: true } : { nodes })
})
const codeLines = (...lines: ReadonlyArray<string>) =>
  lines.map((line) => block("code-line", line === "" ? [] : [text(leaf(line))]))

// The name, the Markdown, its blocks, and how it is written where that differs.
type Case = readonly [string, string, ReadonlyArray<unknown>, string?]
const cases: ReadonlyArray<Case> = [
  ["paragraphs", "a\nb\n\nc", [paragraph("a\nb"), paragraph("c")]],
  [
    "HTML that a tag follows without a blank line",
    "{% stepper %}\n{% step %}\n<div>\nb\n{% endstep %}\n{% endstepper %}",
    [block("stepper", [block("stepper-step", [block("html", undefined, { html: "<div>\nb" })], {})])]
  ],
  [
    "a figure and details that text or a tag follows without a blank line",
    '{% hint %}\n<figure><img src="a.png"></figure>\nb\n<details>\n<summary>S</summary>\nc\n</details>\nd\n{% endhint %}',
    [
      block("hint", [
        {
          ...block("images", [{ ...block("image", undefined, { ref: url("a.png") }), fragments: [] }], {}),
          isVoid: false
        },
        paragraph("b"),
        {
          ...block("expandable", undefined, {}),
          fragments: [
            { object: "fragment", fragment: "expandable-title", type: "expandable-title", nodes: [paragraph("S")] },
            { object: "fragment", fragment: "expandable-body", type: "expandable-body", nodes: [paragraph("c")] }
          ]
        },
        paragraph("d")
      ])
    ],
    "{% hint %}\n![](a.png)\n\nb\n\n<details>\n\n<summary>S</summary>\n\nc\n\n</details>\n\nd\n{% endhint %}"
  ],
  [
    "a tag in HTML that ends by itself",
    "<pre>\n{% hint %}\n</pre>",
    [block("html", undefined, { html: "<pre>\n{% hint %}\n</pre>" })]
  ],
  [
    "highlighted lines of code",
    '<pre class="language-js" data-title="a.js"><code class="lang-js">a\n<strong>b &lt; c\n\n</strong>  d\n</code></pre>',
    [
      block(
        "code",
        [
          block("code-line", [text(leaf("a"))]),
          block("code-line", [text(leaf("b < c"))], { highlighted: true }),
          block("code-line", [], { highlighted: true }),
          block("code-line", [text(leaf("  d"))])
        ],
        { syntax: "js", title: "a.js" }
      )
    ]
  ],
  [
    "highlighted lines of code with more than the element says",
    '{% code expandable="true" %}\n<pre><code><strong>a\n</strong></code></pre>\n{% endcode %}',
    [block("code", [block("code-line", [text(leaf("a"))], { highlighted: true })], { expandable: true })]
  ],
  [
    "code of which a part of a line is marked",
    "<pre><code>a <strong>b</strong>\n</code></pre>",
    [block("html", undefined, { html: "<pre><code>a <strong>b</strong>\n</code></pre>" })]
  ],
  [
    "the former name of a content-ref",
    '{% page-ref page="a.md" %}',
    [block("content-ref", undefined, { ref: url("a.md") })],
    '{% content-ref url="a.md" %}'
  ],
  [
    "an alert",
    "> [!WARNING]\n> Hot **coffee**\n>\n> * b",
    [
      block(
        "hint",
        [
          block("paragraph", [text(leaf("Hot "), leaf("coffee", "bold"))]),
          block("list-unordered", [block("list-item", [paragraph("b")])], undefined)
        ],
        { style: "warning" }
      )
    ],
    '{% hint style="warning" %}\nHot **coffee**\n\n* b\n{% endhint %}'
  ],
  [
    "an alert that says nothing",
    "> [!tip]",
    [block("hint", [emptyParagraph], { style: "success" })],
    '{% hint style="success" %}\n{% endhint %}'
  ],
  ["an empty item", "* ", [block("list-unordered", [block("list-item", [emptyParagraph], undefined)], undefined)], "*"],
  [
    "an item that begins with a list",
    "* * a",
    [
      block(
        "list-unordered",
        [
          block(
            "list-item",
            [block("list-unordered", [block("list-item", [paragraph("a")], undefined)], undefined)],
            undefined
          )
        ],
        undefined
      )
    ]
  ],
  [
    "a hint without a word",
    '{% hint style="info" %}\n{% endhint %}',
    [block("hint", [emptyParagraph], { style: "info" })]
  ],
  ...[
    ["> [!faq]- A *b*\n> c", "info"],
    ["> [!Hint]+\tA *b*\n>\n> c", "success"],
    ["> [!attention] A *b*  \n> c", "warning"],
    [">[!bug] A *b*\nc", "danger"]
  ].map(([written, style]): Case => [
    `a callout with a title: ${written}`,
    written!,
    [
      block("hint", [block("paragraph", [text(leaf("A ", "bold"), leaf("b", "bold", "italic"))]), paragraph("c")], {
        style
      })
    ],
    `{% hint style="${style}" %}\n**A _b_**\n\nc\n{% endhint %}`
  ]),
  [
    "a callout that says all on its first line",
    "> [!question] A *b*",
    [block("hint", [block("paragraph", [text(leaf("A "), leaf("b", "italic"))])], { style: "info" })],
    '{% hint style="info" %}\nA _b_\n{% endhint %}'
  ],
  [
    "an alert with spaces after its marker",
    "> [!NOTE]  \n> a",
    [block("hint", [paragraph("a")], { style: "info" })],
    '{% hint style="info" %}\na\n{% endhint %}'
  ],
  [
    "quotes that are no alerts",
    "> \\[!NOTE] a\n\n> \\[!OTHER]\n> b\n\n> \\[!NOTE]**c**\n\n> \\[!NOTE]\n> d",
    [
      block("blockquote", [paragraph("[!NOTE] a")]),
      block("blockquote", [paragraph("[!OTHER]\nb")]),
      block("blockquote", [block("paragraph", [text(leaf("[!NOTE]"), leaf("c", "bold"))])]),
      block("blockquote", [paragraph("[!NOTE]\nd")])
    ]
  ],
  [
    "an emoji as an element",
    'a <span data-gb-custom-inline data-tag="emoji" data-code="2728">x</span>',
    [block("paragraph", [text(leaf("a ")), inline("emoji", { code: "2728" })])],
    "a :sparkles:"
  ],
  ["headings", "# A", [block("heading-1", [text(leaf("A"))], { depth: 1 })]],
  ["headings of the first level", "## A", [block("heading-1", [text(leaf("A"))])]],
  ["headings of the second", "### A", [block("heading-2", [text(leaf("A"))])]],
  ["headings of the third", "#### A", [block("heading-3", [text(leaf("A"))])]],
  ["deeper headings", "##### A", [block("heading-3", [text(leaf("A"))], { depth: 5 })]],
  ["the deepest headings", "###### A", [block("heading-3", [text(leaf("A"))], { depth: 6 })]],
  ["an underlined heading", "A\n===", [block("heading-1", [text(leaf("A"))], { depth: 1 })], "# A"],
  [
    "a heading of HTML",
    '<h5 align="center">A</h5>',
    [block("heading-3", [text(leaf("A"))], { align: "center", depth: 5 })]
  ],
  [
    "titles of a link and an image in HTML",
    '<p align="right"><a href="a" title="B &quot;b&quot;">c</a> <img src="d" alt="" title="E"></p>',
    [
      block(
        "paragraph",
        [
          inline("link", { ref: url("a"), title: 'B "b"' }, [text(leaf("c"))]),
          text(leaf(" ")),
          inline("inline-image", { ref: url("d"), title: "E" })
        ],
        { align: "end" }
      )
    ]
  ],
  [
    "an image with a title and a size",
    'a <img src="b" alt="" data-size="line" title="C">',
    [block("paragraph", [text(leaf("a ")), inline("inline-image", { ref: url("b"), size: "line", title: "C" })])]
  ],
  ["the id of a heading", '## A <a href="#x" id="x"></a>', [block("heading-1", [text(leaf("A"))], { id: "x" })]],
  ...[
    "## A {#x}",
    "## A{#x}",
    "## A {: #x }",
    "## A { .b #x .c d=e f='g' } ##",
    "## A {/* #x */}",
    "## A {/*x*/}",
    '## A { id="x" }',
    "A {#x}\n------",
    "## A\n{: #x .b}"
  ].map((written): Case => [
    `the id of a heading as others write it: ${written}`,
    written,
    [block("heading-1", [text(leaf("A"))], { id: "x" })],
    '## A <a href="#x" id="x"></a>'
  ]),
  ...["## A {: .b}", "## A {:.b.c}", '## A { .b c="d" }', "A {.b}\n---", "## A\n{: .no_toc }", "{: .b}\n## A"].map(
    (written): Case => [
      `attributes of a heading that say no id: ${written}`,
      written,
      [block("heading-1", [text(leaf("A"))])],
      "## A"
    ]
  ),
  ...[
    "{: .note }\nA",
    "A\n{: .note}",
    "> A\n{: .note }",
    "{: .note }\n> A",
    "{: .note .wide #b }\n{: .c}\nA",
    "A\n{: .b .alert-info }",
    "A\n{ .note }"
  ].map((written): Case => [
    `attributes that make a hint: ${written}`,
    written,
    [block("hint", [paragraph("A")], { style: "info" })],
    '{% hint style="info" %}\nA\n{% endhint %}'
  ]),
  [
    "attributes that make a hint with a title",
    "{: .warning-title }\n> A\n>\n> B",
    [block("hint", [block("paragraph", [text(leaf("A", "bold"))]), paragraph("B")], { style: "warning" })],
    '{% hint style="warning" %}\n**A**\n\nB\n{% endhint %}'
  ],
  ...[
    "A\n{: .b}",
    '{: .b c="d e" }\nA',
    "A\n{ .b }",
    "A\n\n{: .note }\n\n",
    "* TOC\n{:toc}\n\nA",
    "1. b\n{: #c toc}\nA"
  ].map((written): Case => [`attributes of blocks that mean nothing: ${written}`, written, [paragraph("A")], "A"]),
  ...["!!! note\n    A", "!!! info\n\n    A", '!!! note inline end ""\n    A', "!!!abstract\n    A"].map(
    (written): Case => [
      `a hint that is set in: ${written}`,
      written,
      [block("hint", [paragraph("A")], { style: "info" })],
      '{% hint style="info" %}\nA\n{% endhint %}'
    ]
  ),
  [
    "a hint that is set in, with a title, between paragraphs",
    'A\n!!! Bug "B *c*"\n    D\n\n    ```\n    E\n    ```\nF',
    [
      paragraph("A"),
      block(
        "hint",
        [
          block("paragraph", [text(leaf("B ", "bold"), leaf("c", "bold", "italic"))]),
          paragraph("D"),
          block("code", codeLines("E"), {})
        ],
        { style: "danger" }
      ),
      paragraph("F")
    ],
    'A\n\n{% hint style="danger" %}\n**B _c_**\n\nD\n\n```\nE\n```\n{% endhint %}\n\nF'
  ],
  ...[
    ["a hint that is folded", '??? tip "B"\n    A', "<details>", "B"],
    ["a hint that can be folded", "???+ tip\n    A", "<details open>", "Tip"]
  ].map(([name, written, open, title]): Case => [
    name!,
    written!,
    parse(`${open}\n\n<summary>${title}</summary>\n\nA\n\n</details>`).document.nodes.map((node) =>
      JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === "key" ? undefined : value)))
    ),
    `${open}\n\n<summary>${title}</summary>\n\nA\n\n</details>`
  ]),
  ...["!!!", "!!! 1", "a !!! note", "!!!\nnote", "???", "What???"].map((written): Case => [
    `signs that begin no hint: ${written}`,
    written,
    [paragraph(written)]
  ]),
  ["a hint that nothing is set in below", "!!! note\n\nA", [paragraph("!!! note"), paragraph("A")], "\\!!! note\n\nA"],
  ...[
    '=== "A"\n    a\n=== "B"\n    b',
    '===+ "A"\n\n    a\n\n=== "B"  \n\n\tb',
    '===! "**A**"\n    a\n\n=== "`B`"\n    b'
  ].map((written): Case => [
    `tabs that are set in: ${written}`,
    written,
    [
      block("tabs", [
        block("tabs-item", [paragraph("a")], { title: "A" }),
        block("tabs-item", [paragraph("b")], { title: "B" })
      ])
    ],
    '{% tabs %}\n{% tab title="A" %}\na\n{% endtab %}\n\n{% tab title="B" %}\nb\n{% endtab %}\n{% endtabs %}'
  ]),
  [
    "tabs that are set in, in one another, two groups of them between paragraphs",
    'A\n=== ":smile: [B](c) <b>\\"D\\"</b>&nbsp; ![E](f)"\n    === ""\n        - g\n    h\n===! "I"\n    ```\n    J\n\n    ```\nK',
    [
      paragraph("A"),
      block("tabs", [
        block(
          "tabs-item",
          [
            block("tabs", [block("tabs-item", [block("list-unordered", [block("list-item", [paragraph("g")])])])]),
            paragraph("h")
          ],
          { title: '😄 B "D" E' }
        )
      ]),
      block("tabs", [block("tabs-item", [block("code", codeLines("J", ""), {})], { title: "I" })]),
      paragraph("K")
    ],
    'A\n\n{% tabs %}\n{% tab title="😄 B \\"D\\" E" %}\n{% tabs %}\n{% tab %}\n* g\n{% endtab %}\n{% endtabs %}\n\nh\n{% endtab %}\n{% endtabs %}\n\n{% tabs %}\n{% tab title="I" %}\n```\nJ\n\n```\n{% endtab %}\n{% endtabs %}\n\nK'
  ],
  ...['=== "A"', "=== A\n\n    b", '=="A"', 'a === "A"'].map((written): Case => [
    `signs that begin no tab: ${written}`,
    written,
    parse(written.replace(/^=/, "\\=")).document.nodes.map((node) =>
      JSON.parse(JSON.stringify(node, (key, value: unknown) => (key === "key" ? undefined : value)))
    ),
    written.replace(/^=/, "\\=").replace("    b", "```\nb\n```")
  ]),
  [
    "attributes behind links, code and emphasis",
    '[a](/u){:target="_blank"} [b](/v){c=d}, `e`{: .f} **g**{.h}',
    [
      block("paragraph", [
        inline("link", { ref: url("/u") }, [text(leaf("a"))]),
        text(leaf(" ")),
        inline("link", { ref: url("/v") }, [text(leaf("b"))]),
        text(leaf(", "), leaf("e", "code"), leaf(" "), leaf("g", "bold"))
      ])
    ],
    "[a](/u) [b](/v), `e` **g**"
  ],
  [
    "the size of an image in attributes",
    '![A](b.png){: .c width="300" height=20% }',
    [
      {
        ...block(
          "images",
          [
            {
              ...block("image", undefined, {
                ref: url("b.png"),
                alt: "A",
                width: 300,
                height: { unit: "%", value: 20 }
              }),
              fragments: []
            }
          ],
          {}
        ),
        isVoid: false
      }
    ],
    '<figure><img src="b.png" alt="A" width="300" height="20%"><figcaption></figcaption></figure>'
  ],
  ...["{a}", "a {: .b}", "{: .b} a", "{: .b c}", "{ a=b }", "{:a}", "{{ .a }}", "a {.b} c", "b{: .c}"].map(
    (written): Case => {
      const printed = /^\{: \.b\} a|^\{: \.b c|^\{ a=b/.test(written) ? `\\${written}` : written
      return [`braces that are text: ${written}`, written, [paragraph(written)], printed]
    }
  ),
  [
    "attributes that are escaped",
    "[a](/u)\\{: .b}\n\\{: .note }",
    [block("paragraph", [inline("link", { ref: url("/u") }, [text(leaf("a"))]), text(leaf("{: .b}\n{: .note }"))])]
  ],
  ["the id of a heading that is all it says", "## {#x}", [block("heading-1", [text(leaf("{#x}"))])], "## \\{#x}"],
  ["text that would be the id of a heading", "## A \\{#x}", [block("heading-1", [text(leaf("A {#x}"))])]],
  [
    "text that would be the id of a heading in a comment",
    "## A {/_x_/} \\{/*x*/}",
    [block("heading-1", [text(leaf("A {/"), leaf("x", "italic"), leaf("/} {/"), leaf("x", "italic"), leaf("/}"))])],
    "## A {/_x_/} {/_x_/}"
  ],
  ["braces behind a heading", "## A {b}", [block("heading-1", [text(leaf("A {b}"))])]],
  ["twice braces behind a heading", "## A {{#x}}", [block("heading-1", [text(leaf("A {{#x}}"))])]],
  [
    "code that would be the id of a heading",
    "## A `{#x}`",
    [block("heading-1", [text(leaf("A "), leaf("{#x}", "code"))])]
  ],
  [
    "a target that begins as one in pointed brackets does",
    "[a](\\<host>/b) [c][]\n\n[c]: \\<5",
    [
      block("paragraph", [
        inline("link", { ref: url("<host>/b") }, [text(leaf("a"))]),
        text(leaf(" ")),
        inline("link", { ref: url("<5"), reference: "c" }, [text(leaf("c"))])
      ]),
      block("definition", undefined, { ref: url("<5"), label: "c" })
    ],
    "[a](\\<host>/b) [c]\n\n[c]: \\<5"
  ],
  [
    "marks",
    "**b _i_** ~~s~~ `c` <kbd>K</kbd>",
    [
      block("paragraph", [
        text(
          leaf("b ", "bold"),
          leaf("i", "bold", "italic"),
          leaf(" "),
          leaf("s", "strikethrough"),
          leaf(" "),
          leaf("c", "code"),
          leaf(" "),
          leaf("K", "keyboard")
        )
      ])
    ]
  ],
  [
    "marks around a link",
    "**a [b](c) d**",
    [
      block("paragraph", [
        text(leaf("a ", "bold")),
        inline("link", { ref: url("c") }, [text(leaf("b", "bold"))]),
        text(leaf(" d", "bold"))
      ])
    ]
  ],
  [
    "a hard break as HTML",
    "a<br>b",
    [block("paragraph", [text(leaf("a")), inline("hard-break", { html: "<br>" }), text(leaf("b"))])]
  ],
  ["a hard break", "a\\\nb", [block("paragraph", [text(leaf("a")), inline("hard-break", undefined), text(leaf("b"))])]],
  [
    "a tight list",
    "* a\n* b",
    [block("list-unordered", [block("list-item", [paragraph("a")]), block("list-item", [paragraph("b")])])]
  ],
  [
    "a loose list",
    "3. a\n\n4. b",
    [
      block("list-ordered", [block("list-item", [paragraph("a")]), block("list-item", [paragraph("b")])], {
        start: 3,
        loose: true
      })
    ]
  ],
  [
    "tasks",
    "* [ ] a\n* [x] b",
    [
      block("list-tasks", [
        block("list-item", [paragraph("a")], { checked: false }),
        block("list-item", [paragraph("b")], { checked: true })
      ])
    ]
  ],
  ["a divider", "---", [block("divider", undefined)], "***"],
  ["a quote", "> a\n>\n> b", [block("blockquote", [paragraph("a"), paragraph("b")])]],
  [
    "code",
    '```js title="x"\na\n\n  b\n```',
    [block("code", codeLines("a", "", "  b"), { syntax: "js", meta: 'title="x"' })]
  ],
  ["tags in code", "```\n{% hint %}\n```", [block("code", codeLines("{% hint %}"), {})]],
  [
    "an image of its own",
    '![alt](b.png "Caption")',
    [
      {
        ...block(
          "images",
          [
            {
              ...block("image", undefined, { ref: url("b.png"), alt: "alt" }),
              fragments: [{ object: "fragment", fragment: "caption", nodes: [paragraph("Caption")] }]
            }
          ],
          {}
        ),
        isVoid: false
      }
    ]
  ],
  [
    "an image in text",
    "a ![b](c)",
    [block("paragraph", [text(leaf("a ")), inline("inline-image", { ref: url("c"), alt: "b" })])]
  ],
  [
    "references",
    '[a] and [b][a]\n\n[a]: /u "t"',
    [
      block("paragraph", [
        inline("link", { ref: url("/u"), title: "t", reference: "a" }, [text(leaf("a"))]),
        text(leaf(" and ")),
        inline("link", { ref: url("/u"), title: "t", reference: "a" }, [text(leaf("b"))])
      ]),
      block("definition", undefined, { label: "a", ref: url("/u"), title: "t" })
    ]
  ],
  [
    "footnotes",
    "a[^1]\n\n[^1]: b",
    [
      block("paragraph", [text(leaf("a")), inline("footnote-reference", { label: "1" })]),
      block("footnote-definition", [paragraph("b")], { label: "1" })
    ]
  ],
  [
    "HTML",
    '<div align="center">\n*a*\n</div>',
    [block("html", undefined, { html: '<div align="center">\n*a*\n</div>' })]
  ],
  [
    "HTML in text",
    "a <u>c</u>",
    [
      block("paragraph", [
        text(leaf("a ")),
        inline("html", { html: "<u>" }),
        text(leaf("c")),
        inline("html", { html: "</u>" })
      ])
    ]
  ],
  ["a hint", '{% hint style="info" %}\na\n{% endhint %}', [block("hint", [paragraph("a")], { style: "info" })]],
  [
    "a hint in old spelling",
    "{%hint style ='info'%}\na\n\n{% endhint %}",
    [block("hint", [paragraph("a")], { style: "info" })],
    '{% hint style="info" %}\na\n{% endhint %}'
  ],
  [
    "what a tag says besides",
    '{% hint style="info" x-y="1" %}\na\n{% endhint %}',
    [block("hint", [paragraph("a")], { style: "info", attributes: { "x-y": "1" } })]
  ],
  [
    "tabs",
    '{% tabs %}\n{% tab title="A \\(B\\)" %}\na\n{% endtab %}\n{% tab %}\n{% endtab %}\n{% endtabs %}',
    [block("tabs", [block("tabs-item", [paragraph("a")], { title: "A (B)" }), block("tabs-item", [])])],
    '{% tabs %}\n{% tab title="A (B)" %}\na\n{% endtab %}\n\n{% tab %}\n{% endtab %}\n{% endtabs %}'
  ],
  [
    "a hint in a list",
    '* a\n\n  {% hint style="info" %}\n  b\n  {% endhint %}',
    [
      block("list-unordered", [
        block("list-item", [paragraph("a"), block("hint", [paragraph("b")], { style: "info" })], { loose: true })
      ])
    ]
  ],
  [
    "a quoted hint",
    '> {% hint style="info" %}\n> b\n> {% endhint %}',
    [block("blockquote", [block("hint", [paragraph("b")], { style: "info" })])]
  ],
  [
    "tabs in tabs in a hint",
    "{% hint %}\n{% tabs %}\n{% tab %}\n{% tabs %}\n{% tab %}\na\n{% endtab %}\n{% endtabs %}\n{% endtab %}\n{% endtabs %}\n{% endhint %}",
    [block("hint", [block("tabs", [block("tabs-item", [block("tabs", [block("tabs-item", [paragraph("a")])])])])])]
  ],
  [
    "code with a tag",
    '{% code title="a.js" lineNumbers="true" %}\n```js\nx\n```\n{% endcode %}',
    [block("code", codeLines("x"), { syntax: "js", title: "a.js", lineNumbers: true })]
  ],
  ["an embed", '{% embed url="https://e.x" %}', [block("embed", undefined, { url: "https://e.x" })]],
  [
    "an embed with a caption",
    '{% embed url="https://e.x" %}\nA *b*\n{% endembed %}',
    [
      {
        ...block("embed", undefined, { url: "https://e.x" }),
        fragments: [
          {
            object: "fragment",
            fragment: "caption",
            nodes: [block("paragraph", [text(leaf("A "), leaf("b", "italic"))])]
          }
        ]
      }
    ],
    '{% embed url="https://e.x" %}\nA _b_\n{% endembed %}'
  ],
  ["a file", '{% file src="/files/f1" %}', [block("file", undefined, { ref: { kind: "file", file: "f1" } })]],
  [
    "a content reference",
    '{% content-ref url="a.md" %}\n[A](a.md)\n{% endcontent-ref %}',
    [
      {
        ...block("content-ref", undefined, { ref: url("a.md") }),
        fragments: [
          {
            object: "fragment",
            fragment: "body",
            nodes: [block("paragraph", [inline("link", { ref: url("a.md") }, [text(leaf("A"))])])]
          }
        ]
      }
    ]
  ],
  [
    "a tag that is not known",
    "{% swagger *x* %}\n\na\n\n{% endswagger %}",
    [
      block("verbatim", undefined, { markdown: "{% swagger *x* %}" }),
      paragraph("a"),
      block("verbatim", undefined, { markdown: "{% endswagger %}" })
    ]
  ],
  [
    "a tag without its end",
    '{% hint style="info" %}\n\na',
    [block("verbatim", undefined, { markdown: '{% hint style="info" %}' }), paragraph("a")]
  ],
  [
    "tags that cross",
    "{% hint %}\n\n{% tabs %}\n\n{% endhint %}\n\n{% endtabs %}",
    [
      block("hint", [block("verbatim", undefined, { markdown: "{% tabs %}" })]),
      block("verbatim", undefined, { markdown: "{% endtabs %}" })
    ],
    "{% hint %}\n{% tabs %}\n{% endhint %}\n\n{% endtabs %}"
  ],
  ["a tag in text", "a {%urlenc(x)%} b", [paragraph("a {%urlenc(x)%} b")]],
  [
    "a hint on one line",
    '{% hint style="info" %} a {% endhint %}',
    [paragraph('{% hint style="info" %} a {% endhint %}')]
  ],
  ["entities and escapes", "&copy; \\*a\\* &lt;b&gt;", [paragraph("© *a* <b>")], "© \\*a\\* \\<b>"]
]

describe("Markdown", () => {
  for (const [name, markdown, blocks, printed] of cases) {
    it(name, () => {
      const parsed = parse(markdown)
      assert.deepStrictEqual(shape(parsed.document), blocks)
      assert.strictEqual(print(parsed), `${printed ?? markdown}\n`)
      assert.isUndefined(brokenLaw(markdown))
    })
  }

  it("keeps a table as records, columns and fragments", () => {
    const markdown = "| A | **B** |\n| :--- | ---: |\n| 1 | `2` |\n| 3 |\n"
    const parsed = parse(markdown)
    const [table] = parsed.document.nodes
    assert.deepStrictEqual(table?.data, {
      view: { type: "grid", columns: ["c1", "c2"], hideHeader: false },
      definition: {
        c1: { id: "c1", title: "A", type: "text", textAlignment: "left" },
        c2: { id: "c2", title: "B", type: "text", textAlignment: "right", titleFragment: "header-c2" }
      },
      records: {
        r1: { orderIndex: "000001", values: { c1: "r1-c1", c2: "r1-c2" } },
        r2: { orderIndex: "000002", values: { c1: "r2-c1" } }
      }
    })
    assert.deepStrictEqual(
      table?.fragments?.map(({ fragment }) => fragment),
      ["header-c2", "r1-c1", "r1-c2", "r2-c1"]
    )
    assert.strictEqual(print(parsed), markdown)
  })

  it("writes a record that tells its columns in another order in the order of the view", () => {
    const data = {
      view: { type: "grid", columns: ["x", "y"] },
      definition: { x: { id: "x", title: "X" }, y: { id: "y", title: "Y" } },
      records: { b: { orderIndex: "2", values: { y: true } }, a: { orderIndex: "1", values: { y: "|", x: 1 } } }
    }
    const document = {
      object: "document",
      data: {},
      nodes: [{ object: "block", type: "table", key: "t", data }]
    } as const
    assert.strictEqual(Markdown.print(document), "| X | Y |\n| --- | --- |\n| 1 | \\| |\n|  | true |\n")
  })

  it("gives every block a key of its own, in the order of the text", () => {
    const { document } = parse("# a\n\n- b\n- c")
    assert.strictEqual(document.nodes[0]?.key, "k1")
    assert.strictEqual(document.nodes[1]?.key, "k2")
  })

  it("lets a caller resolve and write references", () => {
    const uses: Array<string> = []
    const { document } = Markdown.parse('[a](a.md) ![b](b.png)\n\n{% file src="c.pdf" %}', {
      nextKey: keys(),
      resolve: (target, use): ContentRef | undefined => {
        uses.push(`${use} ${target}`)
        return target === "a.md" ? { kind: "page", page: "p1" } : undefined
      }
    })
    assert.deepStrictEqual(uses, ["link a.md", "image b.png", "file c.pdf"])
    assert.strictEqual(Markdown.print(document), '[a](/pages/p1) ![b](b.png)\n\n{% file src="c.pdf" %}\n')
    const written = Markdown.print(document, { href: (ref) => (ref.kind === "page" ? "x.md" : undefined) })
    assert.include(written, "[a](x.md) ![b](b.png)")
  })

  it("writes a link in full once its definition says something else", () => {
    const { document } = parse("[a]\n\n[a]: /u")
    assert.strictEqual(Markdown.print({ ...document, nodes: document.nodes.slice(0, 1) }), "[a](/u)\n")
  })

  it("keeps front matter, and only where it is one", () => {
    const parsed = parse("---\ntitle: A\n# c\n---\n\n# B\n")
    assert.strictEqual(parsed.frontMatter, "title: A\n# c")
    assert.strictEqual(print(parsed), "---\ntitle: A\n# c\n---\n\n# B\n")
    assert.isUndefined(parse("---\n\na\n\n---\n").frontMatter)
    assert.strictEqual(print(parse("---\na: 1\n---")), "---\na: 1\n---\n")
  })

  it("leaves what can be read of a block that Markdown has no form for", () => {
    const nodes = [{ object: "block", type: "spiral", key: "a", nodes: [parse("**a**").document.nodes[0]!] }] as const
    assert.strictEqual(Markdown.print({ object: "document", data: {}, nodes }), "**a**\n")
  })
})
