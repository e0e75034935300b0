import type { Template } from "./Template.ts"

/** Pages for changes, upgrades and the style of entries. */
export const changelog: Template = {
  id: "changelog",
  title: "Changelog",
  description: "What is new, version by version, with a guide to upgrades and to writing entries.",
  variables: { version: "1.1.0" },
  pages: () => [
    {
      title: "What is new",
      name: "template-whats-new",
      icon: "sparkles",
      description: "Every release, the newest first.",
      markdown: `## 1.1.0

**Added**

* A thing that users can do now and could not before. Say what it is good for.

**Changed**

* Something that looks or works differently. Say how it was, and how it is now.

**Fixed**

* Something went wrong when …; it doesn't any more.

{% hint style="warning" %}
Does someone have to do something? Then say so here, above all else, and link to [Upgrades](/pages/template-upgrades).
{% endhint %}

## 1.0.0

The first release.
`
    },
    {
      title: "Upgrades",
      name: "template-upgrades",
      icon: "arrow-up",
      description: "What to do when a release asks for it.",
      markdown: `One heading for each release that takes more than installing it, the newest first.

## From 1.0 to 1.1

1. Make a backup.
2. Install the new version.
3. Check that it runs: say where to look, and what should be there.

**How to go back.** Say until when that is possible, and how.
`
    },
    {
      title: "How we write entries",
      icon: "pen",
      markdown: `* Write for the reader of the product, not for the author of the change.
* One sentence for each change. What it does for someone, then how.
* Put it under **Added**, **Changed**, **Deprecated**, **Removed**, **Fixed** or **Security**.
* Link to the page that explains it. If there is none, write that first.
* A release that breaks something has a new first number; one that adds something a new second one.
`
    }
  ]
}
