/**
 * Checks that the comments of methods that hosts call explain everything that the manual's reference lists: each
 * parameter by `@param` or the comment of its type, each field of an input by its own comment, each failure by
 * `@throws` or the comment of its class.
 */
import { explainedTypes } from "../bundle/methods/MethodPages.ts"
import { schemaFieldsOf } from "../bundle/methods/InputFields.ts"
import type { OfferedMethod, Parameter } from "../bundle/methods/OfferedMethods.ts"

/** Returns a line for each parameter, field and failure without a description, and for each `@param` of no parameter. */
export const methodCommentMistakes = async (methods: ReadonlyArray<OfferedMethod>): Promise<ReadonlyArray<string>> => {
  const lines = await Promise.all(
    methods.map(async ({ path, file, comment, parameters, documented, failures, thrown }) => {
      const undescribed = (await Promise.all(parameters.map(undescribedIn))).flat()
      const names = new Set(
        parameters.flatMap(({ name, fields }) => [name, ...fields.map((field) => `${name}.${field.name}`)])
      )
      return [
        ...(comment === "" ? [`${file}: ${path} has no comment`] : []),
        ...undescribed.map((name) => `${file}: ${name} of ${path} has no description`),
        ...documented
          .filter((name) => !names.has(name))
          .map((name) => `${file}: the comment of ${path} has a superfluous @param ${name}`),
        ...failures
          .filter(({ name, comment }) => comment === "" && !thrown.some(([own, text]) => own === name && text !== ""))
          .map(({ name }) => `${file}: ${name} of ${path} has no description`)
      ]
    })
  )
  return [...new Set(lines.flat())]
}

const undescribedIn = async (parameter: Parameter): Promise<ReadonlyArray<string>> => {
  const { name, comment, typeComment, fields, type } = parameter
  if (fields.length === 0) return comment === "" && typeComment === "" ? [name] : []
  if (explainedTypes.has(type.replace("[]", ""))) return comment === "" && typeComment === "" ? [name] : []
  const schemaFields = await schemaFieldsOf(parameter)
  return fields
    .filter((field) => field.comment === "" && (schemaFields.get(field.name)?.description ?? "") === "")
    .map((field) => `${name}.${field.name}`)
}
