/** Steps of the tests of content sources: an integration that answers pages, and a space that shows them. */
import { Ids } from "@lectern/core/identity/Ids"
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { PdfWriter } from "@lectern/core/pdf/PdfWriter"
import { Effect, Layer } from "effect"
import { Harness, type Person } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { json } from "./SiteSteps.ts"
import { createSpace, insertPage, publish } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

/** Answers of the programs of these tests, by the key in their script. */
export const programs = new Map<string, (event: any) => unknown>()
Object.assign(globalThis, { contentSourcePrograms: programs })

export const sources = [{ id: "issues", title: "Issues", configuration: { componentId: "configure" } }]

export const answering = (key: string) =>
  program(`
    const answer = await globalThis.contentSourcePrograms.get(${JSON.stringify(key)})(event)
    return answer instanceof Response ? answer : Response.json(answer)`)

export const doc = (name: string, props: object) => ({ type: `integration:${name}:issues`, props })

/** An installed integration with a content source, and a space with a page that stands for what it answers. */
export const makeSource = Effect.fnUntraced(function* (
  answer: (event: any, name: string) => unknown,
  more: { readonly computed?: object; readonly manifest?: Record<string, unknown> } = {}
) {
  const key = yield* (yield* Ids).next
  const asked: Array<any> = []
  const { name, id, path } = yield* installed({
    contentSources: sources,
    script: answering(key),
    ...more.manifest
  })
  const answering_ = (event: any) => {
    if (!event.type.startsWith("content_compute_")) return new Response(null, { status: 406 })
    asked.push(event)
    return answer(event, name)
  }
  programs.set(key, answering_)
  const { id: space } = yield* createSpace({ title: "Docs" })
  const { idOf } = yield* publish(space, [
    insertPage("Before"),
    {
      operation: "insert_page",
      type: "computed",
      title: "Issues",
      ref: "Issues",
      computed: { ...doc(name, { repository: "one" }), ...more.computed }
    },
    insertPage("After", "Written by hand")
  ])
  return {
    name,
    installation: id,
    path,
    space,
    issues: idOf("Issues"),
    after: idOf("After"),
    asked,
    answers: (next: (event: any) => unknown) =>
      programs.set(key, (event) => {
        asked.push(event)
        return next(event)
      })
  }
})

export const get = Effect.fnUntraced(function* (path: string, by: Person = "read") {
  const { call } = yield* Harness
  return yield* call(by, "GET", `/v1/spaces/${path}`).pipe(json(200))
})
export const treeOf = (path: string, by?: Person) =>
  Effect.map(get(path, by), ({ pages }) => pages as ReadonlyArray<any>)

export const titles = (pages: ReadonlyArray<any> = []): ReadonlyArray<unknown> =>
  pages.map(({ title, pages }) => (pages === undefined || pages.length === 0 ? title : [title, titles(pages)]))

/** Two pages below a group, a link, and a text for each page. */
export const issues = (event: any, name: string) =>
  event.type === "content_compute_revision"
    ? {
        pages: [
          {
            type: "group",
            title: "Open",
            pages: [
              {
                type: "document",
                id: "first",
                title: "First",
                icon: "bug",
                description: "The first one",
                computed: doc(name, { issue: 1 })
              },
              { type: "document", title: "First", slug: "first", computed: doc(name, { issue: 2 }) }
            ]
          },
          { type: "link", title: "All", target: { kind: "page", page: "first" } },
          { type: "document", title: "Plain" }
        ],
        files: [
          { id: "pic", name: "a.png", contentType: "image/png", downloadURL: "https://example.com/a.png", size: 3 }
        ]
      }
    : {
        document: {
          markdown: `# Heading\n\nIssue ${event.props.issue}, see [the first](/pages/first#heading).\n\n![A picture](/files/pic)\n`
        }
      }

export const events = Effect.fnUntraced(function* (name: string) {
  yield* (yield* IntegrationRecords).flush.pipe(Effect.orDie)
  const { call } = yield* Harness
  const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=100`).pipe(json(200))
  return (items as ReadonlyArray<any>).filter(({ payload }) => payload.type.startsWith("content_compute_"))
})

/** PDFs that are the JSON of what they are made of. */
const pdfWriter = Layer.succeed(
  PdfWriter,
  PdfWriter.of({
    write: ({ pages, document }) =>
      Effect.map(
        Effect.forEach(pages, ({ id }) => document(id)),
        (documents) => new TextEncoder().encode(JSON.stringify(documents))
      )
  })
)

export const options = { integrationRuntime: UnsafeRuntime.layer, pdfWriter }
