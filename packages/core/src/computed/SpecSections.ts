/**
 * Searchable text of a page of a spec in sections: names and descriptions of operations and models. Cheaper than
 * building the page.
 */
import type { Section } from "@lectern/document/Sections"
import type { ComputedDocumentProps } from "./ComputedSource.ts"
import * as SpecOutline from "./SpecOutline.ts"
import { fieldsOf, type Spec, type SpecOperation, textOf } from "./SpecParser.ts"

/** Maximum length of an indexed description in characters. */
const maxDescription = 2_000

export const sectionsOf = (spec: Spec, props: ComputedDocumentProps): ReadonlyArray<Section> => {
  switch (props.doc) {
    case "models":
      return Array.from(spec.schemas, ([name, schema]) => section(name, fieldsOf(schema).description))
    case "operation": {
      const operation = SpecOutline.operationOf(spec, props)
      return operation === undefined ? [] : [ofOperation(operation)]
    }
    default: {
      const tag = SpecOutline.tagOf(spec, props.page)
      if (tag === undefined) return props.doc === "info" ? ofSpec(spec) : []
      const tagSection = section("", tag.description)
      return props.doc === "info" ? [tagSection] : [tagSection, ...tag.operations.map(ofOperation)]
    }
  }
}

/** Returns the sections of the page about the spec. */
export const ofSpec = ({ info }: Spec): ReadonlyArray<Section> => [section("", info.description)]

const ofOperation = ({ title, verb, path, operation }: SpecOperation): Section =>
  section(title, `${verb.toUpperCase()} ${path}\n${textOf(operation.description).slice(0, maxDescription)}`)

const section = (title: string, text: unknown): Section => ({
  anchor: undefined,
  title,
  text: textOf(text).slice(0, maxDescription + 1_000)
})
