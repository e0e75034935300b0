/** Tests the rules of `lectern lint`: each case is a folder and its expected problems. */
import { assert, describe, it } from "@effect/vitest"
import { Effect } from "effect"
import * as FolderLint from "../../src/lint/FolderLint.ts"
import { folderOf } from "../dev/Folders.ts"

const cases: ReadonlyArray<
  readonly [name: string, files: Readonly<Record<string, string>>, findings: ReadonlyArray<string>]
> = [
  ["nothing", { "README.md": "# Home\n\n[A](a.md#part) [self](#home) [top](#top)\n", "a.md": "# A\n\n## Part\n" }, []],
  [
    "links, pictures and includes without a file, also in an include",
    {
      "README.md": '# Home\n\n[A](a.md)\n\n![P](p.png)\n\n{% include ".gitbook/includes/gone.md" %}\n',
      ".gitbook/includes/note.md": "# Note\n\n[B](../../b.md)\n"
    },
    [
      ".gitbook/includes/note.md unused-file",
      ".gitbook/includes/note.md:3:5 broken-link",
      "README.md:3:5 broken-link",
      "README.md:5:6 broken-link",
      "README.md:7:13 broken-link"
    ]
  ],
  [
    "anchors without a heading, but not those of an include or of other programs",
    {
      "README.md":
        "# Home\n\n[A](a.md#gone)\n\n[Own](#gone)\n\n[B](a.md#part) [C](a.md#c) [D](d.md#any) [E](#e)\n\n<a id='e'></a>\n",
      "a.md": '# A\n\n{% include ".gitbook/includes/note.md" %}\n\n**c**{ #c }\n',
      "d.md": "# D\n\n::: generated.headings\n",
      ".gitbook/includes/note.md": "## Part\n\nText.\n"
    },
    ["README.md:3:5 broken-anchor", "README.md:5:7 broken-anchor", "d.md:3 unsupported-directive"]
  ],
  [
    "entries of SUMMARY.md without a file, twice, and in no list",
    {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Gone](gone.md)\n* [Again](README.md)\n* > [A](a.md)\n",
      "README.md": "# Home\n",
      "a.md": "# A\n"
    },
    [
      "SUMMARY.md:4 missing-page",
      "SUMMARY.md:5 duplicate-page",
      "SUMMARY.md:6 invalid-navigation",
      "a.md unlisted-page"
    ]
  ],
  [
    "entries of mkdocs.yml",
    {
      "mkdocs.yml": "nav:\n  - index.md\n  - gone.md\n  - Again: index.md\n",
      "docs/index.md": "# Home\n"
    },
    ["mkdocs.yml:3 missing-page", "mkdocs.yml:4 duplicate-page"]
  ],
  ["front matter", { "README.md": "---\na: [\n---\n\n# Home\n" }, ["README.md:2:5 invalid-front-matter"]],
  [
    "settings and redirects",
    { ".gitbook.yaml": "root: ../\nredirects:\n  old: gone.md\n", "README.md": "# Home\n" },
    [".gitbook.yaml invalid-settings", ".gitbook.yaml:3 broken-redirect"]
  ],
  ["NUL characters", { "README.md": "# Home\n\na\0b\n" }, ["README.md invalid-encoding"]],
  ["nothing in UTF-8 that contains a replacement character", { "README.md": "# Home\n\n\uFFFD\n" }, []],
  ["other markup", { "README.md": "# Home\n", "a.rst": "A\n=\n" }, ["a.rst not-imported"]],
  [
    "markup that stays text, also more than an import reports, but no code and no type parameters",
    {
      "README.md": `# Home\n\n${"[[a]]\n\n".repeat(6)}{% hint %}\n\n==b==\n\n> [!odd] c\n\n<Gadget />\n\nA List<String> and \`[[code]]\`\n`
    },
    [
      ...[3, 5, 7, 9, 11, 13].map((line) => `README.md:${line} unsupported-wikilink`),
      "README.md:15:1 unclosed-tag",
      "README.md:17 unsupported-highlight",
      "README.md:19 unsupported-callout",
      "README.md:21 unsupported-jsx"
    ]
  ],
  [
    "specs",
    {
      "README.md":
        '# Home\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}\n'
    },
    []
  ],
  [
    "folders without a page, and each position of a link, but not in code",
    {
      "README.md": "# Home\n\n`[a](a.md)` [a](a.md) [a](a.md)\n\n```\n[a](a.md)\n```\n\n[a]: a.md\n\n[b](files/)\n",
      "files/b.json": "{}\n"
    },
    [
      "README.md:3:17 broken-link",
      "README.md:3:27 broken-link",
      "README.md:9:6 broken-link",
      "README.md:11:5 broken-link"
    ]
  ],
  [
    "tags: one problem for each cause",
    {
      "README.md": [
        "# Home\n",
        '{% tabs %}\n{% tab title="A" %}\nA\n{% endtab %}\n{% tab title="B" %}\nB\n{% endtabs %}\n',
        '{% tab title="C" %}\nC\n{% endtab %}\n',
        "{% endhint %}\n",
        "{% if visitor.claims.a %}\nA\n{% else %}\nB\n{% endif %}\n",
        '{% code %}\nText\n{% endcode %}\n\n{% raw %}\n\n{% endraw %}\n\n> {% hint style="info" %}\n> A\n'
      ].join("\n")
    },
    [
      "README.md:7:1 unclosed-tag",
      "README.md:11:1 invalid-tag",
      "README.md:15:1 unclosed-tag",
      "README.md:23:1 invalid-tag",
      "README.md:27:1 unknown-tag",
      "README.md:31:3 unclosed-tag"
    ]
  ],
  [
    "pictures without alternative text, but not decoration and comments",
    {
      "README.md":
        '# Home\n\n![ ](p.svg) <img src="p.svg"> <img src="p.svg" alt=""> <img src="p.svg" role="presentation">\n\n<!-- <img src="p.svg"> -->\n\n<figure><img src="p.svg"\nwidth="9"></figure>\n\n[![][p]](p.svg)\n\n[p]: p.svg\n',
      "p.svg": "<svg/>\n"
    },
    [
      "README.md:3:1 missing-alt-text",
      "README.md:3:13 missing-alt-text",
      "README.md:7:9 missing-alt-text",
      "README.md:10:2 missing-alt-text"
    ]
  ],
  [
    "headings that skip levels, but not those after elements and markup that may generate headings",
    {
      "README.md":
        "# Home\n\n### A\n\n#### B\n\n## C\n\n<h3>D</h3>\n\n#### E\n\n## F\n\n{{ headings }}\n\n#### G\n\n> ###### H\n\n###### I\n"
    },
    ["README.md:3:1 skipped-heading-level", "README.md:15 unsupported-template", "README.md:21:1 skipped-heading-level"]
  ],
  [
    "blocks of code and comments without an end",
    {
      "README.md":
        "# Home\n\n```js\na\n```\n\n~~~~\n~~~\n~~~~\n\n* ```\n  a\n\n      b\n\n<!-- a\n\nb -->\n\n    ```\n    c\n\n<!-- d\n\ne\n"
    },
    ["README.md:11:3 unclosed-block", "README.md:23:1 unclosed-block"]
  ],
  [
    "front matter, with fields of other programs",
    {
      "README.md":
        "---\nlayout: post\ntags: a, b\nicon: 7\ntitle: [a]\ndescription:\nhidden: yes\nif: visitor.claims.a =\nvars:\n  1: a\nwidth: 9\n---\n\nText\n",
      "a.md": "---\nlayout:\n  width: huge\ndescription: 1.0\n---\n\n# A\n"
    },
    [
      "README.md:5 invalid-front-matter",
      "README.md:7 invalid-front-matter",
      "README.md:8 invalid-condition",
      "README.md:9 invalid-front-matter",
      "a.md:2 invalid-front-matter",
      "a.md:4 invalid-front-matter"
    ]
  ],
  [
    "variables of the page, and of the space only if the folder defines variables",
    {
      "README.md":
        '---\nvars:\n  a: 1\n---\n\n# Home\n\n<code class="expression">page.vars.a</code> <code class="expression">page.vars.b &amp;&amp; space.vars.c</code>\n'
    },
    ["README.md:8:70 unknown-variable"]
  ],
  [
    "pages of a repository that its table of contents does not list, apart from its own files",
    {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Part](part.md#a)\n",
      "README.md": "# Home\n",
      "part.md": "# Part\n\n## A\n",
      "CONTRIBUTING.md": "# Contribute\n",
      "hidden.md": "---\nhidden: true\n---\n\n# Hidden\n",
      "a/b.md": "# B\n"
    },
    ["a/b.md unlisted-page"]
  ],
  [
    "no pages of folders that a navigation lists as a whole",
    {
      "mkdocs.yml": "nav:\n  - index.md\n  - Guide: guide/\n  - 'more/*'\n",
      "docs/index.md": "# Home\n",
      "docs/guide/a.md": "# A\n",
      "docs/more/b.md": "# B\n",
      "docs/c.md": "# C\n"
    },
    ["docs/c.md unlisted-page"]
  ],
  [
    "no page in several sidebars",
    {
      "docusaurus.config.js": 'module.exports = { title: "A" }\n',
      "sidebars.js": 'module.exports = { a: ["intro"], b: ["intro"] }\n',
      "docs/intro.md": "# Intro\n"
    },
    []
  ],
  [
    "files outside of the documentation that are no problem",
    {
      "mkdocs.yml": "nav:\n  - index.md\n",
      "docs/index.md": "# Home\n\n![A](used.png)\n",
      "docs/used.png": "",
      "docs/unused.png": "",
      "README.md": "# Repository\n",
      "tests/a.png": "",
      "tests/b.rst": "B\n",
      "tests/c.md": "# C\n",
      "tests/d.json": '{ "openapi": "9" }\n'
    },
    ["docs/unused.png unused-file"]
  ],
  [
    "two pages of one path",
    {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [A](a/x.md)\n  * [C](c/x.md)\n* [B](b/x.md)\n",
      "README.md": "# Home\n",
      "a/x.md": "# A\n",
      "b/x.md": "# B\n",
      "c/x.md": "# C\n"
    },
    ["b/x.md duplicate-path"]
  ],
  [
    "a page with the path of a group, but not that of a folder of unlisted pages or of a link",
    {
      "SUMMARY.md":
        "# Summary\n\n* [Home](README.md)\n* [A](a.md)\n* [C](https://acme.example)\n* [C](c.md)\n\n## B\n\n* [D](d.md)\n\n---\n\n* [B](b.md)\n",
      "README.md": "# Home\n",
      "a.md": "# A\n",
      "a/e.md": "# E\n",
      "b.md": "# B\n",
      "c.md": "# C\n",
      "d.md": "# D\n"
    },
    ["a/e.md unlisted-page", "b.md duplicate-path"]
  ],
  [
    "files that nothing refers to, but not those that a text, a program or a setting may use",
    {
      "README.md": "# Home\n\n![A](a%20(1).png)\n\nThe file b.png.\n",
      "a (1).png": "",
      "b.png": "",
      "c.png": "",
      "a (2).png": "",
      "favicon.ico": "",
      "theme.css": "a { background: url(img/d.png) }\n",
      "img/d.png": "",
      "pictures/e.png": "",
      "plugin.py": 'f"pictures/{name}.png"\n',
      ".github/f.png": "",
      "app/launcher.png": "",
      CNAME: "acme.example\n"
    },
    ["a (2).png unused-file", "c.png unused-file"]
  ],
  [
    "specs, but no other settings",
    {
      "README.md": "# Home\n",
      "a.yaml": "# Pets\nopenapi: 3.0.0\ninfo: 1\n",
      "b.json": '{\n  "swagger": "1.0"\n}\n',
      "c.yaml": "version: 1\nspec: openapi\n"
    },
    ["a.yaml:2:1 nonstandard-spec", "a.yaml:3:1 nonstandard-spec", "b.json invalid-spec"]
  ],
  [
    "anchors that an element defines, also with percent signs",
    { "README.md": '# Home\n\n[A](#a%2fb) [C](#c)\n\n<h2 id="a/b">A</h2>\n' },
    ["README.md:3:17 broken-anchor"]
  ],
  [
    "no type parameters, also if their line is not known",
    { "README.md": "# Home\n\n[Handler<T>](https://acme.example) a\\<T\\>\n\n    Handler<T>\n" },
    []
  ],
  [
    "comments: several rules, all rules, the file, unknown rules, and those that hide nothing",
    {
      "README.md": [
        "<!-- lectern-disable-file missing-alt-text, unlisted-page -->\n",
        "<!-- lectern-disable-next-line broken-link missing-alt-text -->\n![](a.png) [b](b.md)\n",
        "<!-- lectern-disable-next-line broken-lnk -->\n[c](c.md)\n",
        "Text <!-- lectern-disable-next-line -->\ntext\n",
        "`<!-- lectern-disable-next-line -->`\n\n```\n<!-- lectern-disable-file -->\n```\n",
        "<!-- lectern-disable-next-line missing-spec broken-external-link -->\nText\n",
        "<!-- lectern-disable-next-line\nbroken-link\n-->\n[d](d.md)\n"
      ].join("\n")
    },
    [
      "README.md:1:1 unused-disable",
      "README.md:6:1 unused-disable",
      "README.md:7:5 broken-link",
      "README.md:9:6 unused-disable"
    ]
  ],
  [
    "no problem that a comment disables",
    {
      "README.md":
        "# Home\n\n<!-- lectern-disable-next-line broken-link -->\n[A](a.md)\n\n<!-- lectern-disable-next-line -->\n[B](b.md)\n\n<!-- lectern-disable-next-line broken-anchor -->\n[C](c.md)\n"
    },
    ["README.md:9:1 unused-disable", "README.md:10:5 broken-link"]
  ]
]

describe("FolderLint", () => {
  for (const [name, files, findings] of cases) {
    it.effect(`finds ${name}`, () =>
      Effect.gen(function* () {
        const { problems } = yield* FolderLint.run(folderOf(files))
        assert.deepStrictEqual(
          problems.map(
            ({ path, line, column, rule }) =>
              `${[path, line, column].filter((part) => part !== undefined).join(":")} ${rule}`
          ),
          findings
        )
      })
    )
  }
})
