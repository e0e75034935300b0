/**
 * Reads the methods that hosts call from the types of the core and of the extension `Exchange`, with the API of the
 * compiler: their comments, parameters with fields, results and failures. Aliases and inherited members count.
 *
 * Starting the compiler takes about 4 seconds, so the methods are read once in a process.
 */
import { relative, resolve } from "node:path"
import type { Node, TypeReferenceNode } from "typescript/unstable/ast"
import {
  isFunctionTypeNode,
  isQualifiedName,
  isTypeAliasDeclaration,
  isTypeReferenceNode
} from "typescript/unstable/ast/is"
import { API, type Checker, SignatureKind, type Symbol, type Type } from "typescript/unstable/sync"
import { isOptional, isText, isUndefined, typeText } from "./TypeText.ts"

/** A failure of a method, with the comment of its class. */
export interface OfferedFailure {
  readonly name: string
  readonly comment: string
}

/** A declaration with a name, such as the schema of an input. */
export interface Declaration {
  readonly name: string
  readonly file: string
}

/** A field of a parameter or of a type. */
export interface Field {
  readonly name: string
  readonly isOptional: boolean
  readonly type: string
  /** Empty if the field has no comment. */
  readonly comment: string
}

export interface Parameter extends Field {
  /** Name of the type, or the type. */
  readonly typeName: string
  /** Comment of the parameter's type. */
  readonly typeComment: string
  /** Fields of an object, or of the items of a list of objects. */
  readonly fields: ReadonlyArray<Field>
  readonly isList: boolean
  /** Types in the declaration of the parameter. */
  readonly declarations: ReadonlyArray<Declaration>
}

/** A type that a method returns, with its fields. */
export interface ResultType extends Declaration {
  readonly comment: string
  readonly fields: ReadonlyArray<Field>
}

/** A method that hosts call. */
export interface OfferedMethod {
  /** Path of the method in the embedding API, such as `spaces.get`. */
  readonly path: string
  /** File that declares the method. */
  readonly file: string
  /** Undefined for a method of no service. */
  readonly isTransactional: boolean | undefined
  readonly comment: string
  /** Type parameters that the types of parameters mention, such as `<Input extends Json>`. */
  readonly typeParameters: string
  readonly parameters: ReadonlyArray<Parameter>
  /** Names of `@param`. */
  readonly documented: ReadonlyArray<string>
  /** Type of the result, such as `Promise<Space>`. */
  readonly result: string
  /** Text of `@returns`. */
  readonly resultComment: string
  readonly resultTypes: ReadonlyArray<ResultType>
  readonly failures: ReadonlyArray<OfferedFailure>
  /** Names and texts of `@throws`. */
  readonly thrown: ReadonlyArray<readonly [name: string, text: string]>
  readonly examples: ReadonlyArray<string>
}

/** Returns the code of an example. */
export const codeIn = (example: string): string => example.replace(/^```ts\n/, "").replace(/\n```$/, "")

interface Methods {
  readonly offered: ReadonlyArray<OfferedMethod>
  readonly instance: ReadonlyArray<OfferedMethod>
}

let methods: Methods | undefined

/** Extensions whose methods the manual lists: the project that contains them, the file and the name of their type. */
const extensions = [
  ["packages/testing/tsconfig.json", "packages/exchange/src/Exchange.ts", "Exchange"],
  ["packages/sign-in/tsconfig.json", "packages/sign-in/src/SignIn.ts", "SignIn"]
] as const

/** Returns the methods that the core and its extensions offer to hosts. */
export const offeredMethods = (): ReadonlyArray<OfferedMethod> => (methods ??= readMethods()).offered

/** Returns the methods of an instance that belong to no service, such as `as`. */
export const instanceMethods = (): ReadonlyArray<OfferedMethod> => (methods ??= readMethods()).instance

/** Methods of an instance, in the order of the manual. */
const instanceMethodNames = ["as", "on", "handle", "transaction", "run", "close"]

