/**
 * Elements of ContentKit, which programs of integrations draw with, as plain values that anybody may have written.
 * Readers of them look before they take.
 */
import { isRenderOutput } from "@lectern/core/integration/RenderOutput"

/** Types of elements. Each has a renderer in `Components`. */
export type ComponentType =
  | "block"
  | "modal"
  | "configuration"
  | "hstack"
  | "vstack"
  | "box"
  | "divider"
  | "card"
  | "stepper"
  | "step"
  | "text"
  | "link"
  | "image"
  | "markdown"
  | "hint"
  | "codeblock"
  | "webframe"
  | "input"
  | "textinput"
  | "select"
  | "switch"
  | "checkbox"
  | "radio"
  | "button"

export type Fields = { readonly [name: string]: unknown }

export const isFields = (value: unknown): value is Fields =>
  typeof value === "object" && value !== null && !Array.isArray(value)

export const listOf = (value: unknown): ReadonlyArray<unknown> =>
  Array.isArray(value) ? value : value === undefined || value === null ? [] : [value]

/** An answer that draws something. */
export interface Output {
  readonly element: Fields
  readonly state: Fields
  /** Of the block from now on. */
  readonly props: Fields
}

/** An answer of a dialog that is done, with what it hands back. */
export interface Complete {
  readonly returnValue: Fields
}

/** Of the JSON of an answer; undefined where it is neither. */
export const readOutput = (json: string): Output | Complete | undefined => {
  try {
    const value: unknown = JSON.parse(json)
    if (!isRenderOutput(value)) return undefined
    const { state, props, returnValue }: Fields = value
    if (value.type === "complete") return { returnValue: isFields(returnValue) ? returnValue : {} }
    const { element } = value
    return { element, state: isFields(state) ? state : {}, props: isFields(props) ? props : {} }
  } catch {
    return undefined
  }
}

/** The value of a binding in a state; any other value is itself. */
export const valueIn = (state: Fields, value: unknown): unknown => {
  if (!isFields(value)) return value
  const key = value["$state"]
  if (typeof key !== "string") return value
  return Object.hasOwn(state, key) ? state[key] : undefined
}

/** Values of an action or of data for a frame, with what the state holds in place of bindings; 8 deep at most. */
export const resolved = (state: Fields, value: unknown, depth = 8): unknown => {
  const found = valueIn(state, value)
  if (depth === 0) return null
  if (Array.isArray(found)) return found.map((one: unknown) => resolved(state, one, depth - 1))
  return isFields(found)
    ? Object.fromEntries(Object.entries(found).map(([name, one]) => [name, resolved(state, one, depth - 1)]))
    : (found ?? null)
}
