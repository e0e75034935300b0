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
      "README.md": `# Home\n\n${"[[a]]\n\n".repeat(6)}{% hint %}\n\n==b==\n\n> [!odd] c\n\n<Card />\n\nA List<String> and \`[[code]]\`\n`
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
