/**
 * The hosted service's blocks and inlines, one row for each construct: its Markdown, its blocks without keys, and the
 * printed Markdown if different. The blocks are checked against the types of the service's client. Rows of `more` have
 * fields that these types lack.
 */
import type * as Hosted from "../../../../node_modules/@gitbook/api/dist/client.d.ts"
import {
  t,
  mark,
  color,
  p,
  url,
  file,
  page,
  spec,
  code,
  inline,
  row,
  more,
  image,
  images,
  described,
  link,
  stepper,
  columns,
  updates,
  prompt,
  condition,
  fullCode,
  cards,
  typed,
  merged,
  oneCell,
  bars,
  items,
  strong,
  hardBreak,
  expandable,
  annotation,
  html,
  htmlAround,
  type Row
} from "./HostedNodes.ts"

export const rows: ReadonlyArray<Row> = [
  ...(["info", "warning", "danger", "success"] as const).map((style) =>
    row(`a hint: ${style}`, `{% hint style="${style}" icon="leaf" %}\na\n{% endhint %}`, [
      { object: "block", type: "hint", data: { style, icon: "leaf" }, nodes: [p(t("a"))] }
    ])
  ),
  more(
    "hints as Docusaurus has them",
    ":::tip[Mind _the_ gap]\na\n\n:::danger\nb\n:::\n\n:::",
    [
      {
        object: "block",
        type: "hint",
        data: { style: "success" },
        nodes: [
          p({
            object: "text",
            leaves: [
              ...t("Mind ", mark("bold")).leaves,
              ...t("the", mark("bold"), mark("italic")).leaves,
              ...t(" gap", mark("bold")).leaves
            ]
          }),
          p(t("a")),
          { object: "block", type: "hint", data: { style: "danger" }, nodes: [p(t("b"))] }
        ]
      }
    ],
    '{% hint style="success" %}\n**Mind _the_ gap**\n\na\n\n{% hint style="danger" %}\nb\n{% endhint %}\n{% endhint %}'
  ),
  row("tabs", '{% tabs fullWidth="true" %}\n{% tab title="A" icon="star" slug="a" %}\na\n{% endtab %}\n{% endtabs %}', [
    {
      object: "block",
      type: "tabs",
      data: { fullWidth: true },
      nodes: [{ object: "block", type: "tabs-item", data: { title: "A", icon: "star", slug: "a" }, nodes: [p(t("a"))] }]
    }
  ]),
  row(
    "steps",
    '{% stepper %}\n{% step %}\nOne\n{% endstep %}\n\n{% step icon="star" %}\nTwo\n{% endstep %}\n{% endstepper %}',
    [stepper]
  ),
  more(
    "columns",
    '{% columns fullWidth="true" %}\n{% column width="33.3%" %}\na\n{% endcolumn %}\n\n{% column valign="middle" %}\nb\n{% endcolumn %}\n\n{% column %}\n{% endcolumn %}\n{% endcolumns %}',
    [columns]
  ),
  more(
    "a width that is none is kept",
    '{% columns %}\n{% column width="half" %}\na\n{% endcolumn %}\n{% endcolumns %}',
    [
      {
        object: "block",
        type: "columns",
        isVoid: false,
        data: {},
        nodes: [{ object: "block", type: "column", data: { attributes: { width: "half" } }, nodes: [p(t("a"))] }]
      }
    ]
  ),
  row(
    "code with options",
    '{% code title="a.ts" overflow="wrap" lineNumbers="true" fullWidth="false" expandable="true" collapsedLineCount="10" %}\n```ts\nx\n```\n{% endcode %}',
    [fullCode]
  ),
  row("an embed", '{% embed url="https://e.x" fullWidth="true" %}', [
    { object: "block", type: "embed", data: { url: "https://e.x", fullWidth: true }, isVoid: true }
  ]),
  row("a file", '{% file src="/files/f1" %}', [
    { object: "block", type: "file", data: { ref: file("f1") }, isVoid: true }
  ]),
  row("a content reference", '{% content-ref url="/pages/p1" %}', [
    { object: "block", type: "content-ref", data: { ref: page("p1") }, isVoid: true }
  ]),
  row("reusable content", '{% include "/reusable-contents/r1" %}', [
    {
      object: "block",
      type: "reusable-content",
      data: { ref: { kind: "reusable-content", reusableContent: "r1" } },
      isVoid: true
    }
  ]),
  row("a condition", '{% if visitor.claims.plan === "pro" %}\na\n{% endif %}', [condition]),
  more(
    "a condition, and what is shown else",
    '{% if visitor.claims.plan === "pro" %}\na\n\n{% else %}\n\nb\n{% endif %}',
    [{ ...condition, fragments: [{ object: "fragment", fragment: "else", nodes: [p(t("b"))] }] }]
  ),
  row(
    "updates",
    '{% updates format="full" %}\n{% update date="2026-04-09" tags="api,fixes" %}\nNews\n{% endupdate %}\n{% endupdates %}',
    [updates]
  ),
  row(
    "a prompt",
    '{% prompt description="Write docs" icon="robot" openInAIProviders="false" defaultExpanded="partial" %}\n```markdown\nWrite.\n\nWell.\n```\n{% endprompt %}',
    [prompt]
  ),
  more(
    "an operation of a file",
    '{% openapi src="/files/f1" path="/pets" method="get" expanded="true" fullWidth="false" %}\n[a](b)\n{% endopenapi %}',
    [
      described(
        {
          object: "block",
          type: "swagger",
          data: { ref: file("f1"), path: "/pets", method: "get", expanded: true, fullWidth: false },
          isVoid: true
        } satisfies Hosted.DocumentBlockOpenAPI,
        p(link("a", "b"))
      )
    ]
  ),
  row(
    "an operation of a file, by its old name",
    '{% swagger src="/files/f1" path="/pets" method="get" %}',
    [{ object: "block", type: "swagger", data: { ref: file("f1"), path: "/pets", method: "get" }, isVoid: true }],
    '{% openapi src="/files/f1" path="/pets" method="get" %}'
  ),
  more(
    "an operation",
    '{% openapi-operation spec="petstore" path="/pets/{id}" method="get" headless="true" %}\n[a](b)\n{% endopenapi-operation %}',
    [
      described(
        {
          object: "block",
          type: "openapi-operation",
          data: { ref: spec, path: "/pets/{id}", method: "get", headless: true },
          isVoid: true
        } satisfies Hosted.DocumentBlockOpenAPIOperation,
        p(link("a", "b"))
      )
    ]
  ),
  row("schemas", '{% openapi-schemas spec="petstore" schemas="Pet,Error" grouped="true" title="Models" %}', [
    {
      object: "block",
      type: "openapi-schemas",
      data: { ref: spec, schemas: ["Pet", "Error"], grouped: true, title: "Models" },
      isVoid: true
    }
  ]),
  row("a webhook", '{% openapi-webhook spec="petstore" name="newPet" method="post" %}', [
    { object: "block", type: "openapi-webhook", data: { ref: spec, name: "newPet", method: "post" }, isVoid: true }
  ]),
  row("a block of an integration", '{% @mermaid/diagram content="graph TD\n  A --> B\n\n\\> C" %}', [
    {
      object: "block",
      type: "integration",
      data: { integration: "mermaid", block: "diagram", props: { content: "graph TD\n  A --> B\n\n> C" } },
      isVoid: true
    }
  ]),
  row(
    "a block of an integration, with all kinds of properties",
    `{% @my.parts_1/code-block "https://example.com/a?b=c" content="graph TD
    A[\\"1\\"] --> B" id="5" off="false" count='5' none='null' text='"true"' nodes='[{"a":"it\\'s \\\\"b\\\\" %}"}]' fullWidth="true" %}`,
    [
      {
        object: "block",
        type: "integration",
        data: {
          integration: "my.parts_1",
          block: "code-block",
          props: {
            content: 'graph TD\n    A["1"] --> B',
            id: "5",
            off: false,
            count: 5,
            none: null as never,
            text: "true",
            nodes: [{ a: 'it\'s "b" %}' }]
          },
          url: "https://example.com/a?b=c",
          fullWidth: true
        },
        isVoid: true
      }
    ]
  ),
  row(
    "a block of an integration as the hosted service writes it, with quotes in a value",
    '{% @mermaid/diagram content="flowchart TD\n    subgraph "LAN"\n        A["x, y"] -- "z" --> B\n    end" fullWidth="false" %}',
    [
      {
        object: "block",
        type: "integration",
        data: {
          integration: "mermaid",
          block: "diagram",
          props: { content: 'flowchart TD\n    subgraph "LAN"\n        A["x, y"] -- "z" --> B\n    end' },
          fullWidth: false
        },
        isVoid: true
      }
    ],
    '{% @mermaid/diagram content="flowchart TD\n    subgraph \\"LAN\\"\n        A[\\"x, y\\"] -- \\"z\\" --> B\n    end" fullWidth="false" %}'
  ),
  row("an expandable block", "<details>\n\n<summary><strong>More</strong> &amp; more</summary>\n\na\n\n</details>", [
    expandable({})
  ]),
  row(
    "an expandable block that is open, on fewer lines",
    "<details open>\n<summary><strong>More</strong> &amp; more</summary>\n\na\n\n</details>",
    [expandable({ defaultExpanded: true })],
    "<details open>\n\n<summary><strong>More</strong> &amp; more</summary>\n\na\n\n</details>"
  ),
  row("a formula", "$$\nf(x) = \\frac{a}{b}\n\n  + 1\n$$", [
    { object: "block", type: "math", data: { formula: "f(x) = \\frac{a}{b}\n\n  + 1" }, isVoid: true }
  ]),
  row("a drawing", '<img src="/files/f1" alt="" class="gitbook-drawing">', [
    { object: "block", type: "drawing", data: { ref: file("f1") }, isVoid: true }
  ]),
  row("an image", '![alt](/files/f1 "A caption")', [
    images({}, image({ ref: file("f1"), alt: "alt" }, p(t("A caption"))))
  ]),
  row(
    "a figure without more",
    '<figure><img src="/files/f1" alt=""><figcaption></figcaption></figure>',
    [images({}, image({ ref: file("f1") }))],
    "![](/files/f1)"
  ),
  row(
    "a figure",
    '<figure><img src="/files/f1" alt="a &quot;b&quot;" width="375" height="50%"><figcaption><p>A <strong>b</strong></p></figcaption></figure>',
    [
      images(
        {},
        image(
          { ref: file("f1"), alt: 'a "b"', width: 375, height: { unit: "%", value: 50 } },
          p({ object: "text", leaves: [...t("A ").leaves, ...t("b", mark("bold")).leaves] })
        )
      )
    ]
  ),
  row(
    "a figure with a dark variant",
    '<figure><picture><source srcset="/files/f2" media="(prefers-color-scheme: dark)"><img src="/files/f1" alt="a"></picture><figcaption></figcaption></figure>',
    [images({}, image({ ref: file("f1"), refDark: file("f2"), alt: "a" }))]
  ),
  row(
    "figures in a frame",
    '<div align="center" data-full-width="true" data-with-frame="true"><figure><img src="/files/f1" alt=""><figcaption></figcaption></figure> <figure><img src="/files/f2" alt=""><figcaption></figcaption></figure></div>',
    [
      images(
        { align: "center", fullWidth: true, withFrame: true },
        image({ ref: file("f1") }),
        image({ ref: file("f2") })
      )
    ]
  ),
  row(
    "figures in a frame with blank lines around them",
    '<div data-full-width="true">\n\n<figure><img src="/files/f1" alt=""><figcaption></figcaption></figure>\n\n<figure><img src="/files/f2" alt=""></figure>\n\n</div>',
    [images({ fullWidth: true }, image({ ref: file("f1") }), image({ ref: file("f2") }))],
    '<div data-full-width="true"><figure><img src="/files/f1" alt=""><figcaption></figcaption></figure> <figure><img src="/files/f2" alt=""><figcaption></figcaption></figure></div>'
  ),
  row("aligned text", '<p align="center">a <strong>b</strong></p>', [
    {
      ...p({ object: "text", leaves: [...t("a ").leaves, ...t("b", mark("bold")).leaves] }),
      data: { align: "center" as Hosted.TextAlignment }
    }
  ]),
  row("an aligned heading", '<h2 align="right" id="x">a</h2>', [
    { object: "block", type: "heading-1", data: { id: "x", align: "end" as Hosted.TextAlignment }, nodes: [t("a")] }
  ]),
  row(
    "cards",
    '<table data-card-size="large" data-column-title-hidden data-card-wrap="false" data-view="cards" data-full-width="false"><thead><tr><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="image">Cover image</th><th data-hidden data-card-cover-dark data-type="image"></th></tr></thead><tbody><tr><td><strong>Cards</strong></td><td><a href="/pages/p1">/pages/p1</a></td><td><a href="/files/f1">/files/f1</a></td><td data-object-fit="contain"><a href="/files/f2">/files/f2</a></td></tr><tr><td><h3>b</h3><p>c</p><ul><li>d</li></ul></td><td></td><td></td><td></td></tr></tbody></table>',
    [cards]
  ),
  row(
    "columns of all types",
    '<table data-header-hidden><thead><tr><th width="120" align="right">T &amp; U</th><th data-type="number">N</th><th data-type="checkbox">C</th><th data-type="rating" data-max="5">R</th><th>S<select multiple><option value="x" label="X" color="blue"></option><option value="y" label="Y" color="red"></option></select></th><th data-type="users" data-multiple>U</th><th data-hidden data-type="files">F</th></tr></thead><tbody><tr><td align="right">a</td><td>1.5</td><td>true</td><td>4</td><td><span data-option="x">X, </span><span data-option="y">Y</span></td><td><a href="/users/u1">/users/u1</a>, <a href="/users/u2">/users/u2</a></td><td><a href="/files/f1">/files/f1</a></td></tr><tr><td align="right">b</td><td>null</td><td>false</td><td></td><td><span data-option="y">Y</span></td><td></td><td></td></tr></tbody></table>',
    [typed]
  ),
  row(
    "cells that span rows",
    '<table><thead><tr><th>A</th><th>B</th></tr></thead><tbody><tr><td rowspan="2">a</td><td>b</td></tr><tr><td>c</td></tr></tbody></table>',
    [merged]
  ),
  row(
    "a cell of several blocks",
    bars("<p>a <strong>b</strong></p><ul><li>c</li><li><em>d</em></li></ul>e"),
    [
      oneCell(
        p({ object: "text", leaves: [...t("a ").leaves, ...strong("b").leaves] }),
        items("list-unordered", p(t("c")), p(t("d", mark("italic")))),
        p(t("e"))
      )
    ],
    bars("<p>a **b**</p><ul><li>c</li><li>_d_</li></ul><p>e</p>")
  ),
  row(
    "a cell of a paragraph as an element, with marks, a link, an icon and an emoji",
    bars(
      '<p><code>x*</code><br><a href="https://e.x"><strong>l</strong></a> <i class="fa-star">:star:</i> <span data-gb-custom-inline data-tag="emoji" data-code="1f680">🚀</span></p>'
    ),
    [
      oneCell(
        p(
          t("x*", mark("code")),
          hardBreak,
          inline({ object: "inline", type: "link", data: { ref: url("https://e.x") }, nodes: [strong("l")] }),
          t(" "),
          inline({ object: "inline", type: "icon", data: { icon: "star" }, isVoid: true }),
          t(" "),
          inline({ object: "inline", type: "emoji", data: { code: "1f680" }, isVoid: true })
        )
      )
    ],
    bars('`x*`<br>**[l](https://e.x)** <i class="fa-star">:star:</i> :rocket:')
  ),
  row(
    "cells in HTML with text beside blocks, and white space",
    '<table>\n<thead><tr><th>A\n</th></tr></thead>\n<tbody>\n<tr><td>\n  a <b>b</b>\n  <ol start="3"><li>c</li></ol>\n  <h4>d</h4></td></tr></tbody></table>',
    [
      oneCell(
        p({ object: "text", leaves: [...t("a ").leaves, ...strong("b").leaves] }),
        items("list-ordered", p(t("c"))),
        { object: "block", type: "heading-3", data: {}, nodes: [t("d")] }
      )
    ],
    bars('<p>a **b**</p><ol start="3"><li>c</li></ol><h4>d</h4>')
  ),
  row(
    "code in a cell",
    '<table><thead><tr><th>A</th></tr></thead><tbody><tr><td><pre class="language-js"><code class="lang-js">a&#10;&#10;b&#10;</code></pre></td></tr></tbody></table>',
    [oneCell(code("js", "a", "", "b"))]
  ),
  more("HTML in a cell that is not closed", bars("<p>a <ul>b"), [
    oneCell(p(...([html("<p>"), t("a "), html("<ul>"), t("b")] as Array<Hosted.DocumentInline | Hosted.DocumentText>)))
  ]),
  row("marks as elements", "a <kbd>K</kbd> <sup>2</sup> <sub>3</sub>", [
    p({
      object: "text",
      leaves: [
        ...t("a ").leaves,
        ...t("K", mark("keyboard")).leaves,
        ...t(" ").leaves,
        ...t("2", mark("superscript")).leaves,
        ...t(" ").leaves,
        ...t("3", mark("subscript")).leaves
      ]
    })
  ]),
  row(
    "colours",
    '<mark style="color:$primary;">a</mark> <mark style="color:red;background-color:yellow;">**b**</mark>',
    [
      p({
        object: "text",
        leaves: [
          ...t("a", color("$primary")).leaves,
          ...t(" ").leaves,
          ...t("b", mark("bold"), color("red", "yellow")).leaves
        ]
      })
    ]
  ),
  ...["[**a**](/u)", "**[a](/u)**"].map((inside) =>
    row(
      `a colour around a bold link: ${inside}`,
      `<mark style="color:red;">${inside}</mark>`,
      [
        p(
          inline({
            object: "inline",
            type: "link",
            data: { ref: url("/u") },
            nodes: [t("a", mark("bold"), color("red"))]
          })
        )
      ],
      '<mark style="color:red;">**[a](/u)**</mark>'
    )
  ),
  row("underlined text is HTML", "a <u>b</u>", [
    p(t("a "), ...(htmlAround("u", "b") as Array<Hosted.DocumentInline | Hosted.DocumentText>))
  ]),
  row("a formula in text", "a $$b^2$$ c", [
    p(t("a "), inline({ object: "inline", type: "inline-math", data: { formula: "b^2" }, isVoid: true }), t(" c"))
  ]),
  row(
    "a formula in text between single signs",
    "a $b_1 * c$ d",
    [
      p(t("a "), inline({ object: "inline", type: "inline-math", data: { formula: "b_1 * c" }, isVoid: true }), t(" d"))
    ],
    "a $$b_1 * c$$ d"
  ),
  row("prices", "from $5 to $10, $HOME/$USER", [p(t("from $5 to $10, $HOME/$USER"))]),
  row("signs that could begin a formula", "\\$a$ and $b", [p(t("$a$ and $b"))], "\\$a\\$ and \\$b"),
  row("an emoji", "a :rocket: b", [
    p(t("a "), inline({ object: "inline", type: "emoji", data: { code: "1f680" }, isVoid: true }), t(" b"))
  ]),
  row(
    "what is no emoji",
    "a :nothing: 1:100:2 \\:rocket:",
    [p(t("a :nothing: 1:100:2 :rocket:"))],
    "a :nothing: 1\\:100:2 \\:rocket:"
  ),
  row("an icon", 'a <i class="fa-star" style="color:$primary;">:star:</i>', [
    p(
      t("a "),
      inline({
        object: "inline",
        type: "icon",
        data: { icon: "star", color: "$primary" as Hosted.DocumentTextColor },
        isVoid: true
      })
    )
  ]),
  row("an expression", 'a <code class="expression">space.vars.name</code>', [
    p(t("a "), inline({ object: "inline", type: "expression", data: { expression: "space.vars.name" }, isVoid: true }))
  ]),
  row("a button", '<a href="/pages/p1" class="button primary large" data-icon="rocket">Go \\*</a>', [
    p(
      inline({
        object: "inline",
        type: "button",
        data: { label: "Go *", kind: "primary", size: "large", icon: "rocket", ref: page("p1") },
        isVoid: true
      })
    )
  ]),
  row(
    "a button that asks",
    'a <button type="button" class="button secondary" data-action="ask" data-query="Why?">Ask</button>',
    [
      p(
        t("a "),
        inline({
          object: "inline",
          type: "button",
          data: { label: "Ask", kind: "secondary", action: { action: "ask", query: "Why?" } },
          isVoid: true
        })
      )
    ]
  ),
  row("a mention", 'a [/pages/p1](/pages/p1 "mention") and [@me](/users/u1 "mention")', [
    p(
      t("a "),
      inline({ object: "inline", type: "mention", data: { ref: page("p1") }, isVoid: true }),
      t(" and "),
      inline({
        object: "inline",
        type: "mention",
        data: { ref: { kind: "user", user: "u1" }, text: "@me" } as { ref: Hosted.ContentRef },
        isVoid: true
      })
    )
  ]),
  row("an annotation", "An [ID](#user-content-fn-1)[^1] here.\n\n[^1]: A name.", [
    p(t("An "), annotation, t(" here."))
  ]),
  row("an image in text with a size", 'a <img src="/files/f1" alt="b" data-size="line"> c', [
    p(
      t("a "),
      inline({
        object: "inline",
        type: "inline-image",
        data: { ref: file("f1"), alt: "b", size: "line" },
        isVoid: true
      }),
      t(" c")
    )
  ]),
  row(
    "an image in text with a dark variant",
    'a <picture><source srcset="/files/f2" media="(prefers-color-scheme: dark)"><img src="/files/f1" alt=""></picture>',
    [
      p(
        t("a "),
        inline({
          object: "inline",
          type: "inline-image",
          data: { ref: file("f1"), refDark: file("f2") },
          isVoid: true
        })
      )
    ]
  ),
  row("tasks", "* [ ] a\n* [x] b", [
    {
      object: "block",
      type: "list-tasks",
      nodes: [
        { object: "block", type: "list-item", data: { checked: false }, nodes: [p(t("a"))] },
        { object: "block", type: "list-item", data: { checked: true }, nodes: [p(t("b"))] }
      ]
    }
  ])
]

/** Texts with unknown parts, which parsing and printing keep verbatim. */
export const verbatim: ReadonlyArray<string> = [
  '<figure class="x"><img src="a"></figure>',
  "<table><tr><td>a</td></tr></table>",
  '<table><thead><tr><th onclick="x">a</th></tr></thead></table>',
  "<details>\n\na",
  '<p align="center"><iframe src="x"></iframe></p>',
  '<div align="center"><script>a</script></div>',
  '<i class="fa-star">x</i>',
  '{% swagger-parameter in="path" %}',
  '{% unknown "a" b="c" %}',
  "<mark>a</mark>",
  '<mark style="color:#123456;">a</mark>',
  "<details>text</details>"
]
