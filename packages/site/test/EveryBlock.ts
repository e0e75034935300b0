/** A page with every block, inline and mark of the vocabulary, as an author would write it. */

export const markdown = `Lectern holds **documentation** that _people_ own, ~~not~~ and ***never*** rents. Press <kbd>Ctrl</kbd> <kbd>K</kbd> to search, write H<sub>2</sub>O and x<sup>2</sup>, call \`lectern serve --port 3000\`, follow [a link](https://example.com/guide "Where it leads"), and read of [revisions](#user-content-fn-1)[^1] before. A footnote[^more] says more.

[^1]: A revision is **all of a space** at one moment.

    It never changes.

<mark style="color:red;">Red</mark>, <mark style="color:orange;">orange</mark>, <mark style="color:yellow;">yellow</mark>, <mark style="color:green;">green</mark>, <mark style="color:blue;">blue</mark>, <mark style="color:purple;">purple</mark> words, and <mark style="background-color:yellow;">grounds</mark> <mark style="background-color:green;">of</mark> <mark style="background-color:purple;">theirs</mark>. An icon <i class="fa-star">:star:</i>, an emoji :rocket:, a formula $$e^{i\\pi} + 1 = 0$$, and <u>a line below</u>. [Somebody](/files/guide "mention") is mentioned, and ![a small picture](/files/small)<img src="/files/small" alt="in the line" data-size="line"> stand in a line.  
A line break, and the variable <code class="expression">space.vars.version</code>.

<a href="https://example.com/start" class="button primary" data-icon="rocket">Get started</a> <a href="https://example.com/more" class="button secondary">Read more</a>

<p align="center">A paragraph in the middle.</p>

## Headings and lists

### A smaller heading with \`code\`

#### And the smallest

* Apples, which are good
  * Pink Lady
  * Cox
* Pears

1. First
2. Second
   1. Deeper

* [x] Write it
* [ ] Publish it

> A quote of somebody who said something that is worth repeating on two lines of a page.

***

## Hints

{% hint style="info" %}
**Good to know.** A hint with \`code\` and [a link](https://example.com).
{% endhint %}

{% hint style="success" %}
It worked.
{% endhint %}

{% hint style="warning" %}
### Take care

Back up **first**.
{% endhint %}

{% hint style="danger" %}
This can't be undone.
{% endhint %}

## Tabs

{% tabs %}
{% tab title="npm" icon="rocket" %}
\`\`\`bash
npm install lectern
\`\`\`
{% endtab %}

{% tab title="pnpm" %}
Use pnpm, which is faster:

\`\`\`bash
pnpm add lectern
\`\`\`
{% endtab %}

{% tab title="From source" %}
Clone it and build.
{% endtab %}
{% endtabs %}

## Steps

{% stepper %}
{% step %}
### Install it

With the package manager of your choice.
{% endstep %}

{% step %}
### Start it

\`\`\`bash
lectern serve
\`\`\`
{% endstep %}

{% step icon="star" %}
### Write

The rest is yours.
{% endstep %}
{% endstepper %}

## Columns

{% columns %}
{% column width="33%" %}
### One third

A narrow column with a few words in it.
{% endcolumn %}

{% column width="67%" valign="middle" %}
{% hint style="info" %}
A hint in the wider column.
{% endhint %}
{% endcolumn %}
{% endcolumns %}

## What opens

<details>

<summary>What does it cost?</summary>

Nothing. You own it.

</details>

<details open>

<summary>Where does it run?</summary>

On your machine.

</details>

{% prompt description="Write a page" icon="star" %}
Write about our opening hours.
{% endprompt %}

## Code

{% code title="src/hello.ts" lineNumbers="true" %}
\`\`\`ts
/** Says hello to somebody. */
export const hello = (name: string, times = 2): string => {
  // A comment
  return Array.from({ length: times }, () => \`Hello, \${name}!\`).join("\\n")
}
\`\`\`
{% endcode %}

<pre class="language-ts"><code class="lang-ts">const name = "you"
<strong>console.log(\`hello \${name}\`)
</strong></code></pre>

\`\`\`diff
--- a/config.yaml
+++ b/config.yaml
 server:
-  port: 80
+  port: 8080
\`\`\`

{% code overflow="wrap" expandable="true" collapsedLineCount="3" %}
\`\`\`json
{
  "title": "A line that is so long that it is wrapped where it meets the edge of the block that it stands in, and then goes on",
  "visibility": "public",
  "pages": 12,
  "draft": false,
  "owner": null
}
\`\`\`
{% endcode %}

\`\`\`
plain text without a language
\`\`\`

## Formulas

$$
\\int_{-\\infty}^{\\infty} e^{-x^2} \\, dx = \\sqrt{\\pi}
$$

## Pictures

![A landscape](/files/wide "A caption below the picture")

<div data-with-frame="true"><figure><picture><source srcset="/files/dark" media="(prefers-color-scheme: dark)"><img src="/files/light" alt="Light or dark" width="320"></picture><figcaption><p>A picture for <strong>both</strong> modes, in a frame</p></figcaption></figure></div>

<figure style="max-width: 40%"><img src="/files/light" alt="With a style"><figcaption></figcaption></figure>

## Files, pages and embeds

{% file src="/files/list" %}
The price list
{% endfile %}

{% content-ref url="/pages/start" %}
Start
{% endcontent-ref %}

{% content-ref url="/pages/nowhere" %}
Nowhere
{% endcontent-ref %}

{% embed url="https://www.youtube.com/watch?v=dQw4w9WgXcQ" %}
A film
{% endembed %}

{% embed url="https://example.com/some/article" %}

## Tables

| Setting | Values | Default |
| --- | :---: | ---: |
| \`LECTERN_PORT\` | 1 to 65535 | 3000 |
| \`LECTERN_DATA\` | A folder, as [described](https://example.com) | \`./data\` |
| \`LECTERN_SITES_URL\` | A URL | **none** |

<table data-full-width="true"><thead><tr><th width="120">Name</th><th data-type="rating" data-max="5">Stars</th><th data-type="checkbox">Done</th><th data-type="number">Count</th><th data-type="files">Files</th><th data-type="content-ref">Page</th></tr></thead><tbody><tr><td><p>Two</p><p>paragraphs</p></td><td>4</td><td>true</td><td>12</td><td><a href="/files/list">list</a></td><td><a href="/pages/start">start</a></td></tr><tr><td>One</td><td>2</td><td>false</td><td>3</td><td></td><td></td></tr></tbody></table>

## Cards

<table data-view="cards"><thead><tr><th></th><th></th><th data-hidden data-card-target data-type="content-ref"></th><th data-hidden data-card-cover data-type="files"></th></tr></thead><tbody><tr><td><strong>Quick start</strong></td><td>From nothing to a page that others can read.</td><td><a href="/pages/start">start</a></td><td><a href="/files/wide">wide</a></td></tr><tr><td><strong>Concepts</strong></td><td>What the words mean.</td><td><a href="https://example.com/concepts">concepts</a></td><td><a href="/files/light">light</a></td></tr><tr><td><strong>Reference</strong></td><td>A card without a cover, that leads nowhere.</td><td></td><td></td></tr></tbody></table>

## Updates

{% updates format="full" %}
{% update date="2026-04-09" tags="api,fixes" %}
## Sites are here

Everything that is published is a website now.
{% endupdate %}

{% update date="2026-03-01" %}
## A smaller one

Nothing to see.
{% endupdate %}
{% endupdates %}

## Everything else

{% include "/reusable-contents/shared" %}

{% if visitor.claims.plan === "pro" %}
For customers.
{% else %}
For everybody else.
{% endif %}

{% openapi-operation spec="petstore" path="/pets" method="get" %}
{% endopenapi-operation %}

{% openapi-schemas spec="petstore" schemas="Pet,Error" grouped="true" %}
{% endopenapi-schemas %}

{% openapi-webhook spec="petstore" name="newPet" method="post" %}
{% endopenapi-webhook %}

{% openapi src="/files/list" path="/pets" method="get" %}
{% endopenapi %}

{% @weather/today city="Bern" %}

<img src="/files/sketch.excalidraw.svg" alt="A drawing" class="gitbook-drawing">

<section>HTML that visitors don't see</section>

{% unknown tag="x" %}

[defined]: https://example.com/defined

[^more]: A footnote has a \`little\` more.
`