const readMethods = (): Methods => {
  const api = new API()
  try {
    const projectOf = (file: string) => {
      const config = resolve(file)
      const { program, checker } = api.updateSnapshot({ openProjects: [config] }).getProject(config)!
      const exportIn = (file: string, name: string) =>
        exportOf(checker, checker.getSymbolAtLocation(program.getSourceFile(resolve(file))!)!, name)
      return { checker, exportIn, reader: makeReader(checker) }
    }
    const { checker, exportIn, reader } = projectOf("packages/core/tsconfig.json")
    const core = checker.getTypeOfSymbol(exportIn("packages/core/src/Lectern.ts", "offered"))!
    const instance = checker.getDeclaredTypeOfSymbol(
      exportIn("packages/core/src/EmbeddedLectern.ts", "EmbeddedLectern")
    )
    return {
      offered: [
        ...methodsOf(checker, reader, core),
        ...extensions.flatMap(([config, file, name]) => {
          const { checker, exportIn, reader } = projectOf(config)
          const extension = checker.getDeclaredTypeOfSymbol(exportIn(file, name))
          return methodsOf(checker, reader, argumentsOf(checker, extension)[1]!)
        })
      ],
      instance: instanceMethodNames.map((name) => {
        const method = checker.getPropertyOfType(instance, name)!
        const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(method)!, SignatureKind.Call)
        return reader(name, method, checker.getReturnTypeOfSignature(signature!)!, undefined)
      })
    }
  } finally {
    api.close()
  }
}

const exportOf = (checker: Checker, module: Symbol, name: string) =>
  checker.getExportsOfModule(module).find((symbol) => symbol.name === name)!

