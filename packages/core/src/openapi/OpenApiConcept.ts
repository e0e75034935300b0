/** Declares the events of OpenAPI specs, and the blobs that their rows refer to. */
import { Schema } from "effect"
import { concept } from "../Concept.ts"
import { root } from "../content/store/GarbageRoot.ts"
import { event } from "../event/EventKind.ts"
import { OpenApiSpecTable } from "./OpenApiSpec.ts"
import { OpenApiVersionTable } from "./OpenApiVersion.ts"

const spec = { spec: Schema.String, slug: Schema.String }

export const openApiConcept = concept({
  events: [
    event("openapi_spec_created", spec),
    /** The visibility of the spec changed, or the spec will be processed again. */
    event("openapi_spec_updated", spec),
    /** Processing succeeded or failed. The spec may have a new version. */
    event("openapi_spec_processed", spec),
    event("openapi_spec_deleted", spec)
  ],
  roots: [
    root(OpenApiSpecTable, ({ source }) => ({ blobs: ["text" in source ? source.text : undefined] })),
    root(OpenApiVersionTable, ({ source, document }) => ({ blobs: [source, document] }))
  ]
})
