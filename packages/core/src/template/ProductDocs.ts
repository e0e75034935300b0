import type { Template } from "./Template.ts"

/** Pages about a product, from first steps to troubleshooting. */
export const productDocs: Template = {
  id: "product-docs",
  title: "Product documentation",
  description: "A welcome page, a first success, concepts, guides, and help when something goes wrong.",
  contentRefs: ["cover"],
  pages: ({ cover }) => [
    {
      title: "Welcome",
      name: "template-welcome",
      icon: "hand-wave",
      description: "What the product does, and where to go from here.",
      ...(cover !== undefined && { cover }),
      markdown: `Say in two sentences what the product does and for whom. A reader decides here whether to stay.

{% hint style="info" %}
Replace this text with your own, and delete the pages that you don't need.
{% endhint %}

## Start here

| If you want to | Read |
| --- | --- |
| See it work in five minutes | [Quick start](/pages/template-quick-start) |
| Understand how the parts fit | [Concepts](/pages/template-concepts) |
| Get one thing done | [Guides](/pages/template-guides) |
| Find out why something fails | [Troubleshooting](/pages/template-troubleshooting) |
`
    },
    {
      title: "Quick start",
      name: "template-quick-start",
      icon: "rocket",
      description: "From nothing to a first success.",
      markdown: `Lead the reader to one result that they can see. Leave out every choice that can wait.

## What you need

* An account
* Five minutes

## 1. Install it

{% tabs %}
{% tab title="macOS" %}
\`\`\`bash
brew install your-product
\`\`\`
{% endtab %}

{% tab title="Linux" %}
\`\`\`bash
curl -fsSL https://example.com/install.sh | sh
\`\`\`
{% endtab %}
{% endtabs %}

## 2. Make something

Show the shortest command or click path that makes something real.

## 3. See the result

Tell what the reader sees now, word for word, so that they know it worked.

{% hint style="success" %}
That's it. Go on with [a guide](/pages/template-guides), or find out [how it works](/pages/template-concepts).
{% endhint %}
`
    },
    {
      title: "Concepts",
      name: "template-concepts",
      icon: "lightbulb",
      description: "The words that the rest of the documentation uses.",
      markdown: `Name the three to seven things that a user of the product has to know, and how they belong together. One heading for each; link to it wherever the word comes up.

## First concept

What it is, in one sentence. What it is for. What it is not.

## Second concept

How it relates to the first one: what holds what, what comes before what.
`
    },
    {
      title: "Guides",
      name: "template-guides",
      type: "group",
      icon: "map",
      pages: [
        {
          title: "Do one thing well",
          description: "A guide answers one question: how do I …?",
          markdown: `Begin with what the reader has when they are done.

1. One step, one action. Say where: the page, the menu, the command.
2. Say what happens, where that isn't obvious.
3. Stop when the goal is reached.

## If it doesn't work

List the two or three mistakes that people make here, each with its sign and its cure.
`
        },
        {
          title: "Connect another tool",
          description: "What goes in, what comes out, and who may do it.",
          markdown: `## Before you begin

Which rights the reader needs in both tools, and where to get a key.

## Connect

Each setting with what to put there.

| Setting | Value |
| --- | --- |
| URL | The address of your account |
| Key | One that may read, and nothing else |

## Check that it works

The one place to look, and what should be there.
`
        }
      ]
    },
    {
      title: "Troubleshooting",
      name: "template-troubleshooting",
      icon: "life-ring",
      description: "From what you see to what to do.",
      markdown: `Write the headings in the words that the reader sees on the screen: that is what they search for.

## "Connection refused"

**Why.** The service isn't running, or listens elsewhere.

**What to do.** Start it, and compare the port with the one in your settings.

## Something else

Tell where to ask, and what to send along: the version, what was done, what happened instead.
`
    },
    {
      title: "Questions and answers",
      icon: "circle-question",
      markdown: `## Is there a free plan?

Answer in the first word: yes or no. Then say what it depends on.

## Where is my data kept?

Which country, for how long, and how to get it out.
`
    }
  ]
}
