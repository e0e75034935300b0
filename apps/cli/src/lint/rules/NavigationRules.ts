/** Rules about the table of contents and the tree of pages. */
import { importRules } from "@lectern/exchange/import/ImportRules"
import type { LintRule } from "../LintRule.ts"

const pages = { "README.md": "# Home\n", "setup.md": "# Setup\n" }

export const navigationRules = {
  "duplicate-path": {
    summary: "Two pages have the same path",
    level: "error",
    details:
      "The path of a page consists of the names of the pages above it and of its own file. The page that comes later gets a number at the end of its path, and the path changes if the order changes.",
    wrong: {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Linux](linux/setup.md)\n* [Windows](windows/setup.md)\n",
      "README.md": "# Home\n",
      "linux/setup.md": "# Linux\n",
      "windows/setup.md": "# Windows\n"
    },
    right: {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Linux](setup/linux.md)\n* [Windows](setup/windows.md)\n",
      "README.md": "# Home\n",
      "setup/linux.md": "# Linux\n",
      "setup/windows.md": "# Windows\n"
    }
  },
  "duplicate-page": {
    summary: importRules["duplicate-page"],
    level: "error",
    details: "A page has one position in the tree. The first entry counts, and the others are left out.",
    wrong: {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n* [Set up](setup.md)\n",
      ...pages
    },
    right: { "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n", ...pages }
  },
  "invalid-navigation": {
    summary: importRules["invalid-navigation"],
    level: "error",
    details: "The entry is left out, and its page is hidden.",
    wrong: {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n\nSee also [Acme](https://acme.example).\n",
      ...pages
    },
    right: {
      "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n* [Acme](https://acme.example)\n",
      ...pages
    }
  },
  "missing-page": {
    summary: importRules["missing-page"],
    level: "error",
    details: "The entry is left out. The entries below it move up.",
    wrong: { "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setpu.md)\n", "README.md": "# Home\n" },
    right: { "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n", ...pages }
  },
  "unlisted-page": {
    summary: "The table of contents does not list a page",
    level: "warning",
    levelReason: "Some pages are hidden on purpose",
    details:
      "The page is hidden: only its URL leads to it. Pages whose front matter has `hidden: true`, and files such as `CONTRIBUTING.md`, are not reported.",
    wrong: { "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n", ...pages },
    right: { "SUMMARY.md": "# Summary\n\n* [Home](README.md)\n* [Setup](setup.md)\n", ...pages }
  }
} as const satisfies Record<string, LintRule>
