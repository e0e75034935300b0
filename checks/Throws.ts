/**
 * Compares the doc comments of methods that hosts call with the failures in their types: each failure has a line
 * `@throws {Name}`, and each line has a failure. Every method may fail with `StorageError`, which has no line.
 *
 * Reads the types with the API of the compiler, so that aliases and inherited members count.
 */
import { relative, resolve } from "node:path"
import { API, type Checker, SignatureKind, type Symbol, type Type } from "typescript/unstable/sync"

/** A method that hosts call, with the failures of its type and the names in its comment. */
export interface CommentedMethod {
  /** Path of the method in the embedding API, such as `spaces.get`. */
  readonly path: string
  /** File that declares the method. */
  readonly file: string
  readonly failures: ReadonlyArray<string>
  readonly thrown: ReadonlyArray<string>
}

/** Failures that the comment of no method names. */
const common = new Set(["StorageError"])

/** Returns a line for each failure without `@throws`, and for each `@throws` without a failure. */
export const throwsMistakes = (methods: ReadonlyArray<CommentedMethod>): ReadonlyArray<string> =>
  methods.length === 0
    ? ["packages/core/src: no methods for hosts found"]
    : methods.flatMap(({ path, file, failures, thrown }) => [
        ...failures
          .filter((name) => !common.has(name) && !thrown.includes(name))
          .map((name) => `${file}: the comment of ${path} lacks @throws {${name}}`),
        ...thrown
          .filter((name, i) => common.has(name) || !failures.includes(name) || thrown.indexOf(name) < i)
          .map((name) => `${file}: the comment of ${path} has a superfluous @throws {${name}}`)
      ])

/** Returns the methods that the core and the extension `Exchange` offer to hosts. */
export const offeredMethods = (): ReadonlyArray<CommentedMethod> => {
  const api = new API()
  try {
    // The project of the extension contains the sources of the core.
    const config = resolve("packages/exchange/tsconfig.json")
    const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!
    const exportIn = (file: string, name: string) =>
      exportOf(checker, checker.getSymbolAtLocation(program.getSourceFile(resolve(file))!)!, name)
    const core = checker.getTypeOfSymbol(exportIn("packages/core/src/Lectern.ts", "offered"))!
    const extension = checker.getDeclaredTypeOfSymbol(exportIn("packages/exchange/src/Exchange.ts", "Exchange"))
    return [core, argumentsOf(checker, extension)[1]!].flatMap((offers) => methodsOf(checker, offers))
  } finally {
    api.close()
  }
}

const exportOf = (checker: Checker, module: Symbol, name: string) =>
  checker.getExportsOfModule(module).find((symbol) => symbol.name === name)!

/** Returns the methods of a type of offers, without internal ones. */
const methodsOf = (checker: Checker, offers: Type): ReadonlyArray<CommentedMethod> =>
  checker.getPropertiesOfType(offers).flatMap((offer) => {
    const [service, kinds] = argumentsOf(checker, checker.getTypeOfSymbol(offer)!)
    const shape = checker.getTypeOfSymbol(checker.getPropertyOfType(service!, "Service")!)!
    return checker.getPropertiesOfType(shape).flatMap((method): ReadonlyArray<CommentedMethod> => {
      const kind = checker.getPropertyOfType(kinds!, method.name)
      const isInternal = kind !== undefined && checker.typeToString(checker.getTypeOfSymbol(kind)!) === '"internal"'
      const effect = effectOf(checker, checker.getTypeOfSymbol(method)!)
      if (isInternal || effect === undefined) return []
      return [
        {
          path: `${offer.name}.${method.name}`,
          file: relative(".", method.declarations[0]?.path ?? ""),
          failures: failuresOf(argumentsOf(checker, effect)[1]!),
          thrown: checker.getJsDocTagsOfSymbol(method).flatMap(({ name, text }) => {
            const thrown = name === "throws" ? /^\{(\w+)\}/.exec(text ?? "")?.[1] : undefined
            return thrown === undefined ? [] : [thrown]
          })
        }
      ]
    })
  })

/** Returns the effect that a member is or returns. */
const effectOf = (checker: Checker, member: Type): Type | undefined => {
  const [signature] = checker.getSignaturesOfType(member, SignatureKind.Call)
  const type = signature === undefined ? member : checker.getReturnTypeOfSignature(signature)
  return type?.getSymbol()?.name === "Effect" ? type : undefined
}

const argumentsOf = (checker: Checker, type: Type): ReadonlyArray<Type> =>
  type.isTypeReference() ? checker.getTypeArguments(type) : []

/** Returns the names of error classes. A type parameter is the error of a function of the caller. */
const failuresOf = (failure: Type): ReadonlyArray<string> => {
  if (failure.isUnionType()) return failure.getTypes()!.flatMap(failuresOf)
  return failure.isTypeParameter() || failure.isIntrinsicType() ? [] : [failure.getSymbol()?.name ?? "unnamed"]
}