/** Returns the methods of a type of offers, without internal ones. */
const methodsOf = (checker: Checker, reader: Reader, offers: Type): ReadonlyArray<OfferedMethod> =>
  checker.getPropertiesOfType(offers).flatMap((offer) => {
    const [service, kinds] = argumentsOf(checker, checker.getTypeOfSymbol(offer)!)
    const shape = checker.getTypeOfSymbol(checker.getPropertyOfType(service!, "Service")!)!
    return checker.getPropertiesOfType(shape).flatMap((method): ReadonlyArray<OfferedMethod> => {
      const kindType = checker.getPropertyOfType(kinds!, method.name)
      const kind = checker.typeToString(kindType === undefined ? kinds! : checker.getTypeOfSymbol(kindType)!)
      const effect = effectOf(checker, checker.getTypeOfSymbol(method)!)
      if (kind === '"internal"' || effect === undefined) return []
      return [reader(`${offer.name}.${method.name}`, method, effect, kind === '"transactional"')]
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

const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ").trim()

interface ParameterNode extends TypedNode {
  readonly questionToken?: Node
  readonly initializer?: Node
}

type Reader = ReturnType<typeof makeReader>

/** Returns a function that describes a method. Types that several methods have in common are read once. */
const makeReader = (checker: Checker) => {
  const texts = new Map<string, string>()
  const resultTypes = new Map<number, ResultType>()
  const comments = new Map<number, string>()

  const textOf = (type: Type, use: "input" | "field" | "result"): string => {
    const key = `${use} ${type.id}`
    const text = texts.get(key) ?? typeText(checker, type, use)
    texts.set(key, text)
    return text
  }

  const commentOf = (symbol: Symbol): string => {
    const comment = comments.get(symbol.id) ?? inOneLine(checker.getDocumentationCommentOfSymbol(symbol))
    comments.set(symbol.id, comment)
    return comment
  }

  /** Returns the types of the packages that a declaration refers to. */
  const symbolsIn = (node: Node | undefined): ReadonlyArray<Symbol> => {
    const symbols: Array<Symbol> = []
    const visit = (node: Node): void => {
      if (isTypeReferenceNode(node)) {
        const local = checker.getSymbolAtLocation(isQualifiedName(node.typeName) ? node.typeName.right : node.typeName)
        const symbol = local && (isAlias(local) ? checker.getAliasedSymbol(local) : local)
        const file = symbol?.declarations[0]?.path ?? ""
        if (file.includes("/packages/") && !file.includes("node_modules")) symbols.push(symbol!)
      }
      node.forEachChild(visit)
    }
    if (node !== undefined) visit(node)
    return symbols
  }

  /** Returns the fields of a type, or of the members of a union. A field is optional if a member lacks it. */
  const fieldsOf = (types: ReadonlyArray<Type>, use: "input" | "field"): ReadonlyArray<Field> => {
    const byName = new Map<string, ReadonlyArray<Field>>()
    for (const field of types.flatMap((type) => checker.getPropertiesOfType(type))) {
      // A symbol as key: the compiler's name for it changes with every added file.
      if (field.name.startsWith("__@")) continue
      const type = checker.getTypeOfSymbol(field)!
      const described = {
        name: field.name,
        isOptional: isOptional(field) || hasUndefined(type),
        type: textOf(type, use),
        comment: commentOf(field)
      }
      byName.set(field.name, [...(byName.get(field.name) ?? []), described])
    }
    return Array.from(byName, ([name, fields]) => ({
      name,
      isOptional: fields.length < types.length || fields.some((field) => field.isOptional),
      type: [...new Set(fields.map(({ type }) => type))].join(" | "),
      comment: fields.find(({ comment }) => comment !== "")?.comment ?? ""
    }))
  }

  /** `textOfParam`: returns the text of `@param` for a name. Fields of a type literal have the names of paths. */
  const parameterOf = (parameter: Symbol, textOfParam: (name: string) => string): Parameter => {
    const node = parameter.valueDeclaration?.resolve() as ParameterNode | undefined
    const type = checker.getTypeOfSymbol(parameter)!
    const symbols = symbolsIn(node?.type)
    const text = node?.type?.getText() ?? ""
    const [only] = symbols.length === 1 ? symbols : []
    const object = objectIn(checker, type)
    const fullType = typeParameterText(type) ?? textOf(type, "input")
    const hasName = symbols.length > 0 && !isId(type) && !type.isTypeParameter()
    // The name of a type that its module does not export says nothing to a host.
    const local = only !== undefined && isSimple(text) ? localTypeText(only) : undefined
    const name = hasName ? sourceText(local ?? text) : undefined
    return {
      name: parameter.name,
      isOptional: node?.questionToken !== undefined || node?.initializer !== undefined || hasUndefined(type),
      typeName: name ?? fullType,
      type: object === undefined ? (isReadable(fullType) ? fullType : (name ?? fullType)) : (name ?? "object"),
      comment: textOfParam(parameter.name),
      typeComment: only === undefined ? "" : commentOf(only),
      fields:
        object === undefined
          ? []
          : fieldsOf(object.types, "input").map((field) => ({
              ...field,
              comment: textOfParam(`${parameter.name}.${field.name}`) || field.comment
            })),
      isList: object?.isList ?? false,
      declarations: symbols.map((symbol) => ({ name: symbol.name, file: symbol.declarations[0]!.path }))
    }
  }

  /** Returns the choices of a type parameter, such as `"site" | "space"`, or its name. */
  const typeParameterText = (type: Type): string | undefined => {
    if (!type.isTypeParameter()) return undefined
    const constraint = checker.getConstraintOfTypeParameter(type)
    const text = constraint === undefined ? "" : textOf(constraint, "input")
    return text.includes('"') ? text : type.getSymbol()?.name
  }

  const resultTypeOf = (symbol: Symbol): ResultType => {
    const known = resultTypes.get(symbol.id)
    if (known !== undefined) return known
    const type = checker.getDeclaredTypeOfSymbol(symbol)
    const types = type.isUnionType() ? type.getTypes() : [type]
    const resultType = {
      name: symbol.name,
      file: relative(".", symbol.declarations[0]!.path),
      comment: checker.getDocumentationCommentOfSymbol(symbol),
      fields: types.every((part) => hasFields(checker, part)) ? fieldsOf(types, "field") : []
    }
    resultTypes.set(symbol.id, resultType)
    return resultType
  }

  /** Returns the error classes of a type. A type parameter is the error of a function of the caller. */
  const failuresOf = (failure: Type): ReadonlyArray<OfferedFailure> => {
    if (failure.isUnionType()) return failure.getTypes().flatMap(failuresOf)
    if (failure.isTypeParameter() || failure.isIntrinsicType()) return []
    const symbol = failure.getSymbol()
    return symbol === undefined
      ? [{ name: "unnamed", comment: "" }]
      : [{ name: symbol.name, comment: commentOf(symbol) }]
  }

  /** `returned`: effect of a service, or result of another method. */
  return (path: string, method: Symbol, returned: Type, isTransactional: boolean | undefined): OfferedMethod => {
    const tags = checker.getJsDocTagsOfSymbol(method)
    const textsOf = (tag: string) => tags.flatMap(({ name, text = "" }) => (name === tag ? [text] : []))
    const [signature] = checker.getSignaturesOfType(checker.getTypeOfSymbol(method)!, SignatureKind.Call)
    const parameterTexts = textsOf("param").map((text) => /^([\w.]+)\s+(?:- )?([\s\S]*)$/.exec(text))
    const parameterText = (name: string) => inOneLine(parameterTexts.find((match) => match?.[1] === name)?.[2] ?? "")
    const thrown = textsOf("throws").flatMap((text) => {
      const match = /^\{(\w+)\}\s*([\s\S]*)$/.exec(text)
      return match === null ? [] : [[match[1]!, inOneLine(match[2]!)] as const]
    })
    const node = returnedNodeOf(method.valueDeclaration?.resolve())
    const resultNode = node !== undefined && isEffectNode(node) ? node.typeArguments?.[0] : node
    const declaredResult = resultNode?.getText() ?? ""
    const resultSymbols = symbolsIn(resultNode).filter(({ name }) => name !== "ListPage")
    const parameters = (signature?.getParameters() ?? []).map((parameter) => parameterOf(parameter, parameterText))
    const isService = isTransactional !== undefined
    const [success, failure] = isService ? argumentsOf(checker, returned) : []
    const hasName = success === undefined || (resultSymbols.length === 1 && isSimple(declaredResult) && !isId(success))
    const result = hasName ? sourceText(declaredResult) : textOf(success, "result")
    return {
      path,
      file: relative(".", method.declarations[0]?.path ?? ""),
      isTransactional,
      comment: checker.getDocumentationCommentOfSymbol(method),
      typeParameters: typeParametersOf(method.valueDeclaration?.resolve(), parameters),
      parameters,
      documented: parameterTexts.map((match) => match?.[1] ?? ""),
      result: isService ? `Promise<${result}>` : result,
      resultComment: inOneLine(textsOf("returns")[0] ?? ""),
      resultTypes: isService ? resultSymbols.map(resultTypeOf).filter(({ fields }) => fields.length > 0) : [],
      failures: isService ? failuresOf(failure!) : thrown.map(([name, comment]) => ({ name, comment })),
      thrown,
      examples: textsOf("example").map((text) => text.trim())
    }
  }
}

/** Returns the source of a type alias that its module does not export. Undefined for all other types. */
const localTypeText = (symbol: Symbol): string | undefined => {
  const alias = symbol.declarations[0]?.resolve()
  return alias !== undefined && isTypeAliasDeclaration(alias) && !alias.getText().startsWith("export")
    ? alias.type.getText()
    : undefined
}

interface TypedNode extends Node {
  readonly type?: Node
}

/** Returns the type that a method returns in its declaration, or the type of a member that is no function. */
const returnedNodeOf = (declaration: TypedNode | undefined): Node | undefined => {
  const member = declaration?.type
  return member !== undefined && isFunctionTypeNode(member) ? member.type : member
}

const isEffectNode = (node: Node): node is TypeReferenceNode =>
  isTypeReferenceNode(node) && node.getText().startsWith("Effect.Effect<")

const typeParametersOf = (declaration: TypedNode | undefined, parameters: ReadonlyArray<Parameter>): string => {
  const member = declaration?.type
  if (member === undefined || !isFunctionTypeNode(member)) return ""
  const declared = member.typeParameters?.filter(({ name }) =>
    parameters.some(({ typeName }) => new RegExp(`\\b${name.getText()}\\b`).test(typeName))
  )
  return declared === undefined || declared.length === 0
    ? ""
    : `<${declared.map((parameter) => sourceText(parameter.getText())).join(", ")}>`
}

/** Longer types are shown by their names. */
const maxTypeLength = 120

/** Returns true for a type that says more than its name. Functions have names of their own for their arguments. */
const isReadable = (text: string): boolean => text.length <= maxTypeLength && !/=>|<[A-Z]/.test(text)

/** Returns true for the text of a type that reads well: a name, a list, or a name that may be null or undefined. */
const isSimple = (text: string): boolean => /^[\w.]+(<[\w.]+>)?( \| (null|undefined))?$/.test(text)

/** Returns the source of a type in one line, without comments, and with strings for ids. */
const sourceText = (text: string): string =>
  text
    .replaceAll(/\/\*\*[\s\S]*?\*\//g, "")
    .replaceAll(/\breadonly |\b[A-Z]\w*\.(?=[A-Z])/g, "")
    .replaceAll(/\{\n([^{}]*)\}/g, (_, members: string) => {
      const lines = members.split("\n").map((line) => line.trim())
      return `{ ${lines.filter((line) => line !== "").join("; ")} }`
    })
    .replaceAll(/ReadonlyArray<([^<>]*)>/g, "$1[]")
    .replaceAll(/\b[A-Z]\w*Id\b/g, "string")
    .replaceAll(/\bTimestamp\b/g, "string | Date")
    // Type parameters for errors and extensions say nothing to a host with promises.
    .replaceAll(/<[EX]>|, X(?=>)/g, "")

const isId = (type: Type): boolean =>
  isText(type) || (type.isUnionType() && type.getTypes().every((part) => isText(part) || isUndefined(part)))

const hasUndefined = (type: Type): boolean => type.isUnionType() && type.getTypes().some(isUndefined)

const symbolIsAlias = 2_097_152

const isAlias = (symbol: Symbol): boolean => (symbol.flags & symbolIsAlias) !== 0

/** Returns the object types that a host passes: a type, the members of a union, or the items of a list. */
const objectIn = (
  checker: Checker,
  type: Type
): { readonly types: ReadonlyArray<Type>; readonly isList: boolean } | undefined => {
  const types = type.isUnionType() ? type.getTypes().filter((part) => !isUndefined(part)) : [type]
  const [first] = types
  if (types.length === 1 && first!.isTypeReference() && first!.getSymbol()?.name === "ReadonlyArray") {
    const items = objectIn(checker, checker.getTypeArguments(first)[0]!)
    return items && { ...items, isList: true }
  }
  return types.length > 0 && types.every((part) => hasFields(checker, part)) ? { types, isList: false } : undefined
}

const hasFields = (checker: Checker, type: Type): boolean => {
  if (isText(type) || !(type.isObjectType() || type.isIntersectionType())) return false
  if (/^(Uint8Array|Redacted|Effect|ReadonlySet|ReadonlyMap|JobKind)$/.test(type.getSymbol()?.name ?? "")) return false
  return checker.getSignaturesOfType(type, SignatureKind.Call).length === 0
}
