/**
 * Elements of ContentKit, the format in which integrations render. They are plain, untrusted values, so readers check
 * their types.
 */
import { isRenderOutput } from "@lectern/core/integration/RenderOutput"

/** Types of elements. Each type has a renderer in `Components`. */
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

/** Response of an integration that contains an element to render. */
export interface Output {
  readonly element: Fields
  readonly state: Fields
  /** Props of the block for its next requests. */
  readonly props: Fields
}

/** Result of a completed dialog, with the dialog's return value. */
export interface Completion {
  readonly returnValue: Fields
}

/** Parses a JSON result; undefined if it is invalid. */
export const readOutput = (json: string): Output | Completion | undefined => {
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

/** Returns the value of a binding in a state. Returns other values unchanged. */
export const resolveValue = (state: Fields, value: unknown): unknown => {
  if (!isFields(value)) return value
  const key = value["$state"]
  if (typeof key !== "string") return value
  return Object.hasOwn(state, key) ? state[key] : undefined
}

/**
 * Replaces the bindings in a value, such as an action, by the values of a state. Values nested deeper than `depth`
 * become null. Default: 8.
 */
export const resolveBindings = (state: Fields, value: unknown, depth = 8): unknown => {
  const resolved = resolveValue(state, value)
  if (depth === 0) return null
  if (Array.isArray(resolved)) return resolved.map((item: unknown) => resolveBindings(state, item, depth - 1))
  return isFields(resolved)
    ? Object.fromEntries(
        Object.entries(resolved).map(([name, item]) => [name, resolveBindings(state, item, depth - 1)])
      )
    : (resolved ?? null)
}
