/** ContentKit elements that the integrations here use. */

/** Action of a click. The program renders again with the action, unless its name starts with `@`. */
export interface Action {
  readonly action: string
  readonly [name: string]: unknown
}

/** Reference to a value of the state, which follows its changes. */
export interface Bound {
  readonly $state: string
}

export type Element =
  | { readonly type: "block"; readonly children: ReadonlyArray<Element> }
  | { readonly type: "configuration"; readonly children: ReadonlyArray<Element> }
  | { readonly type: "markdown"; readonly content: string }
  | { readonly type: "text"; readonly children: ReadonlyArray<string> }
  | { readonly type: "hint"; readonly children: ReadonlyArray<Element> }
  | { readonly type: "input"; readonly label: string; readonly hint?: string; readonly element: Element }
  | {
      readonly type: "textinput"
      readonly state: string
      readonly initialValue?: string
      readonly placeholder?: string
      readonly multiline?: boolean
      readonly inputType?: "text" | "password" | "email"
    }
  | { readonly type: "switch"; readonly state: string; readonly initialValue?: boolean }
  | {
      readonly type: "button"
      readonly label: string
      readonly style?: "primary" | "secondary"
      readonly onPress: Action
    }
  | {
      readonly type: "codeblock"
      readonly content: string
      readonly syntax: string
      readonly state: string
      readonly onContentChange: Action
      readonly footer: ReadonlyArray<Element>
    }
  | {
      readonly type: "webframe"
      readonly source: { readonly url: string }
      readonly aspectRatio?: number
      readonly data: { readonly [name: string]: string | Bound }
    }

export const text = (words: string): Element => ({ type: "text", children: [words] })
