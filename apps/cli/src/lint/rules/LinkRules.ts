/** Rules about links, pictures and redirects. */
import { importRules } from "@lectern/exchange/import/ImportRules"
import type { LintRule } from "../LintRule.ts"

const picture = '<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>\n'

export const linkRules = {
  "broken-anchor": {
    summary: importRules["broken-anchor"],
    level: "error",
    details:
      "The link opens the page, but at its top. Headings of included content count too. Anchors are not checked on pages where other programs may generate headings, for example with directives, components or templates.",
    wrong: { "README.md": "# Install\n\n## Linux\n\nOn another system, see [Windows](#windows).\n" },
    right: { "README.md": "# Install\n\n## Linux\n\nOn another system, see [Windows](#windows).\n\n## Windows\n" }
  },
  "broken-external-link": {
    summary: "A link or a picture leads to nothing on the web",
    level: "error",
    details:
      "The rule is checked with `lectern lint --external`. It reports only URLs that certainly don't exist: their status is 404 or 410, or their host is unknown. A website that can't be reached, or that refuses the request, is not reported. Hosts for examples, such as `example.com`, are not requested.",
    wrong: { "README.md": "# Home\n\nSee [our film](https://acme.dev/gone).\n" },
    right: { "README.md": "# Home\n\nSee [our film](https://acme.dev/film).\n" }
  },
  "broken-link": {
    summary: importRules["broken-link"],
    level: "error",
    details:
      "The destination is relative to the file of the link. A destination that starts with `/` is relative to the folder of the documentation. Links in [reusable content](../../concepts/variables-and-reusable-content.md) are checked in its own file.",
    fix: "A `\\\\` between names becomes `/`, if the folder contains the file.",
    wrong: { "README.md": "# Home\n\nSee [the setup](setpu.md).\n", "setup.md": "# Setup\n" },
    right: { "README.md": "# Home\n\nSee [the setup](setup.md).\n", "setup.md": "# Setup\n" }
  },
  "missing-alt-text": {
    summary: "A picture has no alternative text",
    level: "warning",
    levelReason: "The page shows as its author wants it",
    details:
      'People who can\'t see the picture get no information from it. A picture that is only decoration needs no text: write it as an element with an empty attribute, `<img src="line.svg" alt="">`.',
    wrong: { "README.md": "# Home\n\n![](plan.svg)\n", "plan.svg": picture },
    right: { "README.md": "# Home\n\n![Plan of the house](plan.svg)\n", "plan.svg": picture }
  },
  "spaced-link": {
    summary: "A link or a picture stays text, since its destination contains spaces",
    level: "error",
    details:
      "Destinations in Markdown contain no spaces. The rule reports only destinations that are files of the folder.",
    wrong: { "README.md": "# Home\n\nSee [the setup](first setup.md).\n", "first setup.md": "# Setup\n" },
    right: { "README.md": "# Home\n\nSee [the setup](first%20setup.md).\n", "first setup.md": "# Setup\n" },
    fix: "Each space becomes `%20`."
  },
  "broken-redirect": {
    summary: importRules["broken-redirect"],
    level: "error",
    details: "A visitor of the former path sees that the page does not exist.",
    wrong: {
      ".gitbook.yaml": "redirects:\n  install: setpu.md\n",
      "README.md": "# Home\n",
      "setup.md": "# Setup\n"
    },
    right: {
      ".gitbook.yaml": "redirects:\n  install: setup.md\n",
      "README.md": "# Home\n",
      "setup.md": "# Setup\n"
    }
  }
} as const satisfies Record<string, LintRule>
