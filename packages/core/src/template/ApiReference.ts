import type { ContentRef } from "@lectern/document/Document"
import type { Template, TemplatePage } from "./Template.ts"

/**
 * Template of an API reference: pages about authentication, errors, paging and limits. If a spec is given, it has a
 * page with the operations of the spec.
 */
export const apiReference: Template = {
  id: "api-reference",
  title: "API reference",
  description: "Authentication, errors, paging and limits, and the operations of an OpenAPI spec.",
  contentRefs: ["spec"],
  variables: { api_url: "https://api.example.com/v1" },
  pages: ({ spec }) => [
    {
      title: "Introduction",
      name: "template-introduction",
      icon: "book-open",
      description: "The first request, from key to answer.",
      markdown: `Say what the API is good for, and what it can't do.

## The first request

1. Make a key: see [Authentication](/pages/template-authentication).
2. Ask who you are:

\`\`\`bash
curl -H "Authorization: Bearer $TOKEN" https://api.example.com/v1/user
\`\`\`

3. The answer is JSON, in UTF-8:

\`\`\`json
{ "id": "u_123", "name": "Ada" }
\`\`\`

## Conventions

| What | How |
| --- | --- |
| Times | ISO 8601 in UTC, as \`2026-01-31T09:30:00Z\` |
| Ids | Texts; don't read a meaning into them |
| Unknown fields | Ignore them: new ones may come at any time |
`
    },
    {
      title: "Authentication",
      name: "template-authentication",
      icon: "key",
      description: "How a request says who asks.",
      markdown: `Every request carries a key:

\`\`\`http
Authorization: Bearer YOUR_KEY
\`\`\`

{% hint style="warning" %}
A key can do what its owner can. Keep it out of browsers and repositories, and replace it when it was seen.
{% endhint %}

## What goes wrong

| Status | Means |
| --- | --- |
| \`401\` | There is no key, or it isn't valid any more |
| \`403\` | The key is good, but may not do this |
`
    },
    {
      title: "Errors",
      icon: "triangle-exclamation",
      description: "What an answer looks like when it isn't the one you wanted.",
      markdown: `The status tells what kind of problem it is, the body tells which:

\`\`\`json
{ "error": { "code": 404, "message": "There is no such thing" } }
\`\`\`

| Status | What to do |
| --- | --- |
| \`400\` | Change the request; the message says where |
| \`404\` | Check the id, and whether you may see it |
| \`409\` | Read again, then decide |
| \`429\` | Wait as long as \`Retry-After\` says |
| \`5xx\` | Try again, with growing pauses |
`
    },
    {
      title: "Paging and limits",
      icon: "layer-group",
      description: "How to read long lists, and how fast.",
      markdown: `## Lists

A list answers a page at a time. Where there is more, the answer has \`next\`; hand it back to go on:

\`\`\`bash
curl "https://api.example.com/v1/things?limit=100&page=NEXT"
\`\`\`

Don't make a value of \`page\` yourself, and don't keep one for long.

## Limits

Say how many requests in which time, for whom, and which headers tell what is left.
`
    },
    ...(spec === undefined ? [operationsPage] : [operationsOf(spec)])
  ]
}

const operationsPage: TemplatePage = {
  title: "Operations",
  icon: "code",
  description: "One page for each thing that the API deals in.",
  markdown: `Add an OpenAPI spec and a computed page of it here, and the operations write themselves. Or describe them by hand:

## Get a thing

\`GET /things/{id}\`

| Name | In | Type | Description |
| --- | --- | --- | --- |
| \`id\` | path | string | The id of the thing |

Answers \`200\` with the thing, \`404\` where there is none.
`
}

const operationsOf = (spec: ContentRef): TemplatePage =>
  spec.kind === "openapi"
    ? {
        title: "Operations",
        icon: "code",
        computed: {
          type: "builtin:openapi",
          dependencies: { spec: { ref: spec } },
          props: { models: true, downloadLink: true }
        }
      }
    : { title: "The spec", icon: "code", target: spec }
