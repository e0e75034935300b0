/** A parameter of a method, for tests of the reference of methods. */
import type { Parameter } from "../../bundle/methods/OfferedMethods.ts"

export const parameter = (fields: Partial<Parameter>): Parameter => ({
  name: "id",
  isOptional: false,
  typeName: "string",
  type: "string",
  comment: "",
  typeComment: "",
  fields: [],
  isList: false,
  declarations: [],
  ...fields
})
