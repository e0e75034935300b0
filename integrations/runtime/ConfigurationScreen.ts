/**
 * Configuration screen of an installation: text fields and a save button. Secrets are never displayed; an empty secret field
 * leaves the secret unchanged.
 */
import { type Element, text } from "./ContentKit.ts"
import { interfaceOf } from "./Interface.ts"
import type { RequestContext, Component } from "./Integration.ts"

export interface Field<Name extends string> {
  readonly name: Name
  readonly label: string
  readonly hint: string
  readonly placeholder?: string
  readonly isSecret?: boolean
  /** True for a field of several lines. */
  readonly isLong?: boolean
}

/** Configured texts by field name. Unset fields are empty. */
export type Configured<Name extends string> = { readonly [name in Name]: string }

export interface Screen<Name extends string> {
  /** Holder of the configuration: the whole installation, or the site that it is on. */
  readonly of: "installation" | "siteInstallation"
  /** Markdown, above the fields. */
  readonly intro: (context: RequestContext) => string
  readonly fields: ReadonlyArray<Field<Name>>
  /** Objection to the entered values, in a sentence. */
  readonly problem: (configured: Configured<Name>) => string | undefined
}

/** Returns the configured texts of an installation. */
export const configured = <Name extends string>(
  { of, fields }: Pick<Screen<Name>, "of" | "fields">,
  { environment }: RequestContext
): Configured<Name> => {
  const values = environment[of]?.configuration ?? {}
  const entries = fields.map(({ name }) => [name, typeof values[name] === "string" ? values[name] : ""])
  return Object.fromEntries(entries) as Configured<Name>
}

const placeOf = (
  { environment: { integration, installation, siteInstallation } }: RequestContext,
  screenOwner: Screen<string>["of"]
) => {
  const path = `/integrations/${integration.name}/installations/${installation!.id}`
  return screenOwner === "installation" ? path : `${path}/sites/${siteInstallation!.site}`
}

export const configurationScreen =
  <Name extends string>(screen: Screen<Name>): Component =>
  async ({ state = {}, action }, context) => {
    const { of, fields, intro, problem } = screen
    const storedValues = configured(screen, context)
    const entered = Object.fromEntries(
      fields.map(({ name, isSecret = false }) => {
        const value = state[name]
        if (typeof value !== "string") return [name, isSecret ? "" : storedValues[name]]
        return [name, value.trim()]
      })
    ) as Configured<Name>

    let problemText: string | undefined
    if (action?.action === "save") {
      const next = Object.fromEntries(
        fields.map(({ name, isSecret = false }) => [
          name,
          isSecret && entered[name] === "" ? storedValues[name] : entered[name]
        ])
      ) as Configured<Name>
      problemText = problem(next)
      if (problemText === undefined) {
        await interfaceOf(context.environment)("PATCH", placeOf(context, of), { configuration: next })
        return { done: true }
      }
    }
    const inputs = fields.map(({ name, label, hint, placeholder, isSecret = false, isLong = false }): Element => {
      const displayedPlaceholder = isSecret && storedValues[name] !== "" ? "Kept as it is" : placeholder
      return {
        type: "input",
        label,
        hint,
        element: {
          type: "textinput",
          state: name,
          initialValue: entered[name],
          ...(displayedPlaceholder !== undefined && { placeholder: displayedPlaceholder }),
          ...(isSecret && { inputType: "password" as const }),
          ...(isLong && { multiline: true })
        }
      }
    })
    return {
      state: entered,
      element: {
        type: "configuration",
        children: [
          ...(problemText === undefined ? [] : [{ type: "hint", children: [text(problemText)] } as const]),
          { type: "markdown", content: intro(context) },
          ...inputs,
          { type: "button", label: "Save", style: "primary", onPress: { action: "save" } }
        ]
      }
    }
  }
