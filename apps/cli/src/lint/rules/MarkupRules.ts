/** Rules about markup that stays text. */
import { importRules } from "@lectern/exchange/import/ImportRules"
import type { LintRule } from "../LintRule.ts"

const dialects = "[Markdown of other programs](../markdown-of-other-programs.md) lists the markup that Lectern reads."

export const markupRules = {
  "invalid-condition": {
    summary: "A condition can't be parsed, so its content never shows",
    level: "error",
    details:
      "This concerns tags `{% if … %}` and the field `if` of the front matter. [Conditions](../../publishing/conditions.md) describes the syntax.",
    wrong: { "README.md": '# Home\n\n{% if visitor.claims.plan = "pro" %}\nThank you.\n{% endif %}\n' },
    right: { "README.md": '# Home\n\n{% if visitor.claims.plan == "pro" %}\nThank you.\n{% endif %}\n' }
  },
  "invalid-expression": {
    summary: "An expression can't be parsed and stays text",
    level: "error",
    details:
      "An expression shows the value of a [variable](../../concepts/variables-and-reusable-content.md) or of a claim.",
    wrong: { "README.md": '# Home\n\nThis is version <code class="expression">space.vars.</code>.\n' },
    right: { "README.md": '# Home\n\nThis is version <code class="expression">space.vars.version</code>.\n' }
  },
  "unknown-variable": {
    summary: "An expression names a variable that is not defined",
    level: "error",
    details:
      "Variables of a page are in the field `vars` of its front matter, those of the space in `.gitbook/vars.yaml`. Without this file, the variables of the space are not checked.",
    wrong: {
      "README.md": '# Home\n\nThis is version <code class="expression">space.vars.verison</code>.\n',
      ".gitbook/vars.yaml": "version: 1.2.0\n"
    },
    right: {
      "README.md": '# Home\n\nThis is version <code class="expression">space.vars.version</code>.\n',
      ".gitbook/vars.yaml": "version: 1.2.0\n"
    }
  },
  "invalid-tag": {
    summary: "A tag stays text, since it is incomplete or at a wrong position",
    level: "error",
    details:
      "An example is a `{% tab %}` outside of `{% tabs %}`. [Markdown](../markdown.md) describes what each tag contains.",
    wrong: { "README.md": "# Home\n\n{% embed %}\n" },
    right: { "README.md": '# Home\n\n{% embed url="https://acme.example/film" %}\n' }
  },
  "unclosed-tag": {
    summary: "A tag has no end, or an end has no tag, so it stays text",
    level: "error",
    details: "[Markdown](../markdown.md) lists the tags.",
    wrong: { "README.md": '# Home\n\n{% hint style="info" %}\nThe dog bites.\n' },
    right: { "README.md": '# Home\n\n{% hint style="info" %}\nThe dog bites.\n{% endhint %}\n' }
  },
  "unknown-tag": {
    summary: "A tag with an unknown name stays text",
    level: "error",
    details: "[Markdown](../markdown.md) lists the tags. To show a tag on purpose, write it as code.",
    wrong: { "README.md": '# Home\n\n{% hnit style="info" %}\nThe dog bites.\n{% endhnit %}\n' },
    right: { "README.md": '# Home\n\n{% hint style="info" %}\nThe dog bites.\n{% endhint %}\n' }
  },
  "unclosed-block": {
    summary: "A block of code or a comment has no end, so the rest of the page is code or hidden",
    level: "error",
    details: "In a list or a blockquote, the block ends with the item. Then its end is usually indented too little.",
    wrong: { "README.md": "# Home\n\n```js\nstart()\n\nThat is all.\n" },
    right: { "README.md": "# Home\n\n```js\nstart()\n```\n\nThat is all.\n" }
  },
  "skipped-heading-level": {
    summary: "A heading is more than one level below the heading before it",
    level: "warning",
    levelReason: "Some authors choose levels by their size",
    details:
      "The outline of the page has a gap, which is confusing for people who listen to it. Headings in other blocks, such as tabs, are not checked.",
    wrong: { "README.md": "# Home\n\n## Install\n\n#### Linux\n" },
    right: { "README.md": "# Home\n\n## Install\n\n### Linux\n" }
  },
  "unsupported-callout": {
    summary: importRules["unsupported-callout"],
    level: "error",
    details: `The blockquote shows with its first line as text. ${dialects}`,
    wrong: { "README.md": "# Home\n\n> [!beware]\n> The dog bites.\n" },
    right: { "README.md": "# Home\n\n> [!warning]\n> The dog bites.\n" }
  },
  "unsupported-directive": {
    summary: importRules["unsupported-directive"],
    level: "error",
    details: `The lines with colons show as text. ${dialects}`,
    wrong: { "README.md": "# Home\n\n:::beware\nThe dog bites.\n:::\n" },
    right: { "README.md": "# Home\n\n:::warning\nThe dog bites.\n:::\n" }
  },
  "unsupported-highlight": {
    summary: importRules["unsupported-highlight"],
    level: "error",
    details: `The equals signs show. ${dialects}`,
    wrong: { "README.md": "# Home\n\nThe dog ==bites==.\n" },
    right: { "README.md": "# Home\n\nThe dog <mark>bites</mark>.\n" }
  },
  "unsupported-jsx": {
    summary: importRules["unsupported-jsx"],
    level: "error",
    details: `A component without its end counts as unknown. ${dialects}`,
    wrong: { "README.md": '# Home\n\n<Beware animal="dog" />\n' },
    right: { "README.md": '# Home\n\n{% hint style="warning" %}\nThe dog bites.\n{% endhint %}\n' }
  },
  "unsupported-shortcode": {
    summary: importRules["unsupported-shortcode"],
    level: "error",
    details: `To show a shortcode on purpose, write it as code. ${dialects}`,
    wrong: { "README.md": '# Home\n\n{{< beware "dog" >}}\n' },
    right: { "README.md": "# Home\n\n{{< warning >}}\nThe dog bites.\n{{< /warning >}}\n" }
  },
  "unsupported-template": {
    summary: importRules["unsupported-template"],
    level: "error",
    details: `Visitors see the source. To show such text on purpose, write it as code. ${dialects}`,
    wrong: { "README.md": "# Home\n\nThe newest version is {{ version }}.\n" },
    right: { "README.md": "# Home\n\nWrite `{{ version }}` in the template.\n" }
  },
  "unsupported-wikilink": {
    summary: importRules["unsupported-wikilink"],
    level: "error",
    details: `The brackets show. ${dialects}`,
    wrong: { "README.md": "# Home\n\nSee [[Setup]].\n" },
    right: { "README.md": "# Home\n\nSee [Setup](setup.md).\n", "setup.md": "# Setup\n" }
  }
} as const satisfies Record<string, LintRule>
