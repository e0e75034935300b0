/** Rules about files as a whole: their encoding, settings and specs. */
import { importRules } from "@lectern/exchange/import/ImportRules"
import type { LintRule } from "../LintRule.ts"

export const fileRules = {
  "invalid-encoding": {
    summary: importRules["invalid-encoding"],
    level: "error",
    details: "These characters become the replacement character `�`. Save the file as UTF-8.",
    wrong: { "README.md": "# Home\n\nWelcome\0 to Acme.\n" },
    right: { "README.md": "# Home\n\nWelcome to Acme.\n" }
  },
  "invalid-front-matter": {
    summary: importRules["invalid-front-matter"],
    level: "error",
    details:
      "The page shows without the fields that can't be read. Fields that other programs define differently, such as `layout: post`, are not checked.",
    fix: "A truth value in quotes, `yes` and `no` become `true` or `false`. A title, description or condition that is a number or a truth value gets quotes.",
    wrong: { "README.md": "---\ndescription: [Install\n---\n\n# Home\n" },
    right: { "README.md": "---\ndescription: Install\n---\n\n# Home\n" }
  },
  "invalid-settings": {
    summary: importRules["invalid-settings"],
    level: "error",
    details:
      "This concerns [`site.yaml`](../../guides/site-yaml.md), `.gitbook.yaml` and the files in `.gitbook`, for example `vars.yaml`. The value is left out. [Folder layout](../folder-layout.md) describes these files.",
    wrong: { ".gitbook.yaml": "root: ../docs\n", "README.md": "# Home\n" },
    right: { ".gitbook.yaml": "root: ./\n", "README.md": "# Home\n" }
  },
  "invalid-spec": {
    summary: "An OpenAPI spec can't be read",
    level: "error",
    details:
      "Files of JSON or YAML that start with the field `openapi` or `swagger` are specs. Blocks of the [API reference](../../publishing/api-reference.md) show nothing of a spec that can't be read.",
    wrong: {
      "README.md": "# Home\n",
      "pets.yaml": "openapi: 4.1.0\ninfo:\n  title: Pets\n  version: '1'\npaths: {}\n"
    },
    right: { "README.md": "# Home\n", "pets.yaml": "openapi: 3.1.0\ninfo:\n  title: Pets\n  version: '1'\npaths: {}\n" }
  },
  "nonstandard-spec": {
    summary: "A part of an OpenAPI spec deviates from the standard, or is not read",
    level: "warning",
    levelReason: "The rest of the spec shows",
    details:
      "References to other files are not read, for example: bundle the spec into one file. At most 20 parts of a spec are reported.",
    wrong: {
      "README.md": "# Home\n",
      "pets.yaml":
        "openapi: 3.1.0\ninfo:\n  title: Pets\n  version: '1'\npaths:\n  /pets:\n    get:\n      summary: 7\n"
    },
    right: {
      "README.md": "# Home\n",
      "pets.yaml":
        "openapi: 3.1.0\ninfo:\n  title: Pets\n  version: '1'\npaths:\n  /pets:\n    get:\n      summary: List all pets\n"
    }
  },
  "missing-spec": {
    summary: importRules["missing-spec"],
    level: "off",
    levelReason: "A folder can't state which specs are registered on a server",
    details:
      "The block shows only the method and the path. Turn the rule on if you want to find such blocks before the spec is [registered](../../concepts/openapi-specs.md).",
    wrong: {
      "README.md":
        '# Pets\n\n{% openapi-operation spec="pets" path="/pets" method="get" %}\n{% endopenapi-operation %}\n'
    },
    right: { "README.md": "# Pets\n\n`GET /pets` lists all pets.\n" }
  },
  "not-imported": {
    summary: importRules["not-imported"],
    level: "error",
    details:
      "Pages are read from Markdown, in files whose names end in `.md`. [Import a folder](../../guides/import-a-folder.md#limits) lists the limits.",
    wrong: { "README.md": "# Home\n", "setup.rst": "Setup\n=====\n" },
    right: { "README.md": "# Home\n", "setup.md": "# Setup\n" }
  },
  "unused-disable": {
    summary: "A comment hides no problem",
    level: "warning",
    levelReason: "The page shows as its author wants it",
    details:
      "The problem was mended, or the name of the rule is wrong. [Hide problems](README.md#hide-problems) describes these comments.",
    wrong: {
      "README.md": "# Home\n\n<!-- lectern-disable-next-line broken-link -->\nSee [the setup](setup.md).\n",
      "setup.md": "# Setup\n"
    },
    right: { "README.md": "# Home\n\nSee [the setup](setup.md).\n", "setup.md": "# Setup\n" },
    fix: "The comment, or the name of the rule in it, is removed, unless the paragraphs around the comment would become one."
  },
  "unused-file": {
    summary: "Nothing in the folder refers to a file",
    level: "warning",
    levelReason: "The site shows as its author wants it",
    details:
      "The rule reports reusable content that no page includes, and pictures, videos and documents: in `.gitbook/assets`, and in folders of which pages use another file. A file whose name occurs anywhere in a text of the folder counts as used, because scripts and settings of other programs refer to files too. Icons and logos that browsers request by their name are not reported.",
    wrong: { "README.md": "# Home\n", ".gitbook/includes/note.md": "# Note\n" },
    right: {
      "README.md": '# Home\n\n{% include ".gitbook/includes/note.md" %}\n',
      ".gitbook/includes/note.md": "# Note\n"
    }
  }
} as const satisfies Record<string, LintRule>
