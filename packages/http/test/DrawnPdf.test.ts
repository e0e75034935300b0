/** Blocks of integrations in PDFs: what their programs draw, as plain text, within bounds. */
import { IntegrationRecords } from "@lectern/core/integration/IntegrationRecords"
import { JobWorker } from "@lectern/core/job/JobWorker"
import { PdfUrl } from "@lectern/core/pdf/Pdf"
import { assert } from "@effect/vitest"
import { Effect } from "effect"
import { NodePdfWriter } from "../../services-node/src/pdf/NodePdfWriter.ts"
import { readPdf } from "../../services-node/test/PdfReading.ts"
import { answers, Harness, has, onMemory } from "./Harness.ts"
import { installed, program } from "./IntegrationSteps.ts"
import { json } from "./SiteSteps.ts"
import { spaceWith } from "./Steps.ts"
import { UnsafeRuntime } from "./UnsafeRuntime.ts"

const script = program(`
  if (event.type !== "ui_render") return new Response()
  const { city } = event.props
  if (city === "throws") throw new Error("Broken")
  if (city === "html") return new Response("<p>Hello</p>")
  if (city === "large") return new Response(JSON.stringify({ type: "element", element: { type: "text", children: ["x".repeat(300000)] } }))
  return Response.json({ type: "element", state: { wind: "Windy" }, props: {}, element: { type: "block", children: [
    { type: "text", children: ["It rains in " + city + (event.auth ? " for somebody" : "") + ". "] },
    { type: "codeblock", content: { $state: "wind" } },
    { type: "button", label: "Unpressed" }
  ] } })`)

onMemory(
  "Blocks of integrations in a PDF",
  (it) => {
    it.effect("are what their programs draw, each asked once; what is not drawn is told of as it stands there", () =>
      Effect.gen(function* () {
        const { call } = yield* Harness
        const { name, path } = yield* installed({
          target: "all",
          script,
          blocks: [{ id: "weather", title: "Weather" }]
        })
        const block = (city: string) => `{% @${name}/weather city="${city}" %}`
        const cities = ["Oslo", "Oslo", "throws", "html", "large"]
        const text = [
          ...cities.map(block),
          `{% hint style="info" %}\n${block("Bergen")}\n{% endhint %}`,
          `{% @${name}/unknown city="Nowhere" %}`,
          `{% @nobody/weather city="Elsewhere" %}`
        ].join("\n\n")
        const { space } = yield* spaceWith({ Weather: text })
        const { url } = yield* call("read", "GET", `/v1/spaces/${space}/pdf`).pipe(answers(200, PdfUrl))
        yield* JobWorker.use(({ runDue }) => runDue)
        const { bytes } = yield* call("nobody", "GET", url).pipe(has(200))
        const shown = JSON.stringify(yield* Effect.promise(() => readPdf(bytes)))
        assert.lengthOf(shown.match(/It rains in Oslo\./g) ?? [], 2)
        for (const part of ["It rains in Bergen.", "Windy", "throws", "html", "large", "Nowhere", "Elsewhere"]) {
          assert.include(shown, part)
        }
        for (const part of ["Unpressed", "somebody", "xxxx"]) assert.notInclude(shown, part)

        yield* (yield* IntegrationRecords).flush.pipe(Effect.orDie)
        const { items } = yield* call("admin", "GET", `/v1/integrations/${name}/events?limit=100`).pipe(json(200))
        const renders = (items as ReadonlyArray<any>).filter(({ payload }) => payload.type === "ui_render")
        assert.sameDeepMembers(
          renders.map(({ payload, status }) => [payload.props.city, status]),
          [
            ["Oslo", "success"],
            ["Bergen", "success"],
            ["throws", "failed"],
            ["html", "failed"],
            ["large", "failed"]
          ]
        )
        yield* call("admin", "DELETE", path).pipe(has(204))
      })
    )
  },
  { integrationRuntime: UnsafeRuntime.layer, pdfWriter: NodePdfWriter.layer() }
)
